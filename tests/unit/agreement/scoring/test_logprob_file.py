"""Log probabilities are read row by row; what isn't one is named."""

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from agreement.errors import Refused
from agreement.estimation.estimate import Estimate, Undefined
from agreement.scoring.perplexity import LogBase, Perplexity
from agreement.scoring.probe import StudyItems
from agreement.scoring.probe_file import read_probe
from agreement.scoring.probe_format import ProbeOptions
from agreement.scoring.score import score_probe
from agreement.scoring.score_gold import Gold
from tests.unit.agreement.scoring.perplexities import perplexities_of_file


def _file(folder: Path, rows: str, header: str = "sentence_id,token,logprob") -> Path:
    path = folder / "tokens.csv"
    path.write_text(f"{header}\n{rows}", encoding="utf-8")
    return path


def _alone(path: Path, base: LogBase) -> Perplexity:
    """The perplexity of a file without settings."""
    found = perplexities_of_file(path, base)
    assert list(found) == [()]
    return found[()]


def test_perplexity_of_a_file_by_hand(tmp_path: Path) -> None:
    done = _alone(_file(tmp_path, "s1,a,-1\ns1,</s>,-2\ns2,b,-3\n"), "2")

    assert isinstance(done.corpus, Estimate)
    assert isinstance(done.sentence, Estimate)
    assert (done.corpus.estimate, done.sentence.estimate) == pytest.approx((4.0, 8.0))
    assert "1 end tokens among them" in done.corpus.method


def test_an_impossible_token_is_read_and_said(tmp_path: Path) -> None:
    done = _alone(_file(tmp_path, "s1,a,-1\ns1,b,-inf\n"), "e")

    assert isinstance(done.corpus, Undefined)
    assert "1 of 2 tokens have probability 0" in done.corpus.why


def test_every_bad_row_is_named(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        _alone(_file(tmp_path, "s1,a,0.5\ns1,b,nan\n,c,-1\n"), "e")

    said = "\n".join(refused.value.reasons)
    assert "row 2, column logprob: '0.5' is above 0" in said
    assert "row 3, column logprob: 'nan' is not a number" in said
    assert "row 4, column sentence_id: '' is not an id" in said


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="there is no column token"):
        _alone(_file(tmp_path, "s1,-1\n", "sentence_id,logprob"), "e")


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


def _scored(path: Path) -> dict[tuple[str, str], float]:
    """By metric and setting, the figures of a file in base 2."""
    ids = np.array(["a", "b"], dtype=object)
    study, gold = StudyItems("slider", ids), Gold("slider", ids, numbers=np.array([1.0, 2.0]))
    scores = score_probe(read_probe(path, study, options=ProbeOptions(log_base="2")), gold, study).scores
    return {(s.metric, s.group): s.figure.estimate for s in scores if isinstance(s.figure, Estimate)}


def test_templates_are_averaged_over_and_not_run_together(tmp_path: Path) -> None:
    path = _file(tmp_path, "s1,a,-1,t1\ns1,a,-2,t2\n", "sentence_id,token,logprob,template")

    found = _scored(path)

    assert found["perplexity_sentence", ""] == pytest.approx((2 + 4) / 2)
    assert found["perplexity_corpus", ""] == pytest.approx((2 + 4) / 2)
    assert found["perplexity_sentence_sd", ""] == pytest.approx(np.std([2, 4], ddof=1))


def test_any_other_column_is_a_setting_with_a_perplexity_of_its_own(tmp_path: Path) -> None:
    rows = "s1,a,-1,0\ns1,b,-1,0\ns1,a,-3,4\ns1,b,-3,4\n"

    found = _scored(_file(tmp_path, rows, "sentence_id,token,logprob,shots"))

    assert found == {
        ("perplexity_corpus", "shots=0"): pytest.approx(2),
        ("perplexity_sentence", "shots=0"): pytest.approx(4),
        ("perplexity_corpus", "shots=4"): pytest.approx(8),
        ("perplexity_sentence", "shots=4"): pytest.approx(64),
        ("cross_entropy_token", "shots=0"): pytest.approx(1),
        ("cross_entropy_sentence", "shots=0"): pytest.approx(2),
        ("cross_entropy_token", "shots=4"): pytest.approx(3),
        ("cross_entropy_sentence", "shots=4"): pytest.approx(6),
    }


