"""Log probabilities of labels, and models' outputs as endpoints and evaluation harnesses write them."""

from __future__ import annotations

import json
import math
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import softmax

from agreement.errors import Refused
from agreement.scoring.harness_files import label_of_token
from agreement.scoring.probe import Probe, Shape, StudyItems
from agreement.scoring.probe_file import read_fitting_probes, read_probe
from agreement.scoring.probe_format import ProbeOptions

IDS = np.array(["a", "b", "c"], dtype=object)
STUDY = StudyItems("choice", IDS, ("yes", "no"))
COLOURS = StudyItems("choice", IDS, ("red", "blue", "green"))


def lines(path: Path, *rows: Any) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def document(path: Path, content: Any) -> Path:
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


LABELS: tuple[Shape, ...] = ("labels",)


def only(path: Path, study: StudyItems = STUDY, **options: object) -> Probe:
    [probe] = read_fitting_probes(path, study, LABELS, options=ProbeOptions(**options))
    return probe


def named(probe: Probe, study: StudyItems) -> list[str]:
    """The most probable label of each item, "" for one without an output or a label."""
    names = [*study.labels, ""]
    return [names[-1] if np.isnan(row).all() else names[min(int(row.argmax()), len(names) - 1)]
            for row in probe.runs[0].values]  # fmt: skip


# Log probabilities of labels.


def a_csv(path: Path, header: str, *rows: str) -> Path:
    path.write_text("\n".join([header, *rows, ""]))
    return path


def test_log_probabilities_are_a_softmax_over_the_labels(tmp_path: Path) -> None:
    rows = ("a,yes,-0.5", "a,no,-2", "b,yes,-900", "b,no,-901", "c,Yes,-1", "c,no,-inf")
    probe = only(a_csv(tmp_path / "p.csv", "item_id,label,logprob", *rows))

    expected = np.array([softmax([-0.5, -2]), softmax([-900, -901]), [1, 0]])
    np.testing.assert_allclose(probe.runs[0].values, expected, rtol=1e-12)
    mass = [math.exp(-0.5) + math.exp(-2), 0, math.exp(-1)]
    assert probe.notes[0].startswith(f"the study's labels hold {np.mean(mass):.3f} of the probability on average")


def test_a_label_may_count_per_token_per_character_or_beyond_its_prior(tmp_path: Path) -> None:
    rows = ("a,red,-6,3,-2", "a,blue,-5,1,-4", "a,green,-8,2,-1")
    path = a_csv(tmp_path / "p.csv", "item_id,label,logprob,tokens,logprob_prior", *rows)
    expected = {
        "total": softmax([-6, -5, -8]),
        "per-token": softmax([-2, -5, -4]),
        "per-character": softmax([-6 / 3, -5 / 4, -8 / 5]),
        "pmi": softmax([-4, -1, -7]),
    }

    for form, shares in expected.items():
        np.testing.assert_allclose(only(path, COLOURS, logprob_form=form).runs[0].values[0], shares, rtol=1e-12)


def test_bases_of_logarithms_and_settings_are_read(tmp_path: Path) -> None:
    rows = ("a,yes,-1,0", "a,no,-2,0", "a,yes,-2,1", "a,no,-1,1")
    probe = only(a_csv(tmp_path / "p.csv", "item_id,label,logprob,temperature", *rows), log_base="2")

    assert probe.settings == ((("temperature", "0"),), (("temperature", "1"),))
    np.testing.assert_allclose(probe.runs[0].values[0], [2 / 3, 1 / 3])


def test_an_item_whose_labels_have_no_probability_refuses_the_file(tmp_path: Path) -> None:
    path = a_csv(tmp_path / "p.csv", "item_id,label,logprob", "a,yes,-1", "b,yes,-inf", "b,no,-inf", "c,maybe,-1")

    with pytest.raises(Refused) as refused:
        only(path)
    assert "no label of the study (yes, no) has a probability at b" in str(refused.value)


@pytest.mark.parametrize(("form", "column"), [("per-token", "tokens"), ("pmi", "logprob_prior")])
def test_a_form_without_its_column_is_refused(form: str, column: str, tmp_path: Path) -> None:
    path = a_csv(tmp_path / "p.csv", "item_id,label,logprob", "a,yes,-1")

    with pytest.raises(Refused, match=f"--logprob-form {form} needs a column {column}, which it lacks"):
        only(path, logprob_form=form)


# Tokens.


