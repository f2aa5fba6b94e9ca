"""Log probabilities are read row by row; what isn't one is named."""

from pathlib import Path

import numpy as np
import pytest

from agreement.scoring.gold import Gold
from agreement.scoring.logprob_file import perplexity_of_file
from agreement.scoring.probe import StudyItems
from agreement.scoring.probe_file import ProbeOptions, read_probe
from agreement.scoring.score import score_probe
from agreement.stats.estimate import Estimate, Undefined
from annotation.errors import Refused


def _file(folder: Path, rows: str, header: str = "sentence_id,token,logprob") -> Path:
    path = folder / "tokens.csv"
    path.write_text(f"{header}\n{rows}", encoding="utf-8")
    return path


def test_perplexity_of_a_file_by_hand(tmp_path: Path) -> None:
    done = perplexity_of_file(_file(tmp_path, "s1,a,-1\ns1,</s>,-2\ns2,b,-3\n"), "2")

    assert isinstance(done.corpus, Estimate)
    assert isinstance(done.sentence, Estimate)
    assert (done.corpus.estimate, done.sentence.estimate) == pytest.approx((4.0, 8.0))
    assert "1 end tokens among them" in done.corpus.method


def test_an_impossible_token_is_read_and_said(tmp_path: Path) -> None:
    done = perplexity_of_file(_file(tmp_path, "s1,a,-1\ns1,b,-inf\n"), "e")

    assert isinstance(done.corpus, Undefined)
    assert "1 of 2 tokens have probability 0" in done.corpus.why


def test_every_bad_row_is_named(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        perplexity_of_file(_file(tmp_path, "s1,a,0.5\ns1,b,nan\n,c,-1\n"), "e")

    said = "\n".join(refused.value.reasons)
    assert "row 2, column logprob: '0.5' is above 0" in said
    assert "row 3, column logprob: 'nan' is not a number" in said
    assert "row 4, column sentence_id: '' is no id" in said


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="there is no column token"):
        perplexity_of_file(_file(tmp_path, "s1,-1\n", "sentence_id,logprob"), "e")


def test_log_probabilities_are_a_probe_that_needs_no_gold(tmp_path: Path) -> None:
    ids = np.array(["a", "b"], dtype=object)
    study, gold = StudyItems("slider", ids), Gold("slider", ids, numbers=np.array([1.0, 2.0]))
    path = _file(tmp_path, "s1,a,-1\ns1,b,-2\ns2,b,-3\n")

    done = score_probe(read_probe(path, study, options=ProbeOptions(log_base="2")), gold, study).overall()

    corpus, sentence = done["perplexity_corpus"].figure, done["perplexity_sentence"].figure
    assert isinstance(corpus, Estimate)
    assert isinstance(sentence, Estimate)
    assert (corpus.estimate, sentence.estimate) == pytest.approx((4.0, 8.0))


def test_a_probe_of_bad_log_probabilities_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="'1' is above 0"):
        read_probe(_file(tmp_path, "s1,a,1\n"), StudyItems("slider", np.array(["a"], dtype=object)))
