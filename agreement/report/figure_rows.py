"""A report's figures as rows for people: numbers with their intervals, and in words whatever is undefined."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..estimation.estimate import Estimate, Figure, Undefined
from ..kinds.statistics import words_of
from ..on_request.further_analysis import FurtherReport
from ..people.agreement_report import Comparison, Kappa, Path, Statistic
from ..scoring.metrics import title_of
from .people_and_models import FigureWithout
from .report import Report

NAMES: tuple[tuple[str, Path], ...] = (
    ("Krippendorff's alpha, interval", ("krippendorff_alpha", "interval")),
    ("Krippendorff's alpha, ordinal", ("krippendorff_alpha", "ordinal")),
    ("Krippendorff's alpha, nominal", ("krippendorff_alpha", "nominal")),
    ("Krippendorff's alpha, ratio", ("krippendorff_alpha", "ratio")),
    ("Fleiss' kappa", ("fleiss_kappa",)),
    ("Gwet's AC1", ("gwet_ac1",)),
    ("Kappa against 1/k of each item's own labels", ("own_label_kappa",)),
    ("ICC(1,1), one judgment", ("icc1",)),
    ("ICC(1,k), the mean of an item", ("icc1k",)),
    ("Reliability of the gold as released", ("gold_reliability",)),
    ("Split-half reliability, stepped up", ("split_half",)),
    ("Cohen's kappa", ("cohen_kappa",)),
    ("Cohen's kappa, linear weights", ("weighted_kappa", "linear")),
    ("Cohen's kappa, quadratic weights", ("weighted_kappa", "quadratic")),
)
KAPPA: Path = ("fleiss_kappa",)
ASKED_FOR_BY = "coefficients"  # the analysis on request with which the figures below are printed too
OF_NO_BOUND = "inclusive agreement, not a bound"  # as the method of that figure begins
INCLUSIVE = "Agreement with a mean that includes oneself (no limit for models)"


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


def figure_cell(figure: Figure | Statistic | Kappa | FigureWithout | None) -> FigureCell:
    """A figure for people.

    >>> figure_cell(Estimate(0.43024, 0.381, 0.48, 30, "two-way jackknife")).interval
    '0.381 to 0.480'
    >>> figure_cell(Undefined("every judgment is the same label")).words
    'undefined: every judgment is the same label'
    """
    if figure is None:
        return FigureCell(words="not part of this report")
    if isinstance(figure, Kappa):
        cell = figure_cell(figure.statistic)
        has_parts = figure.P is not None and cell.number
        return replace(cell, parts=f"P {figure.P:.3f}, P_e {figure.P_e:.3f}") if has_parts else cell
    statistic = figure if isinstance(figure, Statistic) else None
    headline = figure.headline if isinstance(figure, Statistic) else figure
    notes = statistic.notes if statistic else ()
    if isinstance(headline, Undefined):
        return FigureCell(words=f"undefined: {headline.why}", notes=notes)
    number = FigureCell(number=f"{headline.estimate:.3f}", interval=_interval(headline))
    if isinstance(headline, FigureWithout):
        return number
    influential = headline.told_without
    number = replace(
        number,
        method=headline.method,
        n=headline.n,
        without_influential="" if influential is None else f"{influential.estimate:.3f} ({influential.worker})",
    )
    if statistic is None:
        return number
    without, items = statistic.without_busiest, statistic.item_bca or statistic.item_percentile
    return replace(
        number,
        notes=notes,
        without_busiest="" if without is None else (figure_cell(without).number or figure_cell(without).words),
        item_interval="" if items is None else _interval(items),
        nu_w=statistic.nu_w,
    )


def _interval(figure: Estimate | FigureWithout) -> str:
    low, high = figure.low, figure.high
    return "no interval" if low is None or high is None else f"{low:.3f} to {high:.3f}"


def printed_figure(figure: FigureCell) -> str:
    """An estimate with its interval in brackets, without a zero before the point, or why there is none.

    >>> printed_figure(FigureCell(number="0.430", interval="0.381 to 0.480"))
    '.430 (.381 to .480)'
    >>> printed_figure(FigureCell(words="undefined: one label"))
    'undefined: one label'
    """
    if figure.words:
        return figure.words
    return f"{short_number(figure.number)} ({short_number(figure.interval)})"


def short_number(text: str) -> str:
    """Without a zero before the point.

    >>> short_number("-0.044 to 0.430")
    '-.044 to .430'
    """
    return " ".join(part.replace("0.", ".", 1) if part.lstrip("-").startswith("0.") else part for part in text.split())


def agreement_rows(report: Report) -> list[Row]:
    """Agreement raw and cleaned side by side, the statistic that suits the kind of question first."""
    agreement = report.results.agreement
    rows = []
    on_request = figures_on_request(report)
    for name, path, raw, cleaned in agreement_figures(report):
        if path in on_request:
            continue
        is_first = ".".join(path) == agreement.cleaned.leading
        before, after = (
            (agreement.raw.fleiss_kappa, agreement.cleaned.fleiss_kappa) if path == KAPPA else (raw, cleaned)
        )
        rows.append(Row(name, figure_cell(before), figure_cell(after), is_first=is_first))
    return sorted(rows, key=lambda row: not row.is_first)


def figures_on_request(report: Report) -> set[Path]:
    """Where the figures are that report.json has and people see where they ask for other coefficients alone.

    ICC(1,k) at k0, beside which the reliability of the gold is the one figure of that name, and alpha at levels that
    don't suit the answers.
    """
    if any(isinstance(one, FurtherReport) and one.analysis == ASKED_FOR_BY for one in report.results.further):
        return set()
    agreement = report.results.agreement
    words = words_of(report.question.kind)
    suited = {path for _, path in (*words.figures, *words.figures_if_defined)}
    suited |= {tuple(agreement.cleaned.first.split("."))}
    if agreement.cleaned.weighted_kappa:
        suited.add(("krippendorff_alpha", "ordinal"))
    hidden = {path for path in agreement.cleaned.statistics() if path[0] == "krippendorff_alpha"} - suited
    return hidden | ({("icc1k",)} if agreement.cleaned.gold_reliability is not None else set())


def statistic_name(path: str) -> str:
    """What the figure at this path of an agreement report is called.

    >>> statistic_name("krippendorff_alpha.interval")
    "Krippendorff's alpha, interval"
    """
    known = {".".join(names): name for name, names in NAMES}
    return known.get(path, path.replace("_", " ").replace(".", ", ").capitalize())


def agreement_figures(report: Report) -> Iterator[tuple[str, Path, Statistic | None, Statistic | None]]:
    """Each statistic's name, its place in the report, and its figure of all judgments and of those that are kept."""
    agreement = report.results.agreement
    raw, cleaned = agreement.raw.statistics(), agreement.cleaned.statistics()
    for name, path in (*NAMES, *_of_the_kind_alone(report)):
        if path in raw or path in cleaned:
            yield name, path, raw.get(path), cleaned.get(path)


