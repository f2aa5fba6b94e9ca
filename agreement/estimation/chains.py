"""Whether chains of a Markov chain Monte Carlo sampler agree: R-hat and effective sample size (Vehtari et al. 2021)."""

import numpy as np
from scipy import fft, special

from .estimate import Floats

MOST_R_HAT = 1.01
FEWEST_EFFECTIVE = 400.0
TOGETHER = 200  # parameters that are looked at together: memory grows with the draws of these alone


def convergence(draws: Floats) -> tuple[float, float]:
    """The largest R-hat and the smallest effective sample size of any parameter, from draws [C, D, P] of C chains.

    R-hat is the larger of that of ranks and of folded ranks, the effective size the smaller of that of ranks and of
    whether a draw lies beyond the 5 % or the 95 % quantile; every chain counts as its two halves.
    """
    worst, smallest = 1.0, float(np.prod(draws.shape[:2]))
    for start in range(0, draws.shape[2], TOGETHER):
        x = _halves(draws[:, :, start : start + TOGETHER])
        flat = x.reshape(-1, x.shape[2])
        folded = np.abs(x - np.median(flat, axis=0))
        low, high = np.quantile(flat, (0.05, 0.95), axis=0)
        z = _normal_ranks(x)
        worst = max(worst, float(np.max([r_hat(z), r_hat(_normal_ranks(folded))])))
        sizes = [effective_size(each) for each in (z, (x <= low).astype(np.float64), (x <= high).astype(np.float64))]
        smallest = min(smallest, float(np.min(sizes)))
    return worst, smallest


def _halves(draws: Floats) -> Floats:
    """[2 C, D / 2, P]"""
    half = draws.shape[1] // 2
    return np.concatenate([draws[:, :half], draws[:, draws.shape[1] - half :]])


def _normal_ranks(x: Floats) -> Floats:
    """The normal quantile of every draw's rank among the draws of all chains; draws are real numbers without ties."""
    flat = x.reshape(-1, x.shape[2])
    ranks = 1 + np.argsort(np.argsort(flat, axis=0), axis=0)
    return np.asarray(special.ndtri((ranks - 0.375) / (len(flat) + 0.25))).reshape(x.shape)


def r_hat(x: Floats) -> Floats:
    """[P] sqrt(((D - 1) / D W + B / D) / W) of draws [C, D, P]: W the mean variance within chains, B / D that of their
    means; 1 where nothing varies.

    >>> bool(r_hat(np.array([[[0.0], [1.0]], [[4.0], [5.0]]]))[0] > 1.01)
    True
    """
    D = x.shape[1]
    W = x.var(axis=1, ddof=1).mean(axis=0)
    between = x.mean(axis=1).var(axis=0, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.sqrt((D - 1) / D + between / W)
    return np.where(between > 0, ratio, 1.0)


def effective_size(x: Floats) -> Floats:
    """[P] C D / tau of draws [C, D, P], tau = -1 + 2 sum_t P_t, where P_t = rho_2t + rho_2t+1 is made decreasing and
    ends before it is first negative (Geyer 1992); C D where nothing varies.
    """
    C, D, P = x.shape
    centred = x - x.mean(axis=1, keepdims=True)
    f = fft.rfft(centred, n=2 * D, axis=1)
    autocovariance = fft.irfft(f * np.conj(f), n=2 * D, axis=1)[:, :D] / D
    within = autocovariance[:, 0].mean(axis=0) * D / (D - 1)
    total = within * (D - 1) / D + (x.mean(axis=1).var(axis=0, ddof=1) if C > 1 else 0.0)
    varies = total > 0
    rho = 1 - (within - autocovariance.mean(axis=0)) / np.where(varies, total, 1.0)
    rho[0] = 1.0
    pairs = rho[: D // 2 * 2].reshape(-1, 2, P).sum(axis=1)
    lasts = np.cumprod(pairs > 0, axis=0)
    tau = -1 + 2 * np.sum(np.minimum.accumulate(np.where(lasts, pairs, 0.0), axis=0), axis=0)
    most = C * D * np.log10(C * D)  # of chains that alternate: as in Stan
    return np.where(varies, np.minimum(C * D / np.maximum(tau, 1e-12), most), float(C * D))
