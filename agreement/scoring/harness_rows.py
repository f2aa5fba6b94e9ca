"""What endpoints and harnesses call what: a reader takes the objects of a file and gives replies or log probabilities.

Names are those that the harnesses' own code writes (November 2026); what a reader doesn't need it passes over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

TEXT = "text"  # the type of a part of a message, and the key of its words
Object: TypeAlias = Mapping[str, Any]
Ids: TypeAlias = npt.NDArray[np.object_]
TokensRead: TypeAlias = tuple[tuple[str, float], ...]  # of one place: tokens and their log probabilities


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A reply in words. `place` is its number in the file; `tokens` are the alternatives of its first token."""

    place: int
    item: str
    text: str
    finish: str = ""
    refusal: str = ""
    options: tuple[str, ...] = ()
    run: str = ""
    model: str = ""
    tokens: TokensRead = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """Log probabilities of an item's options, or where `is_rank` numbers of which the order alone counts."""

    item: str
    options: tuple[str, ...]
    logprobs: tuple[float, ...]
    priors: tuple[float, ...] = ()
    tokens: tuple[int, ...] = ()
    run: str = ""
    model: str = ""
    is_rank: bool = False


@dataclass(frozen=True, slots=True)
class Harness:
    """What a file holds; `failed` counts requests without a response, which have no output."""

    name: str
    outputs: tuple[Answered | Scored, ...]
    failed: int = 0
    strangers: tuple[int, ...] = ()  # the numbers of objects of another shape


def harness_of(objects: Sequence[Object], ids: Ids) -> Harness | None:
    """The file's outputs, by the first reader that knows its objects; None where none does."""
    if not objects:
        return None
    first = objects[0]
    for name, knows, read in READERS:
        if knows(first):
            strangers = tuple(place for place, one in enumerate(objects, start=1) if not knows(one))
            if strangers:
                return Harness(name, (), strangers=strangers)
            failed = sum(1 for one in objects if name == ENDPOINT and _body(one) is None)
            return Harness(name, tuple(read(objects, ids)), failed)
    return None


def _objects_in(value: object) -> list[Object]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list | tuple) else []


def _text(value: object) -> str:
    """A text, or the texts of a list of parts; reasoning among them is left out."""
    if isinstance(value, str):
        return value
    parts = _objects_in(value)
    return "".join(str(part.get("text") or "") for part in parts if part.get("type", TEXT) in (TEXT, "output_text"))


def _number(value: object) -> float | None:
    """A number, which harnesses may write as a text."""
    try:
        return float(value)  # type: ignore[arg-type]  # what is none raises
    except (TypeError, ValueError):
        return None


# OpenAI-style responses, one per line: a batch's lines, chat completions, legacy completions, or bare top_logprobs.

ENDPOINT = "an OpenAI-style file"
_ITEM_NAMES = ("item_id", "custom_id", "id")


def _is_of_endpoint(first: Object) -> bool:
    return bool(first.keys() & {"choices", "top_logprobs", "response", "body"}) and "resps" not in first


def _body(line: Object) -> Object | None:
    """The response of a line; None where the request failed."""
    if line.get("error"):
        return None
    response = line.get("response", line)
    if not isinstance(response, Mapping) or response.get("status_code", 200) != 200:
        return None
    body = response.get("body", response)
    return body if isinstance(body, Mapping) else None


def _of_endpoint(objects: Sequence[Object], ids: Ids) -> Iterator[Answered]:
    name = _item_name(objects, ids)
    for place, line in enumerate(objects, start=1):
        body = _body(line)
        if body is None:
            continue
        item, model = str(line.get(name, "")), str(body.get("model") or line.get("model") or "")
        choices = _objects_in(body.get("choices")) or [body]
        for number, choice in enumerate(choices, start=1):
            message = choice.get("message") if isinstance(choice.get("message"), Mapping) else choice
            assert isinstance(message, Mapping)  # noqa: S101 - the choice is one, and so is what it has
            text = _text(message.get("content")) or str(choice.get("text") or "")
            yield Answered(
                place=place,
                item=item,
                text=text,
                finish=str(choice.get("finish_reason") or ""),
                refusal=str(message.get("refusal") or ""),
                options=tuple(map(str, line.get("options") or ())),
                run=str(number) if len(choices) > 1 else "",
                model=model,
                tokens=_first_tokens(choice),
            )


