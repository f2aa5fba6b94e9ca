"""Errors of a score against gold after a straight line, each item predicted from the line of the others."""

import numpy as np

from agreement.gold.arrays import Floats


def cross_fitted_errors(x: Floats, gold: Floats) -> Floats:
    """[N] gold_i less a + b x_i, a and b by least squares on the other items, b held at 0 or more.

    Leave-one-out cross-fitting in closed form: S_xx and S_xy lose n / (n - 1) times their term of item i. A score that
    falls with gold, or is constant, so predicts the others' mean.
    """
    n = len(x)
    dx, dy = x - x.mean(), gold - gold.mean()
    less = n / (n - 1)
    sxx, sxy = np.sum(dx * dx) - less * dx * dx, np.sum(dx * dy) - less * dx * dy
    steep = sxx > 1e-12 * max(float(np.sum(dx * dx)), 1e-300)
    slope = np.where(steep, np.maximum(sxy, 0.0) / np.where(steep, sxx, 1.0), 0.0)
    mean_x, mean_y = -dx / (n - 1), -dy / (n - 1)
    return np.asarray(dy - mean_y - slope * (dx - mean_x))
