"""The forms of the results page: how to analyse, whom to exclude and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypedDict, cast

from django import forms
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from agreement.cleaning.check_items import misfits
from agreement.cleaning.rule_set import DEFAULT, RuleSet, parse_rules
from agreement.errors import PAGE, Refused
from agreement.judgments.property_coding import words_in
from agreement.on_request import FURTHER
from agreement.on_request.further_analysis import FurtherAnalysis
from agreement.scoring.probe_format import Option, ProbeOptions
from agreement.scoring.probe_formats import OPTIONS, options_of
from agreement.typed_json import JsonObject
from annotation.models import Study
from annotation.models.text_fields import validate_line
from annotation.releases.actions.rule_sets import offered_rule_sets
from annotation.releases.from_database.reading_judgments import checks_of
from annotation.releases.summaries import MOST_REPLICATES, settings_of


class AnalyseForm(forms.Form):
    """Starts from the rules, seed and replicates of the study's last release; offers its own rules and shared ones."""

    rules = forms.ChoiceField(
        label="Rule set",
        widget=UnfoldAdminSelectWidget,
        error_messages={
            "invalid_choice": "This study has not used that rule set, and nobody shares it: choose another."
        },
    )
    toml = forms.CharField(
        label="Rules of your own",
        required=False,
        max_length=20_000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 8, "spellcheck": "false", "class": "t-code"}),
        help_text="Rules in TOML, used instead of the rule set above. They are stored under their name once used.",
    )
    seed = forms.IntegerField(label="Seed", min_value=0, max_value=2**31 - 1, widget=UnfoldAdminIntegerFieldWidget)
    replicates = forms.IntegerField(
        label="Replicates", min_value=100, max_value=MOST_REPLICATES, widget=UnfoldAdminIntegerFieldWidget
    )
    fixed_workers = forms.BooleanField(
        label="These workers are the population",
        required=False,
        widget=UnfoldBooleanWidget,
        help_text="For a few named experts: intervals are over items alone and say nothing of other people, and the"
        " kappas of pairs come first.",
    )
    refill = forms.ChoiceField(
        label="Places of excluded workers",
        required=False,
        choices=[("", "as in Setup"), ("yes", "open for others"), ("no", "stay closed")],
        widget=UnfoldAdminSelectWidget,
    )
    include_again = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: Mapping[str, object] | None = None, *, study: Study) -> None:
        last = settings_of(study)
        offered = offered_rule_sets(study)
        chosen = next((each.key for each in offered if each.sha256 == last.rules.sha256), DEFAULT)
        initial: dict[str, object] = {"rules": chosen, "seed": last.seed, "replicates": last.replicates}
        super().__init__(data, initial={**initial, "fixed_workers": last.fixed_workers})
        self.study, self.last, self.offered = study, last, {each.key: each for each in offered}
        rules = self.fields["rules"]
        assert isinstance(rules, forms.ChoiceField)  # noqa: S101 - for the type checker
        rules.choices = [(each.key, each.words) for each in offered]
        as_set = "open for others" if study.refills_after_exclusion else "stay closed"
        refill = self.fields["refill"]
        assert isinstance(refill, forms.ChoiceField)  # noqa: S101 - for the type checker
        refill.choices = [("", f"as in Setup: {as_set}"), ("yes", "open for others"), ("no", "stay closed")]
        self.fields |= further_fields(study, last.also)

    def clean_toml(self) -> str:
        toml = str(self.cleaned_data["toml"]).replace("\r\n", "\n")
        if toml.strip():
            try:
                parse_rules(toml, source="your rules")
            except Refused as refusal:
                raise forms.ValidationError(list(refusal.words(PAGE))) from refusal
        return toml.strip()

    def clean(self) -> dict[str, object]:
        """Whether the rules fit the study's checks is asked here, before anything is queued."""
        values = super().clean() or self.cleaned_data
        for field, reason in misread_fields(values):
            self.add_error(field, reason)
        if not self.errors:
            field = "toml" if values["toml"] else "rules"
            for reason in misfits(self.rule_set, checks_of(self.study)):
                self.add_error(field, reason)
        return values

    @property
    def toml_text(self) -> str:
        values = self.cleaned_data
        return str(values["toml"]) or self.offered[values["rules"]].toml

    @property
    def rule_set(self) -> RuleSet:
        return parse_rules(self.toml_text)

    @property
    def confirmed(self) -> list[str]:
        """The pseudonyms of those whom the person has agreed to include again."""
        return str(self.cleaned_data["include_again"]).split()

    @property
    def parameters(self) -> JsonObject:
        """What the job is asked with: the rules themselves, so that nothing that happens to a name changes it."""
        values = self.cleaned_data
        wanted: JsonObject = {"toml": self.toml_text, "seed": values["seed"], "replicates": values["replicates"]}
        wanted |= {"fixed_workers": values["fixed_workers"], "also": further_analyses(values)}
        refill: JsonObject = {"refill": values["refill"] == "yes"} if values["refill"] else {}
        return {**wanted, **refill, "include_again": sorted(self.confirmed)}