def _item_name(objects: Sequence[Object], ids: Ids) -> str:
    """Under which name lines say their item: the first whose values are items of the study."""
    known = {str(one) for one in ids}
    names = [name for name in _ITEM_NAMES if any(name in line for line in objects)]
    return next((name for name in names if any(str(line.get(name)) in known for line in objects)), "item_id")


def _first_tokens(choice: Object) -> TokensRead:
    """The alternatives of the first token that isn't blank: of chats, of completions, or of the line itself."""
    logprobs = choice.get("logprobs", choice)
    if not isinstance(logprobs, Mapping):
        return ()
    content, top = _objects_in(logprobs.get("content")), logprobs.get("top_logprobs")
    places: list[tuple[str, list[tuple[str, float]]]] = []
    if content:
        places = [(str(one.get("token", "")), _alternatives(one.get("top_logprobs"))) for one in content]
    elif isinstance(top, list) and top and isinstance(top[0], Mapping) and "logprob" not in top[0]:
        tokens = logprobs.get("tokens") or [""] * len(top)
        places = [(str(token), _alternatives(one)) for token, one in zip(tokens, top, strict=False)]
    elif top:
        places = [("", _alternatives(top))]
    for token, alternatives in places:
        if alternatives and (token.strip() or not token):
            return tuple(alternatives)
    return ()


def _alternatives(value: object) -> list[tuple[str, float]]:
    if isinstance(value, Mapping):
        pairs = [(str(token), _number(logprob)) for token, logprob in value.items()]
    else:
        pairs = [(str(one.get("token", "")), _number(one.get("logprob"))) for one in _objects_in(value)]
    return [(token, logprob) for token, logprob in pairs if logprob is not None]


# Sample files of lm-evaluation-harness: a line per document and filter.


def _of_lm_eval(objects: Sequence[Object], ids: Ids) -> Iterator[Answered | Scored]:
    """Log probabilities are texts, as pairs of a number and whether it is greedy. With mutual information the second
    half of them is of the options alone. Of a document's filters the first is read: all have the same replies.
    """
    known, seen = {str(one) for one in ids}, set[str]()
    for place, line in enumerate(objects, start=1):
        document = line.get("doc") if isinstance(line.get("doc"), Mapping) else {}
        assert isinstance(document, Mapping)  # noqa: S101 - it is one by the line before
        names = [
            str(one) for one in (document.get("item_id"), document.get("id"), line.get("doc_id")) if one is not None
        ]
        item = next((name for name in names if name in known), names[-1] if names else "")
        if item in seen:
            continue
        seen.add(item)
        replies = line.get("resps") or []
        pairs = [one[0] for one in replies if isinstance(one, list) and one]
        if pairs and all(isinstance(one, list) for one in pairs):
            yield _scored_by_lm_eval(item, pairs, line.get("arguments"))
        else:
            texts = [text for one in replies for text in (one if isinstance(one, list) else [one])]
            for number, text in enumerate(texts, start=1):
                run = str(number) if len(texts) > 1 else ""
                yield Answered(place=place, item=item, text=str(text), run=run)


def _scored_by_lm_eval(item: str, pairs: Sequence[Sequence[object]], arguments: object) -> Scored:
    of_each = [arguments[key] for key in sorted(arguments, key=_last_number)] if isinstance(arguments, Mapping) else []
    options = [str(one.get("arg_1", "")).strip() if isinstance(one, Mapping) else "" for one in of_each]
    logprobs = [_number(pair[0]) or 0.0 for pair in pairs]
    half = len(logprobs) // 2
    has_priors = len(logprobs) % 2 == 0 and half > 0 and options[:half] == options[half : 2 * half]
    n = half if has_priors else len(logprobs)
    return Scored(
        item=item,
        options=tuple([*options, *[""] * n][:n]),
        logprobs=tuple(logprobs[:n]),
        priors=tuple(logprobs[half:]) if has_priors else (),
    )


