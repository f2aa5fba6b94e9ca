"""The form of each kind of question; what else a kind is stands in `agreement.kinds`."""
