"""Touchstone: human judgments from crowds, cleaned by rules that anyone can check, and models measured against people.

`analyse` cleans and measures a data frame of judgments; `Client` speaks to a site's API; the functions compute one
figure each. docs/python.md lists them.
"""

from typing import TYPE_CHECKING

from .package_alias import late_imports

if TYPE_CHECKING:
    from .analysis.analysis import NothingKept
    from .client import ApiError, Client
    from .errors import ExtraMissing, Refused, TouchstoneError
    from .frames.analyse_frame import analyse
    from .frames.frame_analysis import Analysis
    from .frames.model_functions import AnnotatorTest, alternative_annotator_test, compare_models
    from .frames.people_functions import (
        Ceilings,
        UndefinedFigure,
        ac1,
        ac2,
        alpha,
        ceilings,
        cohen_kappa,
        fleiss_kappa,
        gold_table,
        icc,
        leave_one_out,
        split_half,
    )

    __version__: str

_HOMES = {
    "analysis.analysis": ("NothingKept",),
    "client": ("ApiError", "Client"),
    "errors": ("ExtraMissing", "Refused", "TouchstoneError"),
    "frames.analyse_frame": ("analyse",),
    "frames.frame_analysis": ("Analysis",),
    "frames.model_functions": ("AnnotatorTest", "alternative_annotator_test", "compare_models"),
    "frames.people_functions": (
        "Ceilings",
        "UndefinedFigure",
        "ac1",
        "ac2",
        "alpha",
        "ceilings",
        "cohen_kappa",
        "fleiss_kappa",
        "gold_table",
        "icc",
        "leave_one_out",
        "split_half",
    ),
    "places": ("__version__",),
}
__all__ = [
    "Analysis",
    "AnnotatorTest",
    "ApiError",
    "Ceilings",
    "Client",
    "ExtraMissing",
    "NothingKept",
    "Refused",
    "TouchstoneError",
    "UndefinedFigure",
    "__version__",
    "ac1",
    "ac2",
    "alpha",
    "alternative_annotator_test",
    "analyse",
    "ceilings",
    "cohen_kappa",
    "compare_models",
    "fleiss_kappa",
    "gold_table",
    "icc",
    "leave_one_out",
    "split_half",
]

__getattr__ = late_imports(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