def _last_number(name: str) -> int:
    digits = re.search(r"(\d+)$", name)
    return int(digits[1]) if digits else 0


# A log of inspect_ai.


def _of_inspect(objects: Sequence[Object], _ids: Ids) -> Iterator[Answered]:
    """Options count as they stand only where no step shuffled them."""
    for log in objects:
        evaluation = log.get("eval") if isinstance(log.get("eval"), Mapping) else {}
        assert isinstance(evaluation, Mapping)  # noqa: S101 - it is one by the line before
        is_shuffled = '"shuffle"' in repr(log.get("plan")).replace("'", '"') or bool(
            evaluation.get("dataset", {}).get("shuffled_choices")
        )
        samples = _objects_in(log.get("samples"))
        has_epochs = len({sample.get("epoch", 1) for sample in samples}) > 1
        for place, sample in enumerate(samples, start=1):
            output = sample.get("output") or {}
            choices = _objects_in(output.get("choices"))
            choice = choices[0] if choices else {}
            options = () if is_shuffled else tuple(map(str, sample.get("choices") or ()))
            message = choice.get("message") or {}
            yield Answered(
                place=place,
                item=str(sample.get("id", "")),
                text=_text(message.get("content")) or str(output.get("completion") or ""),
                finish=str(choice.get("stop_reason") or ""),
                options=options,
                run=str(sample.get("epoch", 1)) if has_epochs else "",
                model=str(output.get("model") or evaluation.get("model") or ""),
                tokens=_first_tokens(choice) if choice.get("logprobs") else (),
            )


# HELM's scenario_state.json.


def _of_helm(objects: Sequence[Object], _ids: Ids) -> Iterator[Answered | Scored]:
    """A request per instance, or one per reference, whose log probability is that of its last tokens."""
    states = [state for one in objects for state in _objects_in(one.get("request_states"))]
    by_item: dict[tuple[str, str], list[Object]] = {}
    for place, state in enumerate(states, start=1):
        instance = state.get("instance") or {}
        item, trial = str(instance.get("id", "")), str(state.get("train_trial_index", 0))
        completions = _objects_in((state.get("result") or {}).get("completions"))
        if not completions:
            continue
        if state.get("reference_index") is not None:
            by_item.setdefault((item, trial), []).append(state)
            continue
        mapping = state.get("output_mapping") or {}
        yield Answered(
            place=place,
            item=item,
            text=str(completions[0].get("text") or ""),
            finish=str((completions[0].get("finish_reason") or {}).get("reason") or ""),
            options=tuple(str(mapping[letter]) for letter in sorted(mapping)),
            run=trial if len({one.get("train_trial_index") for one in states}) > 1 else "",
            model=str((state.get("request") or {}).get("model") or ""),
        )
    for (item, trial), of_item in by_item.items():
        yield _scored_by_helm(item, trial, of_item)


def _scored_by_helm(item: str, trial: str, states: Sequence[Object]) -> Scored:
    references = _objects_in((states[0].get("instance") or {}).get("references"))
    options = [str((one.get("output") or {}).get("text") or "") for one in references]
    totals: dict[tuple[str, int], tuple[float, int]] = {}
    for state in states:
        place = int(state["reference_index"])
        completion = _objects_in(state["result"]["completions"])[0]
        reference = options[place] if place < len(options) else ""
        totals[str(state.get("request_mode") or "original"), place] = _tail(completion, reference)
    places = sorted(place for mode, place in totals if mode == "original" and place < len(options))
    has_priors = all(("calibration", place) in totals for place in places)
    return Scored(
        item=item,
        options=tuple(options[place] for place in places),
        logprobs=tuple(totals["original", place][0] for place in places),
        priors=tuple(totals["calibration", place][0] for place in places) if has_priors else (),
        tokens=tuple(totals["original", place][1] for place in places),
        run=trial if trial != "0" else "",
    )


