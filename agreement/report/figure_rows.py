"""A report's figures as rows for people: numbers with their intervals, and in words whatever is undefined."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..kinds.words import words_of
from ..scoring.metrics import title_of

NAMES = (
    ("Krippendorff's alpha, interval", ("krippendorff_alpha", "interval")),
    ("Krippendorff's alpha, ordinal", ("krippendorff_alpha", "ordinal")),
    ("Krippendorff's alpha, nominal", ("krippendorff_alpha", "nominal")),
    ("Krippendorff's alpha, ratio", ("krippendorff_alpha", "ratio")),
    ("Fleiss' kappa", ("fleiss_kappa",)),
    ("ICC(1,1), one judgment", ("icc1",)),
    ("ICC(1,k), the mean of an item", ("icc1k",)),
    ("Split-half reliability, stepped up", ("split_half",)),
    ("Cohen's kappa", ("cohen_kappa",)),
    ("Cohen's kappa, linear weights", ("weighted_kappa", "linear")),
    ("Cohen's kappa, quadratic weights", ("weighted_kappa", "quadratic")),
)
INCLUSIVE = "Inclusive agreement, not a bound"
CEILINGS = (
    ("The most that any model can correlate with this gold", "upper_bound"),
    ("Pairs of workers, on average", "pairwise"),
    ("Noise ceiling, lower", "noise_lower"),
    ("Noise ceiling, upper", "noise_upper"),
)


@dataclass(frozen=True, slots=True)
class FigureCell:
    """One figure: `number` and `interval` where there is one, else `words` that say why not."""

    number: str = ""
    interval: str = ""
    words: str = ""
    method: str = ""
    n: int | None = None
    notes: tuple[str, ...] = ()
    without_busiest: str = ""
    without_influential: str = ""  # the figure without the worker who moves it most, and that worker
    item_interval: str = ""  # "for these workers": narrower than it should be for any others
    nu_w: float | None = None  # the effective number of workers behind the interval
    parts: str = ""  # P and P_e of a kappa


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    raw: FigureCell
    cleaned: FigureCell
    is_first: bool = False

    @property
    def is_undefined(self) -> bool:
        """Whether it has no figure at all, before or after cleaning."""
        return bool(self.raw.words and self.cleaned.words)

    @property
    def how(self) -> str:
        """The method, without the statistic's name where it begins with it."""
        return self.cleaned.method.removeprefix(f"{self.name}; ")


def shown(figure: Mapping[str, Any] | None) -> FigureCell:
    """A figure of report.json.

    >>> shown({"estimate": 0.43024, "low": 0.381, "high": 0.48, "n": 30, "method": "two-way jackknife"}).interval
    '0.381 to 0.480'
    >>> shown({"undefined": "every judgment is the same label"}).words
    'undefined: every judgment is the same label'
    """
    if figure is None:
        return FigureCell(words="not part of this report")
    notes = tuple(figure.get("notes", ()))
    if "undefined" in figure:
        return FigureCell(words=f"undefined: {figure['undefined']}", notes=notes)
    without, items = figure.get("without_busiest_worker"), figure.get("item_bca") or figure.get("item_percentile")
    return FigureCell(
        number=f"{figure['estimate']:.3f}",
        interval=_interval(figure),
        method=figure.get("method", ""),
        n=figure.get("n"),
        notes=notes,
        without_busiest="" if without is None else (shown(without).number or shown(without).words),
        without_influential=_without_influential(figure),
        item_interval="" if items is None else _interval(items),
        nu_w=figure.get("nu_w"),
        parts=f"P {figure['P']:.3f}, P_e {figure['P_e']:.3f}" if figure.get("P") is not None else "",
    )


def _without_influential(figure: Mapping[str, Any]) -> str:
    one = figure.get("most_influential_worker")
    return f"{one['estimate']:.3f} ({one['worker']})" if one else ""


def _interval(figure: Mapping[str, Any]) -> str:
    low, high = figure.get("low"), figure.get("high")
    return "no interval" if low is None or high is None else f"{low:.3f} to {high:.3f}"


def agreement_rows(report: Mapping[str, Any]) -> list[Row]:
    """Agreement raw and cleaned side by side, the statistic that suits the kind of question first."""
    first = report.get("agreement", {}).get("cleaned", {}).get("first", "")
    rows = [
        Row(name, shown(raw), shown(cleaned), is_first=".".join(path) == first)
        for name, path, raw, cleaned in agreement_figures(report)
    ]
    return sorted(rows, key=lambda row: not row.is_first)


def statistic_name(path: str) -> str:
    """What the figure at this path of an agreement report is called.

    >>> statistic_name("krippendorff_alpha.interval")
    "Krippendorff's alpha, interval"
    """
    known = {".".join(names): name for name, names in NAMES}
    return known.get(path, path.replace("_", " ").replace(".", ", ").capitalize())


Figure = Mapping[str, Any]


def agreement_figures(report: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...], Figure | None, Figure | None]]:
    """Each statistic's name, its place in the report, and its figure of all judgments and of those that are kept."""
    agreement = report.get("agreement", {})
    raw, cleaned = agreement.get("raw", {}), agreement.get("cleaned", {})
    for name, path in (*NAMES, *_of_the_kind_alone(report)):
        figures = _at(raw, path), _at(cleaned, path)
        if figures != (None, None):
            yield name, path, *figures


