"""Who answers carelessly, told without check items: indices of every worker, and what speaks against whom."""