def test_cross_entropy_is_the_logarithm_of_perplexity_with_its_interval(tmp_path: Path) -> None:
    """Of one run; over several it is the mean of theirs, below the logarithm of the mean perplexity."""
    bits = np.random.default_rng(2).uniform(1, 5, (2, 12))
    rows = "".join(f"s{s},a,{-bits[0, s]}\n" for s in range(12))
    one = _alone(_file(tmp_path, rows), "2")

    for perplexity, entropy in ((one.corpus, one.corpus_bits), (one.sentence, one.sentence_bits)):
        assert isinstance(perplexity, Estimate)
        assert isinstance(entropy, Estimate)
        assert (perplexity.low, perplexity.high) != (None, None)
        logs = np.log2([perplexity.estimate, perplexity.low or 1, perplexity.high or 1])
        assert [entropy.estimate, entropy.low, entropy.high] == pytest.approx(logs)

    rows = "".join(f"s{s},a,{-bits[t, s]},t{t}\n" for t in range(2) for s in range(12))
    several = _alone(_file(tmp_path, rows, "sentence_id,token,logprob,template"), "2")
    assert isinstance(several.corpus_bits, Estimate)
    assert isinstance(several.corpus, Estimate)
    assert several.corpus_bits.estimate == pytest.approx(bits.mean())
    assert several.corpus_bits.estimate < np.log2(several.corpus.estimate)
    assert several.corpus_bits_sd is not None
    assert several.corpus_bits_sd.estimate == pytest.approx(np.std(bits.mean(axis=1), ddof=1))


def test_a_cross_entropy_is_there_where_its_perplexity_is_too_large_to_write(tmp_path: Path) -> None:
    done = _alone(_file(tmp_path, "s1,a,-2000\ns2,a,-2000\ns3,a,-2000\n"), "2")

    assert isinstance(done.corpus, Undefined)
    assert isinstance(done.corpus_bits, Estimate)
    assert done.corpus_bits.estimate == 2000


def test_a_column_of_many_values_is_no_setting_and_is_refused(tmp_path: Path) -> None:
    rows = "".join(f"s1,a,-1,{place}\n" for place in range(101))

    with pytest.raises(Refused, match="column position has 101 values"):
        perplexities_of_file(_file(tmp_path, rows, "sentence_id,token,logprob,position"), "2")


def test_the_interval_of_a_mean_over_runs_leaves_a_sentence_out_of_all_of_them(tmp_path: Path) -> None:
    bits = np.random.default_rng(1).uniform(1, 5, (2, 12))
    rows = "".join(f"s{s},a,{-bits[t, s]},t{t}\n" for t in range(2) for s in range(12))

    done = _alone(_file(tmp_path, rows, "sentence_id,token,logprob,template"), "2").corpus

    assert isinstance(done, Estimate)
    assert done.low is not None
    assert done.high is not None
    without = [np.log2(np.mean(2 ** np.delete(bits, at, axis=1).mean(axis=1))) for at in range(12)]
    theta = np.log2(done.estimate)
    half = stats.t.ppf(0.975, 11) * np.sqrt(11 / 12 * np.sum((without - np.mean(without)) ** 2))
    assert np.log2([done.low, done.high]) == pytest.approx(theta * np.exp(np.array([-half, half]) / theta))
    assert done.low > 1


def test_runs_of_different_sentences_have_a_mean_and_no_interval(tmp_path: Path) -> None:
    rows = "s1,a,-1,t1\ns2,a,-2,t1\ns3,a,-1,t1\ns1,a,-1,t2\ns2,a,-2,t2\n"

    done = _alone(_file(tmp_path, rows, "sentence_id,token,logprob,template"), "2").corpus

    assert isinstance(done, Estimate)
    assert done.low is None
    assert "the runs are of different sentences" in done.method
