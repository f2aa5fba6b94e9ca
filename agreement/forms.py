"""The forms of the results page: how to analyse, whom to set aside and why."""

from typing import Any, get_args

from django import forms
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from agreement.analysis.analysis import DEFAULT_REPLICATES, DEFAULT_SEED
from agreement.cleaning.ruleset import DEFAULT, RuleSet, built_in_names, built_in_toml, parse_rules
from agreement.scoring.perplexity import LogBase
from agreement.scoring.probe_file import ProbeOptions
from agreement.scoring.vectors import Similarity, Transform
from annotation.errors import Refused
from annotation.models import Study

MOST_REPLICATES = 10_000


class AnalyseForm(forms.Form):
    rules = forms.ChoiceField(label="Rule set", initial=DEFAULT, widget=UnfoldAdminSelectWidget)
    toml = forms.CharField(
        label="Rules of your own",
        required=False,
        max_length=20_000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 4, "spellcheck": "false"}),
        help_text="TOML; used in the place of the rule set.",
    )
    seed = forms.IntegerField(
        label="Seed", initial=DEFAULT_SEED, min_value=0, max_value=2**31 - 1, widget=UnfoldAdminIntegerFieldWidget
    )
    replicates = forms.IntegerField(
        label="Replicates",
        initial=DEFAULT_REPLICATES,
        min_value=100,
        max_value=MOST_REPLICATES,
        widget=UnfoldAdminIntegerFieldWidget,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rules = self.fields["rules"]
        assert isinstance(rules, forms.ChoiceField)  # noqa: S101 - for the type checker
        rules.choices = [(name, name) for name in built_in_names()]

    def clean_toml(self) -> str:
        toml = str(self.cleaned_data["toml"])
        if toml.strip():
            try:
                parse_rules(toml, source="your rules")
            except Refused as refusal:
                raise forms.ValidationError(list(refusal.reasons)) from refusal
        return toml.strip()

    @property
    def rule_set(self) -> RuleSet:
        given = self.cleaned_data
        return parse_rules(given["toml"] or built_in_toml(given["rules"]))

    @property
    def parameters(self) -> dict[str, Any]:
        """What the job is asked with: rules of one's own go before a built-in set."""
        given = self.cleaned_data
        rules = {"toml": given["toml"]} if given["toml"] else {"rules": given["rules"]}
        return {**rules, "seed": given["seed"], "replicates": given["replicates"]}


class ExcludeForm(forms.Form):
    pseudonym = forms.CharField(
        label="Worker",
        max_length=20,
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text="The pseudonym, as in judgments.csv and workers.csv.",
    )
    reason = forms.CharField(
        label="Reason",
        max_length=2000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="Goes into the study's record and into workers.csv of the next release.",
    )

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.study = study

    def clean_pseudonym(self) -> str:
        pseudonym = str(self.cleaned_data["pseudonym"]).strip()
        person = self.study.participations.filter(pseudonym=pseudonym).first()
        if person is None:
            raise forms.ValidationError(f"Nobody in this study has the pseudonym {pseudonym}.")
        self.person = person
        return pseudonym


class ProbeForm(forms.Form):
    name = forms.CharField(
        label="Model",
        max_length=120,
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"}),
        help_text="As it should stand on the leaderboard.",
    )
    file = forms.FileField(
        label="Its outputs",
        widget=UnfoldAdminFileFieldWidget(attrs={"accept": ".csv,.jsonl,.ndjson,text/csv"}),
        help_text="CSV or JSON Lines in UTF-8; what the columns say is listed below.",
    )
    normalise = forms.BooleanField(
        label="Make each item's probabilities sum to 1", required=False, widget=UnfoldBooleanWidget
    )
    transform = forms.ChoiceField(
        label="Vectors as they are, or",
        choices=[(name, name) for name in get_args(Transform)],
        widget=UnfoldAdminSelectWidget,
    )
    similarity = forms.ChoiceField(
        label="Similarity of two vectors",
        choices=[(name, name) for name in get_args(Similarity)],
        widget=UnfoldAdminSelectWidget,
    )
    log_base = forms.ChoiceField(
        label="Base of log probabilities",
        initial="e",
        choices=[(name, name) for name in get_args(LogBase)],
        widget=UnfoldAdminSelectWidget,
    )

    @property
    def options(self) -> ProbeOptions:
        given = self.cleaned_data
        return ProbeOptions(given["normalise"], given["transform"], given["similarity"], given["log_base"])