def _of_the_kind_alone(report: Report) -> list[tuple[str, Path]]:
    """The figures that the report's kind of question has beside those that several kinds have."""
    known = {path for _, path in NAMES}
    return [(name, path) for name, path in words_of(report.question.kind).figures if path not in known]


def ceiling_rows(report: Report) -> Iterator[tuple[str, FigureCell]]:
    """How well people do, for people."""
    for name, figure in ceiling_figures(report):
        yield name, figure_cell(figure)


def ceiling_figures(report: Report) -> Iterator[tuple[str, Figure]]:
    """How well people do: leave-one-out in its three forms, and the most that a model can reach."""
    ceiling = report.results.ceiling
    left_out = ceiling.leave_one_out
    yield "A person against the others' gold (leave-one-out, mean)", left_out.mean
    yield "The same, weighted by judgments", left_out.weighted
    yield "The same, pooled over all judgments", left_out.pooled
    yield "The most that any model can correlate with this gold", ceiling.upper_bound
    yield "Pairs of workers, on average", ceiling.pairwise
    yield "Noise ceiling, lower", ceiling.noise_lower
    # The upper noise ceiling is a bound only beside a lower one; elsewhere its method says what it is.
    upper = ceiling.noise_upper
    is_no_bound = isinstance(upper, Estimate) and upper.method.startswith(OF_NO_BOUND)
    yield INCLUSIVE if is_no_bound else "Noise ceiling, upper", upper


