"""Errors of a score against gold after a straight line, each item predicted from the line of the others."""

import numpy as np

from agreement.gold.arrays import Floats, divide
from agreement.scoring.groups import Groups


def cross_fitted_errors(groups: Groups, x: Floats, gold: Floats) -> Floats:
    """[J] gold_i less a + b x_i, a and b by least squares on its group's other items, b held at 0 or more.

    Leave-one-out cross-fitting in closed form: S_xx and S_xy lose m / (m - 1) times their term of item i. A score that
    falls with gold, or is constant, so predicts the others' mean. NaN in a group of one.
    """
    m = groups.spread(groups.sizes.astype(np.float64))
    dx, dy = (side - groups.spread(divide(groups.sum(side), groups.sizes)) for side in (x, gold))
    others = np.where(m > 1, m - 1, np.nan)
    whole = groups.spread(groups.sum(dx * dx))
    sxx = whole - m / others * dx * dx
    sxy = groups.spread(groups.sum(dx * dy)) - m / others * dx * dy
    steep = sxx > 1e-12 * np.maximum(whole, 1e-300)
    slope = np.where(steep, np.maximum(sxy, 0.0) / np.where(steep, sxx, 1.0), 0.0)
    return np.asarray(dy + dy / others - slope * (dx + dx / others))
