"""Log probabilities are read row by row; what isn't one is named."""

from pathlib import Path

import pytest

from agreement.scoring.logprob_file import perplexity_of_file
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