def size_rows(report: Report) -> Iterator[tuple[str, FigureCell, str]]:
    """The threshold fitted to people's verdicts on size, and what the literature has beside it."""
    fit = report.results.size_threshold
    if isinstance(fit, Undefined):
        yield "k", figure_cell(fit), ""
    elif fit is not None:
        yield "k, mean", figure_cell(fit.k), str(fit.literature.k)
        yield "k, standard deviation", figure_cell(fit.sd), str(fit.literature.sd)
        yield "Verdicts given without regard to size", figure_cell(fit.lapse), ""
        yield "Verdicts that a sharp threshold at people's k gives", figure_cell(fit.sharp_right), ""


def metric_name(report: Report) -> str:
    return title_of(report.results.ceiling.leave_one_out.metric)


def other_lines(report: Report) -> list[str]:
    """What stands always beside the figures: how unevenly people worked, and what the report notes."""
    cleaned = report.results.agreement.cleaned
    counts, compared = cleaned.counts, cleaned.double_entry
    least, most = counts.judgments_per_worker_min, counts.judgments_per_worker_max
    middle = f"from {least} to {most}, median {counts.judgments_per_worker_median:g}"
    lines = [f"Each worker gave {most} judgments." if least == most else f"Judgments per worker: {middle}."]
    if counts.busiest_share is not None:
        lines.append(f"The busiest worker gave {counts.busiest_share:.1%} of all judgments.")
    if compared.comparisons:
        figures = compared_figures(compared.comparisons)
        packages = ", ".join(dict.fromkeys(f"{each.package} {each.version}" for each in compared.comparisons))
        lines.append(
            f"Cross-check: {figures} recomputed with {packages};"
            f" the largest difference is {compared.largest_difference:.1g}."
        )
    lines += [f"{note[:1].upper()}{note[1:].rstrip('.')}." for note in cleaned.notes]
    return lines


def compared_figures(comparisons: Sequence[Comparison]) -> str:
    """Which kinds of figures were compared, of whatever label or level: "Krippendorff's alpha and Fleiss' kappa"."""
    spoken = {"fleiss_kappa": "Fleiss' kappa", "krippendorff_alpha": "Krippendorff's alpha"}
    heads = dict.fromkeys(one.statistic.partition(" of ")[0].partition(".")[0] for one in comparisons)
    return " and ".join(spoken.get(head, head) for head in heads)


def paragraphs(methods: str) -> list[list[str]]:
    r"""The methods text without its heading: a paragraph is one text, a list has a text for each of its points.

    >>> paragraphs("# Methods: x\n\nTen people came.\n\n- kappa: .4\n- alpha: .5")
    [['Ten people came.'], ['kappa: .4', 'alpha: .5']]
    """
    parts = [part for part in methods.strip().split("\n\n") if not part.startswith("# ")]
    return [[line.removeprefix("- ") for line in part.splitlines()] for part in parts]


def evidence_text(evidence: Mapping[str, str] | str) -> str:
    """Item, answer and bound of one failure.

    >>> evidence_text({"item_id": "unrelated-on", "answer": "74", "bound": "at most 60"})
    'unrelated-on: answered 74, at most 60'
    """
    if isinstance(evidence, str):
        return evidence
    where = f"{evidence['item_id']}: answered " if evidence.get("item_id") else ""
    return f"{where}{evidence.get('answer', '')}, {evidence.get('bound', '')}"
