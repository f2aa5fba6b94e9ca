"""Models' raw answers to labels, numbers, lists or refusals: the rules, the table that they make, and what is counted.

`rules.py` has the rules in their order, `readings.py` what a text is as a whole, `answer_words.py` the words that they
look for, `mapping_table.py` mapping.csv.
"""