class ExcludeForm(forms.Form):
    pseudonym = forms.CharField(
        label="Worker",
        max_length=20,
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text="The worker's pseudonym, as in judgments.csv and workers.csv.",
    )
    reason = forms.CharField(
        label="Reason",
        max_length=2000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="Recorded in the study's audit log and in workers.csv of the next release.",
    )

    def __init__(
        self, data: Mapping[str, object] | None = None, *, study: Study, initial: dict[str, object] | None = None
    ) -> None:
        super().__init__(data, initial=initial)
        self.study = study

    def clean_pseudonym(self) -> str:
        pseudonym = str(self.cleaned_data["pseudonym"]).strip()
        person = self.study.participations.filter(pseudonym=pseudonym).first()
        if person is None:
            raise forms.ValidationError(f"Nobody in this study has the pseudonym {pseudonym}.")
        self.person = person
        return pseudonym


class ProbeForm(forms.Form):
    """With a field for each option that a format of outputs declares."""

    name = forms.CharField(
        label="Model",
        max_length=120,
        validators=[validate_line],
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"}),
        help_text="The name that the leaderboard shows.",
    )
    group = forms.CharField(
        label="Group",
        required=False,
        max_length=80,
        validators=[validate_line],
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"}),
        help_text="Models of one group, such as LM, are averaged on the leaderboard.",
    )
    file = forms.FileField(
        label="Its outputs",
        widget=UnfoldAdminFileFieldWidget(attrs={"accept": ".csv,.jsonl,.ndjson,.json,.eval,.parquet,text/csv"}),
        help_text="CSV or JSON Lines in UTF-8, whose columns are explained below; or a file as an endpoint or a harness"
        " wrote it.",
    )

    @property
    def options(self) -> ProbeOptions:
        return options_of({name: self.cleaned_data[name] or OPTIONS[name].default for name in OPTIONS})


class CodingFileForm(forms.Form):
    file = forms.FileField(
        label="The coding",
        widget=UnfoldAdminFileFieldWidget(attrs={"accept": ".csv,.jsonl,.ndjson,text/csv"}),
        help_text="CSV or JSON Lines in UTF-8. It replaces what is coded of the spellings in it, and of no others.",
    )


def _column_field(label: str) -> forms.CharField:
    return forms.CharField(
        label=label, required=False, max_length=200, help_text="Only if the file's own names don't tell it."
    )


class AuthenticityFileForm(forms.Form):
    file = forms.FileField(
        label="Prolific's file",
        widget=UnfoldAdminFileFieldWidget(attrs={"accept": ".csv,text/csv"}),
        help_text="The CSV file of the submissions, with a column of their ids and one for each check.",
    )
    session = _column_field("Column of the submissions' ids")
    texts = _column_field("Column of the check of free texts")
    automation = _column_field("Column of the check for automation")


class WordsField(forms.CharField):
    """Words, one on each line, as `words_in` reads them."""

    def clean(self, value: object) -> str:
        words = str(super().clean(value) or "")
        if not words.strip():
            return ""
        try:
            return words_in(words.encode(), "the words")
        except Refused as refusal:
            raise forms.ValidationError(list(refusal.words(PAGE))) from refusal