def test_a_token_is_the_label_that_it_is_or_begins() -> None:
    space = StudyItems("choice", IDS, ("yellow", "green", "grey")).answer_space

    assert [label_of_token(token, space) for token in (" Yellow", "yel", "ĠGREEN", "purple", " ")] == [
        "yellow", "yellow", "green", None, None,
    ]  # fmt: skip
    with pytest.raises(Refused, match="the token 'gr' begins the labels green and grey"):
        label_of_token("gr", space)
    assert label_of_token("B", space.with_order(("grey", "yellow", "green"))) == "yellow"


def chat(text: str, *top: tuple[str, float], **more: Any) -> dict[str, Any]:
    """A chat completion, with the alternatives of its first token."""
    content = [{"token": text[:3], "logprob": -0.1, "top_logprobs": [{"token": t, "logprob": p} for t, p in top]}]
    logprobs = {"content": content} if top else None
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": text},
        "logprobs": logprobs,
        "finish_reason": "stop",
    }
    return {"id": "chatcmpl-1", "model": "gpt", "choices": [choice | more]}


def test_spellings_of_a_label_among_first_tokens_add_up(tmp_path: Path) -> None:
    tops = [("Yes", -1.0), (" yes", -2.0), ("YES", -3.0), ("No", -1.5), ("The", -4.0)]
    path = lines(tmp_path / "p.jsonl", *({"item_id": one, **chat("Yes", *tops)} for one in "abc"))
    probe = only(path)

    yes, no = math.exp(-1) + math.exp(-2) + math.exp(-3), math.exp(-1.5)
    np.testing.assert_allclose(probe.runs[0].values[0], [yes / (yes + no), no / (yes + no)])
    assert f"hold {yes + no:.3f} of the probability" in probe.notes[0]
    assert only(path, read_as="answers").answers is not None


def test_rows_without_a_usable_token_refuse_the_file(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "p.jsonl",
        {"item_id": "a", **chat("Yes", ("Yes", -0.1))},
        {"item_id": "b", **chat("I think", ("I", -0.1), ("Well", -1.0))},
    )

    with pytest.raises(Refused) as refused:
        only(path)
    assert str(refused.value).startswith(
        "p.jsonl, row 2, column top_logprobs: no token says a label of yes, no ('I', 'Well')"
    )
    assert "--read-as answers takes the words instead" in str(refused.value)
    assert named(only(path, read_as="answers"), STUDY) == ["yes", "", ""]


def test_words_are_read_where_no_first_token_says_a_label(tmp_path: Path) -> None:
    path = lines(tmp_path / "p.jsonl", *({"item_id": one, **chat("The answer is no.", ("The", -0.1))} for one in "ab"))

    assert named(only(path), STUDY) == ["no", "no", ""]


def test_a_line_of_bare_top_logprobs_and_one_of_a_legacy_completion(tmp_path: Path) -> None:
    legacy = {
        "tokens": ["\n", " no"],
        "token_logprobs": [None, -0.2],
        "top_logprobs": [{"\n": -0.1}, {" no": -0.2, " yes": -2}],
    }
    path = lines(
        tmp_path / "p.jsonl",
        {"item_id": "a", "top_logprobs": [{"token": "yes", "logprob": -0.3}, {"token": "no", "logprob": -1.3}]},
        {"item_id": "b", "choices": [{"text": "\n no", "finish_reason": "stop", "logprobs": legacy}]},
        {"item_id": "c", "top_logprobs": {"Yes": -0.5, "maybe": -1}},
    )

    assert named(only(path), STUDY) == ["yes", "no", "yes"]


# Endpoints.


def test_a_batch_is_read_by_its_custom_ids(tmp_path: Path) -> None:
    def batch(item: str, body: Any, status: int = 200) -> dict[str, Any]:
        return {
            "id": f"batch_{item}",
            "custom_id": item,
            "response": {"status_code": status, "body": body},
            "error": None,
        }

    path = lines(
        tmp_path / "p.jsonl",
        batch("a", chat("**Yes**")),
        batch("b", chat("No, for it", finish_reason="length")),
        batch("c", {"error": "rate limit"}, 429),
    )
    probe = only(path)

    assert named(probe, STUDY) == ["yes", "", ""]
    assert probe.answers is not None
    assert (probe.answers.answers, probe.answers.truncated) == (2, 1)
    assert probe.notes[-2:] == (
        "model is 'gpt' in every row, and no setting", "1 request failed and gave no output",
    )  # fmt: skip