def _of_the_kind_alone(report: Mapping[str, Any]) -> list[tuple[str, tuple[str, ...]]]:
    """The figures that the report's kind of question has beside those that several kinds have."""
    figures = words_of(report["kind"]).figures if "kind" in report else ()
    known = {path for _, path in NAMES}
    return [(name, path) for name, path in figures if path not in known]


def ceiling_rows(report: Mapping[str, Any]) -> Iterator[tuple[str, FigureCell]]:
    """How well people do, for people."""
    for name, figure in ceiling_figures(report):
        yield name, shown(figure)


def ceiling_figures(report: Mapping[str, Any]) -> Iterator[tuple[str, Figure]]:
    """How well people do: leave-one-out in its three forms, and the most that a model can reach."""
    ceiling = report.get("ceiling", {})
    left_out = ceiling.get("leave_one_out", {})
    forms = (
        ("A person against the others' gold (leave-one-out, mean)", "mean"),
        ("The same, weighted by judgments", "weighted"),
        ("The same, pooled over all judgments", "pooled"),
    )
    for name, form in forms:
        if form in left_out:
            yield name, left_out[form]
    for name, key in CEILINGS:
        if key in ceiling:
            figure = ceiling[key]
            # The upper noise ceiling is a bound only beside a lower one; elsewhere its method says what it is.
            is_no_bound = key == "noise_upper" and figure.get("method", "").startswith(INCLUSIVE.lower())
            yield INCLUSIVE if is_no_bound else name, figure


SIZES = (
    ("k, mean", "k", "k"),
    ("k, standard deviation", "sd", "sd"),
    ("Verdicts given without regard to size", "lapse", ""),
    ("Verdicts that a sharp threshold at people's k gives", "sharp_right", ""),
)


def size_rows(report: Mapping[str, Any]) -> Iterator[tuple[str, FigureCell, str]]:
    """The threshold fitted to people's verdicts on size, and what the literature has beside it."""
    found = report.get("size_threshold", {})
    if "undefined" in found:
        yield "k", shown(found), ""
    elif found:
        for name, key, known in SIZES:
            yield name, shown(found[key]), str(found["literature"].get(known, ""))


def metric_name(report: Mapping[str, Any]) -> str:
    metric = str(report.get("ceiling", {}).get("leave_one_out", {}).get("metric", ""))
    return title_of(metric)


def beside(report: Mapping[str, Any]) -> list[str]:
    """What stands always beside the figures: how unevenly people worked, and what the report notes."""
    cleaned = report.get("agreement", {}).get("cleaned", {})
    counts = cleaned.get("counts", {})
    said = []
    if counts.get("judgments_per_worker_median") is not None:
        least, most = counts["judgments_per_worker_min"], counts["judgments_per_worker_max"]
        middle = f"from {least} to {most}, median {counts['judgments_per_worker_median']:g}"
        said.append(f"Each worker gave {most} judgments." if least == most else f"Judgments per worker: {middle}.")
    if counts.get("busiest_share") is not None:
        said.append(f"The busiest worker gave {counts['busiest_share']:.1%} of all judgments.")
    compared = cleaned.get("double_entry", {})
    if compared.get("comparisons"):
        figures = compared_figures(compared["comparisons"])
        packages = ", ".join(dict.fromkeys(f"{each['package']} {each['version']}" for each in compared["comparisons"]))
        said.append(
            f"Cross-check: {figures} recomputed with {packages};"
            f" the largest difference is {compared['largest_difference']:.1g}."
        )
    said += [f"{note[:1].upper()}{note[1:].rstrip('.')}." for note in cleaned.get("notes", ())]
    return said


def compared_figures(comparisons: Sequence[Mapping[str, Any]]) -> str:
    """Which kinds of figures were compared, of whatever label or level.

    >>> compared_figures([{"statistic": "krippendorff_alpha.nominal"}, {"statistic": "fleiss_kappa of red"}])
    "Krippendorff's alpha and Fleiss' kappa"
    """
    said = {"fleiss_kappa": "Fleiss' kappa", "krippendorff_alpha": "Krippendorff's alpha"}
    heads = dict.fromkeys(one["statistic"].partition(" of ")[0].partition(".")[0] for one in comparisons)
    return " and ".join(said.get(head, head) for head in heads)


def paragraphs(methods: str) -> list[list[str]]:
    r"""The methods text without its heading: a paragraph is one text, a list has a text for each of its points.

    >>> paragraphs("# Methods: x\n\nTen people came.\n\n- kappa: .4\n- alpha: .5")
    [['Ten people came.'], ['kappa: .4', 'alpha: .5']]
    """
    parts = [part for part in methods.strip().split("\n\n") if not part.startswith("# ")]
    return [[line.removeprefix("- ") for line in part.splitlines()] for part in parts]


def evidence_text(evidence: Mapping[str, Any] | str) -> str:
    """Item, answer and bound of one failure.

    >>> evidence_text({"item_id": "unrelated-on", "answer": "74", "bound": "at most 60"})
    'unrelated-on: answered 74, at most 60'
    """
    if isinstance(evidence, str):
        return evidence
    where = f"{evidence['item_id']}: answered " if evidence.get("item_id") else ""
    return f"{where}{evidence.get('answer', '')}, {evidence.get('bound', '')}"


def _at(report: Mapping[str, Any], path: tuple[str, ...]) -> Mapping[str, Any] | None:
    found: Mapping[str, Any] | None = report
    for name in path:
        found = found.get(name) if isinstance(found, Mapping) else None
    return found
