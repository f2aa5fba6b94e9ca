"""A rule set as a form: a form for each rule, with the fields that its kind declares; what was typed stays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, replace
from decimal import Decimal, InvalidOperation

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict

from agreement.cleaning.check_items import Checks, misfits
from agreement.cleaning.rule import NotOne, Parameter, Rule
from agreement.cleaning.rule_set import LONGEST_NAME, RuleSet, as_toml, built_in_names, load_rules, parse_rules
from agreement.cleaning.rules import RULES
from agreement.errors import PAGE, Refused
from agreement.typical_filters import FILTERS
from annotation.models.text_fields import validate_line

MOST_RULES = 30
CHECK, EXPECTED = "check", "expected"
LONGEST_NUMBER = 30


class CountField(forms.Field):
    is_number = True

    def to_python(self, value: str | None) -> int:
        value = value or ""
        if not (value or "0").isdecimal() or len(value) > LONGEST_NUMBER:
            raise ValidationError(f"'{value}' is not a whole number of 0 or more.")
        return int(value or 0)


class ParameterField(forms.Field):
    """One parameter of a rule. `choices` are offered beside what may be typed."""

    def __init__(self, name: str, label: str, parameter: Parameter, checks: Checks) -> None:
        super().__init__(required=False, label=label, help_text="Empty: all check items." if name == CHECK else "")
        self.parameter, self.unit = parameter, parameter.unit
        self.is_number = name not in (CHECK, EXPECTED)
        self.choices: Sequence[str] = {CHECK: checks.names, EXPECTED: checks.labels}.get(name, ())

    def to_python(self, value: str | None) -> object:
        try:
            return self.parameter.read(_number(value) if self.is_number else value) if value else None
        except NotOne as why:
            raise ValidationError(f"{self.label}: {why}.") from why


class RuleForm(forms.Form):
    """`rule` is None while something is wrong, or missing from a rule that was just added, which is no error yet."""

    rule: Rule | None = None

    def __init__(self, typed: Mapping[str, str], checks: Checks, *, position: int, is_new: bool) -> None:
        self.of = kind = RULES[typed["kind"]]
        self.position, self.is_new = position, is_new
        self.kind, self.title, self.looks_at_others = kind.kind, kind.title, kind.selects_on_outcome
        self.about = " ".join((kind.__doc__ or "").split())
        texts = {name: typed.get(name, "").strip() for name in kind.parameters()}
        super().__init__({f"rule-{position}-{name}": text for name, text in texts.items()}, prefix=f"rule-{position}")
        suited = kind.parameters_for(checks.kind)
        for name, parameter in kind.parameters().items():
            if name in suited or texts[name]:
                self.fields[name] = ParameterField(name, kind.words[name], parameter, checks)

    def clean(self) -> None:
        if self.errors:
            return
        values = {name: value for name, value in self.cleaned_data.items() if value is not None}
        if not (wrong := "; ".join([*self.of.wrong_together(values), *_missing_parameters(self.of, values)])):
            self.rule = self.of(**values)
        elif not self.is_new:
            sentence = _sentence_in_form_words(self.of, wrong)
            raise ValidationError(f"{sentence[:1].upper()}{sentence[1:]}.")


class RulesForm(forms.Form):
    """`rule_set` is None while something is wrong; errors that belong to no single field are the form's own."""

    name = forms.CharField(
        label="Name of the rule set",
        help_text="It is cited by this name.",
        max_length=LONGEST_NAME,
        validators=[validate_line],
        error_messages={
            "required": "A rule set is cited by its name: give it one.",
            "max_length": f"The name has more than {LONGEST_NAME} characters: shorten it.",
        },
    )
    minimum_checks = CountField(label="Fewest checks for a verdict", required=False)
    drop_unchecked = forms.BooleanField(required=False)
    unused_checks = forms.Field(required=False, widget=forms.SelectMultiple)
    typical = forms.CharField(required=False)
    version = forms.CharField(required=False)
    rule_set: RuleSet | None = None

    def __init__(
        self, data: Mapping[str, object], rules: Sequence[Mapping[str, str]], checks: Checks, *, is_new: bool = False
    ) -> None:
        """`is_new`: the last rule was just added."""
        super().__init__(dict(data))
        last = len(rules) - 1 if is_new else None
        self.checks = checks
        self.rules = [
            RuleForm(typed, checks, position=position, is_new=position == last) for position, typed in enumerate(rules)
        ]
        self.full_clean()

    @property
    def toml(self) -> str:
        return "" if self.rule_set is None else as_toml(self.rule_set)

    @property
    def can_be_added(self) -> list[tuple[str, str]]:
        """The kinds of rule that suit the study, with their titles."""
        kind = self.checks.kind
        return sorted((name, rule.title) for name, rule in RULES.items() if rule.parameters_for(kind))

    def clean(self) -> None:
        """Puts the set together, and asks whether it fits the study's checks."""
        rules = [each.rule for each in self.rules if each.is_valid() and each.rule is not None]
        if self.errors or len(rules) < len(self.rules):
            return
        typed = self.cleaned_data
        rule_set = RuleSet(
            name=typed["name"],
            version=typed["version"] or "1",
            drop_unchecked=typed["drop_unchecked"],
            minimum_checks=typed["minimum_checks"],
            rules=tuple(rules),
            unused_checks=tuple(typed["unused_checks"]),
            typical=next((each for each in FILTERS if each == typed["typical"]), None),
        )
        if rule_set.name in built_in_names() and load_rules(rule_set.name).sha256 != rule_set.sha256:
            # Two rule sets of one name, one of them known to every reader, would be taken for each other.
            rule_set = replace(rule_set, name=f"{rule_set.name}, changed")
            self.data = {**self.data, "name": rule_set.name}
        try:
            parsed = parse_rules(as_toml(rule_set), source="These rules")
        except Refused as refusal:
            raise ValidationError(list(refusal.words(PAGE))) from refusal
        if reasons := list(misfits(parsed, self.checks)):
            raise ValidationError(reasons)
        self.rule_set = parsed