def test_refusals_and_several_choices_of_a_response_are_read(tmp_path: Path) -> None:
    refusal = chat("", message={"role": "assistant", "content": None, "refusal": "I can't."})
    two = chat("Yes")
    two["choices"].append(
        {"index": 1, "message": {"content": [{"type": "text", "text": "no"}]}, "finish_reason": "stop"}
    )
    probe = only(lines(tmp_path / "p.jsonl", {"item_id": "a", **two}))
    assert [run.keys for run in probe.runs] == [{"run": "1"}, {"run": "2"}]
    counts = only(lines(tmp_path / "q.jsonl", {"item_id": "a", **refusal})).answers
    assert counts is not None
    assert counts.refused == 1


# Harnesses.


def lm_eval(doc: int, item: str, *more: Any, **fields: Any) -> dict[str, Any]:
    return {"doc_id": doc, "doc": {"id": item}, "target": "0", "filter": "none", "filtered_resps": [], **fields}


def test_log_probabilities_of_lm_eval_are_texts_and_come_once_per_filter(tmp_path: Path) -> None:
    arguments = {f"gen_args_{n}": {"arg_0": "Q:", "arg_1": f" {text}"} for n, text in enumerate(("no", "yes"))}
    resps = [[["-3.5", "False"]], [["-0.5", "True"]]]
    rows = [lm_eval(0, "a", arguments=arguments, resps=resps), lm_eval(1, "b", arguments=arguments, resps=resps[::-1])]
    again = [{**row, "filter": "flexible-extract"} for row in rows]
    probe = only(lines(tmp_path / "samples_t_2026.jsonl", *rows, *again))

    np.testing.assert_allclose(probe.runs[0].values[0], softmax([-0.5, -3.5]))
    assert named(probe, STUDY) == ["yes", "no", ""]


def test_mutual_information_of_lm_eval_has_the_priors_behind(tmp_path: Path) -> None:
    arguments = {f"gen_args_{n}": {"arg_0": "", "arg_1": text} for n, text in enumerate(("yes", "no", "yes", "no"))}
    resps = [[[number, "False"]] for number in ("-2", "-3", "-1", "-4")]
    path = lines(tmp_path / "p.jsonl", lm_eval(0, "a", arguments=arguments, resps=resps))

    np.testing.assert_allclose(only(path, logprob_form="pmi").runs[0].values[0], softmax([-1, 1]))


def test_generations_of_lm_eval_are_answers(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "p.jsonl",
        lm_eval(0, "a", resps=[["Answer: yes"]], filter="strict-match"),
        lm_eval(0, "a", resps=[["Answer: yes"]], filter="flexible-extract"),
        lm_eval(1, "b", resps=[["No."]], filter="strict-match"),
    )

    assert named(only(path), STUDY) == ["yes", "no", ""]


def inspect_sample(item: str, text: Any, stop: str = "stop", epoch: int = 1) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    output = {"model": "m", "choices": [{"message": message, "stop_reason": stop}], "completion": ""}
    return {"id": item, "epoch": epoch, "choices": ["no", "yes"], "target": "A", "output": output}


@pytest.mark.parametrize("name", ["log.json", "log.eval"])
def test_a_log_of_inspect_is_read_packed_or_not(name: str, tmp_path: Path) -> None:
    parts = [{"type": "reasoning", "reasoning": "A?"}, {"type": "text", "text": "ANSWER: **B**"}]
    samples = [inspect_sample("a", parts), inspect_sample("b", "ANSWER: A"), inspect_sample("c", "AN", "max_tokens")]
    log: dict[str, Any] = {"version": 2, "eval": {"model": "m"}, "plan": {"steps": []}}
    path = tmp_path / name
    if path.suffix == ".eval":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("header.json", json.dumps(log))
            for sample in samples:
                archive.writestr(f"samples/{sample['id']}_epoch_1.json", json.dumps(sample))
    else:
        document(path, {**log, "samples": samples})
    probe = only(path)

    assert named(probe, STUDY) == ["yes", "no", ""]
    assert probe.answers is not None
    assert probe.answers.truncated == 1


def test_letters_of_options_that_inspect_shuffled_are_not_read(tmp_path: Path) -> None:
    steps = {"steps": [{"solver": "multiple_choice", "params": {"shuffle": True}}]}
    path = document(tmp_path / "log.json", {"eval": {}, "plan": steps, "samples": [inspect_sample("a", "ANSWER: B")]})

    counts = only(path).answers
    assert counts is not None
    assert counts.unmapped == 1


def helm_state(item: str, **more: Any) -> dict[str, Any]:
    references = [{"output": {"text": text}, "tags": []} for text in ("yes", "no")]
    return {
        "instance": {"id": item, "references": references},
        "reference_index": None,
        "request_mode": "original",
        "train_trial_index": 0,
        "output_mapping": {"A": "yes", "B": "no"},
        "request": {"model": "m"},
        **more,
    }