def _tail(completion: Object, reference: str) -> tuple[float, int]:
    """The log probability of the last tokens, which are the reference, and how many they are."""
    total, count, text = 0.0, 0, ""
    for token in reversed(_objects_in(completion.get("tokens"))):
        total, count = total + (_number(token.get("logprob")) or 0.0), count + 1
        text = f"{token.get('text', '')}{text}"
        if len(text.strip()) >= len(reference.strip()):
            break
    return (total, count) if count else (_number(completion.get("logprob")) or 0.0, 1)


# lighteval's details: a row per document.


def _of_lighteval(objects: Sequence[Object], ids: Ids) -> Iterator[Answered | Scored]:
    known = {str(one) for one in ids}
    for place, row in enumerate(objects, start=1):
        document, response = _part(row, "doc"), _part(row, "model_response")
        names = [str(one) for one in (document.get("id"), place - 1) if one not in (None, "")]
        item = next((name for name in names if name in known), names[0])
        options = tuple(str(one).strip() for one in document.get("choices") or ())
        logprobs = [number for one in response.get("logprobs") or () if (number := _number(one)) is not None]
        texts = [str(one) for one in response.get("text") or ()]
        priors = [
            number for one in response.get("unconditioned_logprobs") or () if (number := _number(one)) is not None
        ]
        if options and len(logprobs) == len(options):
            priors = priors if len(priors) == len(options) else []
            yield Scored(item=item, options=options, logprobs=tuple(logprobs), priors=tuple(priors))
            continue
        for number, text in enumerate(texts, start=1):
            run = str(number) if len(texts) > 1 else ""
            yield Answered(place=place, item=item, text=text, options=options, run=run)


def _part(row: Object, name: str) -> Object:
    part = row.get(name, row.get(f"__{name}__"))
    return part if isinstance(part, Mapping) else {}


# OpenCompass' predictions: one object whose names are running numbers, in the order of the items.


def _is_of_opencompass(first: Object) -> bool:
    return bool(first) and all(name.isdecimal() for name in first) and all(
        isinstance(one, Mapping) and "prediction" in one for one in first.values()
    )  # fmt: skip


def _of_opencompass(objects: Sequence[Object], ids: Ids) -> Iterator[Answered | Scored]:
    """The perplexities of its labels are lower for the better one: their order alone counts."""
    [predictions] = objects[:1]
    for place, name in enumerate(sorted(predictions, key=int), start=1):
        one = predictions[name]
        item = str(ids[int(name)]) if int(name) < len(ids) else name
        of_labels = {key.removeprefix("label: "): value for key, value in one.items() if key.startswith("label: ")}
        numbers = {label: _number(value.get("PPL")) for label, value in of_labels.items() if isinstance(value, Mapping)}
        if numbers and all(number is not None for number in numbers.values()):
            scores = tuple(-(number or 0.0) for number in numbers.values())
            yield Scored(item=item, options=tuple(numbers), logprobs=scores, is_rank=True)
        else:
            text = one["prediction"]
            yield Answered(place=place, item=item, text=text if isinstance(text, str) else str(text))


Reader: TypeAlias = Callable[[Sequence[Object], Ids], Iterator[Answered | Scored]]
READERS: tuple[tuple[str, Callable[[Object], bool], Reader], ...] = (
    ("a sample file of lm-evaluation-harness", lambda first: {"doc_id", "resps"} <= first.keys(), _of_lm_eval),
    ("a log of inspect_ai", lambda first: "samples" in first, _of_inspect),
    ("a scenario state of HELM", lambda first: "request_states" in first, _of_helm),
    (
        "a file of lighteval's details",
        lambda first: bool(first.keys() & {"model_response", "__model_response__"}),
        _of_lighteval,
    ),
    ("a file of OpenCompass' predictions", _is_of_opencompass, _of_opencompass),
    (ENDPOINT, _is_of_endpoint, _of_endpoint),
)
