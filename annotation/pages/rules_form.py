"""A rule set as a form: fields from what each kind of rule declares, and errors beside them; what was typed stays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from decimal import Decimal, InvalidOperation

from django.http import QueryDict

from agreement.cleaning.check_items import Checks, misfits
from agreement.cleaning.rule import NotOne, Rule
from agreement.cleaning.rule_set import LONGEST_NAME, RuleSet, as_toml, built_in_names, load_rules, parse_rules
from agreement.cleaning.rules import RULES
from agreement.errors import PAGE, Refused
from agreement.typical_filters import FILTERS

MOST_RULES = 30
CHECK, EXPECTED = "check", "expected"
LONGEST_NUMBER = 30


@dataclass(slots=True)
class Field:
    """One input. `choices` are offered beside what may be typed."""

    name: str
    label: str
    value: str
    unit: str = ""
    help: str = ""
    is_number: bool = False
    choices: Sequence[str] = ()
    error: str = ""


@dataclass(slots=True)
class RuleShown:
    at: int
    kind: str
    title: str
    about: str
    looks_at_others: bool
    fields: list[Field]
    error: str = ""
    sentence: str = ""


@dataclass(slots=True)
class RulesForm:
    """`rule_set` is None while something is wrong; `errors` are those that belong to no single field."""

    checks: Checks
    name: Field
    minimum_checks: Field
    drop_unchecked: bool
    unused_checks: list[str]
    typical: str
    version: str
    rules: list[RuleShown]
    errors: list[str] = field(default_factory=list)
    rule_set: RuleSet | None = None

    @property
    def toml(self) -> str:
        return "" if self.rule_set is None else as_toml(self.rule_set)

    @property
    def can_be_added(self) -> list[tuple[str, str]]:
        """The kinds of rule that suit the study, with their titles."""
        kind = self.checks.kind
        return sorted((name, rule.title) for name, rule in RULES.items() if rule.parameters_for(kind))


def form_of(rules: RuleSet, checks: Checks) -> RulesForm:
    """The form that a rule set fills in."""
    typed: dict[str, str] = {
        "name": rules.name,
        "version": rules.version,
        "minimum_checks": str(rules.minimum_checks),
        "drop_unchecked": "1" if rules.drop_unchecked else "",
        "typical": rules.typical or "",
        "n": str(len(rules.rules)),
    }
    for number, rule in enumerate(rules.rules):
        typed[f"rule-{number}-kind"] = rule.kind
        values = rule.canonical()
        typed |= {f"rule-{number}-{name}": str(values.get(name, "")) for name in rule.parameters()}
    return _read(typed, rules.unused_checks, checks)


def form_from(post: QueryDict, checks: Checks) -> RulesForm:
    """The form as it was sent, with a rule added or removed if that was the button."""
    kinds = [post.get(f"rule-{number}-kind", "") for number in range(_count(post))]
    order: list[int | str] = [
        number for number, kind in enumerate(kinds) if kind in RULES and str(number) != post.get("remove")
    ]
    if post.get("add") in RULES and len(order) < MOST_RULES:
        order.append(str(post["add"]))
    typed = {
        name: str(post.get(name, "")) for name in ("name", "version", "minimum_checks", "drop_unchecked", "typical")
    }
    typed["n"] = str(len(order))
    for new, old in enumerate(order):
        if isinstance(old, str):
            typed[f"rule-{new}-kind"] = old
            continue
        typed[f"rule-{new}-kind"] = kinds[old]
        for name in RULES[kinds[old]].parameters():
            typed[f"rule-{new}-{name}"] = str(post.get(f"rule-{old}-{name}", ""))
    return _read(typed, post.getlist("unused_checks"), checks, is_new="add" in post)


def _count(post: QueryDict) -> int:
    n = post.get("n", "")
    return min(int(n), MOST_RULES) if n.isascii() and n.isdecimal() and len(n) < 4 else 0


def _read(typed: Mapping[str, str], unused: Sequence[str], checks: Checks, *, is_new: bool = False) -> RulesForm:
    """`is_new`: the last rule was just added, and its empty fields are no error yet."""
    n = int(typed["n"])
    name = Field("name", "Name of the rule set", typed["name"].strip(), help="It is cited by this name.")
    least = Field("minimum_checks", "Fewest checks for a verdict", typed["minimum_checks"].strip(), is_number=True)
    parsed: list[Rule | None] = []
    shown = []
    for number in range(n):
        rule, one = _rule(number, typed, checks, is_untouched=is_new and number == n - 1)
        parsed.append(rule)
        shown.append(one)
    form = RulesForm(
        checks,
        name,
        least,
        bool(typed["drop_unchecked"]),
        list(unused),
        typed["typical"],
        typed["version"] or "1",
        shown,
    )
    if not name.value:
        name.error = "A rule set is cited by its name: give it one."
    elif len(name.value) > LONGEST_NAME:
        name.error = f"The name has more than {LONGEST_NAME} characters: shorten it."
    if not (least.value or "0").isdecimal() or len(least.value) > LONGEST_NUMBER:
        least.error = f"'{least.value}' is not a whole number of 0 or more."
    if any(rule is None for rule in parsed) or name.error or least.error:
        return form
    _fit(form, [rule for rule in parsed if rule is not None])
    return form


def _rule(
    number: int, typed: Mapping[str, str], checks: Checks, *, is_untouched: bool
) -> tuple[Rule | None, RuleShown]:
    kind = RULES[typed[f"rule-{number}-kind"]]
    known, suited = kind.parameters(), kind.parameters_for(checks.kind)
    values: dict[str, object] = {}
    inputs = []
    for name, parameter in known.items():
        text = typed.get(f"rule-{number}-{name}", "").strip()
        if name not in suited and not text:
            continue
        one = Field(f"rule-{number}-{name}", kind.words[name], text, parameter.unit)
        one.is_number = name not in (CHECK, EXPECTED)
        one.choices = {CHECK: checks.names, EXPECTED: checks.labels}.get(name, ())
        one.help = "Empty: all check items." if name == CHECK else ""
        inputs.append(one)
        if text:
            try:
                values[name] = parameter.read(_number(text) if one.is_number else text)
            except NotOne as why:
                one.error = f"{one.label}: {why}."
    title = kind.__doc__ or ""
    shown = RuleShown(number, kind.kind, kind.title, " ".join(title.split()), kind.selects_on_outcome, inputs)
    if any(one.error for one in inputs):
        return None, shown
    if wrong := "; ".join([*kind.wrong_together(values), *_missing(kind, values)]):
        shown.error = "" if is_untouched else f"{_in_words(kind, wrong)[:1].upper()}{_in_words(kind, wrong)[1:]}."
        return None, shown
    rule: Rule = kind(**values)
    shown.sentence = str(rule)
    return rule, shown


def _missing(kind: type[Rule], values: Mapping[str, object]) -> Iterator[str]:
    """Parameters without a default that were left empty, where the rule doesn't say so itself."""
    if values:
        needed = [each.name for each in fields(kind) if each.default is MISSING]  # type: ignore[arg-type]
        yield from (f"{name} is missing" for name in needed if name not in values)


def _in_words(kind: type[Rule], sentence: str) -> str:
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
    return (
        int(number) if number.is_finite() and number == number.to_integral_value() and abs(number) < 10**12 else number
    )


def _fit(form: RulesForm, rules: Sequence[Rule]) -> None:
    """Puts the set together, and asks whether it fits the study's checks."""
    typical = next((each for each in FILTERS if each == form.typical), None)
    rule_set = RuleSet(
        name=form.name.value,
        version=form.version,
        drop_unchecked=form.drop_unchecked,
        minimum_checks=int(form.minimum_checks.value or 0),
        rules=tuple(rules),
        unused_checks=tuple(form.unused_checks),
        typical=typical,
    )
    if rule_set.name in built_in_names() and load_rules(rule_set.name).sha256 != rule_set.sha256:
        # Two rule sets of one name, one of them known to every reader, would be taken for each other.
        rule_set = replace(rule_set, name=f"{rule_set.name}, changed")
        form.name.value = rule_set.name
    try:
        parsed = parse_rules(as_toml(rule_set), source="These rules")
    except Refused as refusal:
        form.errors += refusal.words(PAGE)
        return
    form.errors += misfits(parsed, form.checks)
    form.rule_set = None if form.errors else parsed