def test_joint_multiple_choice_of_helm_is_read_by_its_mapping(tmp_path: Path) -> None:
    def result(text: str) -> dict[str, Any]:
        return {"success": True, "completions": [{"text": text, "logprob": -1, "finish_reason": {"reason": "stop"}}]}

    states = [helm_state("a", result=result(" B")), helm_state("b", result=result("A. yes"))]
    probe = only(document(tmp_path / "scenario_state.json", {"adapter_spec": {}, "request_states": states}))

    assert named(probe, STUDY) == ["no", "yes", ""]


def test_separate_multiple_choice_of_helm_takes_the_last_tokens(tmp_path: Path) -> None:
    def state(place: int, mode: str, *tokens: tuple[str, float]) -> dict[str, Any]:
        of = [{"text": text, "logprob": logprob} for text, logprob in tokens]
        result = {"completions": [{"text": "", "logprob": sum(p for _, p in tokens), "tokens": of}]}
        return helm_state("a", reference_index=place, request_mode=mode, output_mapping=None, result=result)

    states = [
        state(0, "original", ("Q", -9.0), (" y", -1.0), ("es", -0.5)),
        state(1, "original", ("Q", -9.0), (" no", -2.0)),
        state(0, "calibration", (" y", -3.0), ("es", -1.0)),
        state(1, "calibration", (" no", -1.0)),
    ]
    path = document(tmp_path / "scenario_state.json", {"request_states": states})

    np.testing.assert_allclose(only(path).runs[0].values[0], softmax([-1.5, -2]))
    np.testing.assert_allclose(only(path, logprob_form="per-token").runs[0].values[0], softmax([-0.75, -2]))
    np.testing.assert_allclose(only(path, logprob_form="pmi").runs[0].values[0], softmax([2.5, -1]))


@pytest.mark.parametrize("names", [("doc", "model_response"), ("__doc__", "__model_response__")])
def test_details_of_lighteval_are_read(names: tuple[str, str], tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    rows = [
        {names[0]: {"id": "a", "choices": [" yes", " no"]}, names[1]: {"text": [], "logprobs": [-2.0, -1.0]}},
        {names[0]: {"id": "b", "choices": [" yes", " no"]}, names[1]: {"text": [], "logprobs": [-0.5, -1.0]}},
    ]
    path = tmp_path / "details.parquet"
    pandas.DataFrame(rows).to_parquet(path)

    assert named(only(path), STUDY) == ["no", "yes", ""]


def test_predictions_of_opencompass_are_in_the_order_of_the_items(tmp_path: Path) -> None:
    answers = {
        "1": {"origin_prompt": "", "prediction": "No."},
        "0": {"origin_prompt": "", "prediction": "Yes", "gold": "A"},
    }
    assert named(only(document(tmp_path / "p.json", answers)), STUDY) == ["yes", "no", ""]
    by_label = {"0": {"label: yes": {"PPL": 1.5}, "label: no": {"PPL": 0.5}, "prediction": "no"}}
    probe = only(document(tmp_path / "q.json", by_label))
    assert named(probe, STUDY) == ["no", "", ""]
    assert not probe.runs[0].has_probabilities


# What is none of these.


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("p.json", b'{"a": {"b": 1}}', "nothing in it is known as a model's outputs (its objects have a)"),
        ("p.json", b"[1, 2]", "it is neither an object nor a list of objects"),
        ("p.json", b"{", "it is no JSON document in UTF-8"),
        ("p.json", "{}".encode("utf-16"), "the file is UTF-16 text; save it as UTF-8"),
        ("p.jsonl", "{}".encode("utf-16"), "the file is UTF-16 text; save it as UTF-8"),
        ("p.eval", b"PK\x03\x04nothing", "it is no log that can be read"),
        ("p.json", b'{"request_states": []}', "a scenario state of HELM has no outputs in it"),
        ("p.parquet", b"PAR1", "it is no Parquet file that can be read"),
        ("p.csv", b"item_id,answer,answer\na,b,c\n", "column 3: the name 'answer' occurs twice"),
    ],
)
def test_what_is_no_file_of_a_harness_is_refused_with_a_sentence(
    name: str, content: bytes, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(content)

    with pytest.raises(Refused) as refused:
        read_probe(path, STUDY)
    assert reason in str(refused.value.reasons[0])


def test_lines_of_two_shapes_are_refused(tmp_path: Path) -> None:
    path = lines(tmp_path / "p.jsonl", {"item_id": "a", **chat("Yes")}, {"item_id": "b", "label": "no"})

    with pytest.raises(Refused, match="row 2"):
        only(path)