def form_of(rules: RuleSet, checks: Checks) -> RulesForm:
    """The form that a rule set fills in."""
    data = {
        "name": rules.name,
        "version": rules.version,
        "minimum_checks": str(rules.minimum_checks),
        "drop_unchecked": rules.drop_unchecked,
        "typical": rules.typical or "",
        "unused_checks": list(rules.unused_checks),
    }
    typed = [{name: str(value) for name, value in rule.canonical().items()} for rule in rules.rules]
    return RulesForm(data, typed, checks)


def form_from(post: QueryDict, checks: Checks) -> RulesForm:
    """The form as it was sent, with a rule added or removed if that was the button."""
    texts = {name: str(post.get(name, "")).strip() for name in RulesForm.base_fields}
    data = {**texts, "version": texts["version"] or "1", "unused_checks": post.getlist("unused_checks")}
    typed = list(_typed_rules(post))
    added = str(post.get("add", ""))
    if is_new := added in RULES and len(typed) < MOST_RULES:
        typed.append({"kind": added})
    return RulesForm(data, typed, checks, is_new=is_new)


def _typed_rules(post: QueryDict) -> Iterator[dict[str, str]]:
    """What was typed into each rule, its kind included; not of one that is to be removed."""
    n = post.get("n", "")
    count = min(int(n), MOST_RULES) if n.isascii() and n.isdecimal() and len(n) < 4 else 0
    for number in range(count):
        prefix = f"rule-{number}-"
        typed = {name.removeprefix(prefix): str(text) for name, text in post.items() if name.startswith(prefix)}
        if typed.get("kind") in RULES and str(number) != post.get("remove"):
            yield typed


def _missing_parameters(kind: type[Rule], values: Mapping[str, object]) -> Iterator[str]:
    """Parameters without a default that were left empty, where the rule doesn't say so itself."""
    if values:
        needed = [each.name for each in fields(kind) if each.default is MISSING]  # type: ignore[arg-type]
        yield from (f"{name} is missing" for name in needed if name not in values)


def _sentence_in_form_words(kind: type[Rule], sentence: str) -> str:
    """The same sentence with the parameters as the form calls them, the longest names first."""
    for name in sorted(kind.words, key=len, reverse=True):
        if "_" in name:
            sentence = sentence.replace(name, f"“{kind.words[name]}”")
    return sentence


def _number(text: str) -> object:
    """A number as people type it, with a comma or a point; a whole one as `int`."""
    if len(text) > LONGEST_NUMBER:
        return text
    try:
        number = Decimal(text.replace(",", "."))
    except InvalidOperation:
        return text
    is_whole = number.is_finite() and number == number.to_integral_value() and abs(number) < 10**12
    return int(number) if is_whole else number
