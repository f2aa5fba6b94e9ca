"""Limits that stay in a statistic's range: the interval is taken on a scale without ends and brought back.

On a scale g the standard error is |g'(theta)| times that of theta (the delta method), so that the limits are
g^-1(g(theta) +- t |g'(theta)| se). Both limits move; none is cut off.
"""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Range:
    """The values that a statistic can take. Its scale g is

    log((x - a) / (b - x)) from a to b: the logit of a share, Fisher's z of a correlation, and Fisher's transformation
    of an intraclass correlation (1925) from -1 / (k - 1) to 1; -log(b - x) below b alone; log(x - a) above a alone.
    """

    low: float = -math.inf
    high: float = math.inf

    @property
    def scale(self) -> str:
        """The name of g, after a comma, for a method; "" where g is x itself."""
        if self == CORRELATION:
            return ", Fisher's z"
        if math.isfinite(self.low) and math.isfinite(self.high):
            return ", logit" if self == SHARE else f", logit from {self.low:.3g} to {self.high:.3g}"
        if math.isfinite(self.high):
            return f", log({self.high:g} - x)"
        return ", logarithm" if math.isfinite(self.low) else ""

    @property
    def is_bounded_above_alone(self) -> bool:
        """Whether the values have an upper end and no lower one, as a stepped-up reliability."""
        return math.isinf(self.low) and math.isfinite(self.high)

    def limits(self, theta: float, half: float) -> tuple[float, float] | None:
        """Theta +- half on the scale, or None at an end of the range, where the scale has no slope.

        >>> [round(end, 3) for end in SHARE.limits(0.9, 0.2)]
        [0.494, 0.988]
        """
        a, b = self.low, self.high
        if not a < theta < b:
            return None
        if math.isinf(a) and math.isinf(b):
            return theta - half, theta + half
        slope = (0.0 if math.isinf(a) else 1 / (theta - a)) + (0.0 if math.isinf(b) else 1 / (b - theta))
        lower, upper = (_factor(end * half * slope) for end in (-1, 1))
        if math.isinf(a):
            return b - (b - theta) * upper, b - (b - theta) * lower
        if math.isinf(b):
            return a + (theta - a) * lower, a + (theta - a) * upper
        return self._within((theta - a) / (b - theta) * lower), self._within((theta - a) / (b - theta) * upper)

    def _within(self, odds: float) -> float:
        """The x whose (x - a) / (b - x) is `odds`."""
        return self.low + (self.high - self.low) * odds / (1 + odds)


def _factor(exponent: float) -> float:
    """e^exponent, short of what a number can hold."""
    return math.exp(max(min(exponent, 300.0), -300.0))


SHARE = Range(0.0, 1.0)
CORRELATION = Range(-1.0, 1.0)
RELIABILITY = Range(high=1.0)  # stepped up from a correlation: -log(1 - x) is then twice Fisher's z
AMOUNT = Range(low=0.0)
NATS = Range(0.0, math.log(2))  # of a Jensen-Shannon divergence
ANY = Range()