def _field_of(option: Option[bool] | Option[str]) -> forms.Field:
    if option.is_words:
        widget = UnfoldAdminTextareaWidget(attrs={"rows": 4, "spellcheck": "false"})
        words = "Only for lists: one word on each line. Candidates that are none of them are left aside."
        return WordsField(label=option.label, required=False, max_length=1_000_000, widget=widget, help_text=words)
    if option.is_text:
        return forms.CharField(
            label=option.label, required=False, max_length=500, widget=UnfoldAdminTextInputWidget,
            help_text=f"{option.help[:1].upper()}{option.help[1:]}.",
        )  # fmt: skip
    if not option.choices:
        return forms.BooleanField(label=option.label, required=False, widget=UnfoldBooleanWidget)
    return forms.ChoiceField(
        label=option.label,
        required=False,
        initial=option.default,
        choices=[(choice, choice) for choice in option.choices],
        widget=UnfoldAdminSelectWidget,
    )


ProbeForm.base_fields |= {name: _field_of(option) for name, option in OPTIONS.items()}


# The fields of the analyse form that ask for further analyses: which, and what each is asked with.

ALSO = "also"


class CommonArguments(TypedDict):
    """What the field of every argument is made with."""

    label: str
    required: bool
    initial: str


def further_fields(study: Study, last: Sequence[str]) -> dict[str, forms.Field]:
    """A list to choose from, and a field for each argument; they start as they were for the last release."""
    before = dict(key.partition(":")[::2] for key in last)
    fields: dict[str, forms.Field] = {
        ALSO: forms.MultipleChoiceField(
            label="Further analyses",
            required=False,
            initial=list(before),
            choices=[(name, _description(each)) for name, each in FURTHER.items()],
            widget=forms.CheckboxSelectMultiple(attrs={"class": "t-choices"}),
            help_text="Each adds its tables and a paragraph of methods; docs/further-analyses.md explains them.",
        )
    }
    questions = [question.name for question in study.end_questions.order_by("position") if question.choices]
    for name, each in FURTHER.items():
        if each.argument is None:
            continue
        label = f"{each.title.rstrip('?')}: {each.argument.label}"
        common: CommonArguments = {"label": label, "required": False, "initial": before.get(name, "")}
        if each.reads_workers:
            choices = [("", "–"), *((question, question) for question in questions)]
            help_text = "A question about the person that the study asks at its end; groups below five are left out."
            field: forms.Field = forms.ChoiceField(
                choices=choices, widget=UnfoldAdminSelectWidget, help_text=help_text, **common
            )
        else:
            help_text = f"{each.argument.help[:1].upper()}{each.argument.help[1:]}."
            widget = UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"})
            field = forms.CharField(max_length=80, widget=widget, help_text=help_text, **common)
        fields[field_of(name)] = field
    return fields


def _description(analysis: FurtherAnalysis) -> str:
    asks = "" if analysis.title.endswith("?") else f": {analysis.asks[:1].lower()}{analysis.asks[1:]}"
    return f"{analysis.title}{asks} It needs {analysis.needs}."


def field_of(name: str) -> str:
    """The field of that analysis's argument."""
    return f"{ALSO}_{name.replace('-', '_')}"


def _chosen_analyses(values: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """The chosen analyses, each with its argument or ""."""
    for name in cast("Sequence[str]", values.get(ALSO) or ()):
        yield name, str(values.get(field_of(name)) or "").strip()


def further_analyses(values: Mapping[str, object]) -> list[str]:
    """The analyses that were chosen, as `--also` names them."""
    return [f"{name}:{argument}" if argument else name for name, argument in _chosen_analyses(values)]


def misread_fields(values: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Each field of a chosen analysis that can't be read, and why."""
    for name, argument in _chosen_analyses(values):
        takes = FURTHER[name].argument
        if takes is None:
            continue
        if not argument:
            if takes.is_needed:
                yield field_of(name), f"{FURTHER[name].title} needs this: {takes.label}."
            continue
        try:
            takes.read(argument)
        except Refused as refused:
            yield field_of(name), str(refused)
