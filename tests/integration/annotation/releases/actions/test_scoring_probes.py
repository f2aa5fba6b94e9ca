"""Probes in the database: in whole or not at all, scored once for each release, ranked beside people."""

import json
import re
from collections.abc import Callable
from html import unescape
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from agreement.errors import Refused
from agreement.scoring.metrics import of_numbers
from annotation.models import Role, Study, User
from annotation.people.leaving import withdraw
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.actions.scoring_probes import add_probe, publish_leaderboard, score_here, unpublish_leaderboard
from annotation.releases.leaderboards import metrics_of, table_of
from annotation.releases.models import GoldRelease, Probe, Score, Scoring
from annotation.simulating.crowds import simulate
from annotation.studies import presets
from annotation.studies.item_files import NewItem
from annotation.studies.study_life import add_items, change_status, create_study
from tests.factories import a_study
from tests.integration.researchers import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.both]
Write = Callable[..., Path]


@pytest.fixture
def study() -> Study:
    study = a_study()
    simulate(study=study, workers=24, careless=3, seed=1)
    return study


@pytest.fixture
def release(study: Study) -> GoldRelease:
    return clean_and_release(study=study, replicates=100)


@pytest.fixture
def outputs(study: Study, tmp_path: Path) -> Write:
    """A probe file that follows the gold as closely as asked."""

    def write(release: GoldRelease, *, slant: float = 0.0, drop: int = 0, name: str = "probe.csv") -> Path:
        means = {
            label.item_id: float(label.cells[release.columns.index("mean")] or 0) for label in release.labels.all()
        }
        rows = [
            f"{item},{mean + slant * ((at * 37) % 101)}" for at, (item, mean) in enumerate(sorted(means.items())[drop:])
        ]
        path = tmp_path / name
        path.write_text("item_id,score\n" + "\n".join(rows) + "\n")
        return path

    return write


def test_a_bad_file_is_refused_with_every_row_and_nothing_is_kept(study: Study, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("item_id,score\nbelow--above,nan\nnothing,3\nbelow--above,2\n")

    with pytest.raises(Refused) as refusal:
        add_probe(study=study, name="bad", file=path)

    assert [(", row 2," in said, ", row 3," in said, ", row 4," in said) for said in refusal.value.reasons] == [
        (True, False, False), (False, True, False), (False, False, True)
    ]  # fmt: skip
    assert not Probe.objects.exists()


def test_a_probe_for_another_kind_of_question_is_refused_before_it_is_kept(study: Study, tmp_path: Path) -> None:
    path = tmp_path / "texts.csv"
    path.write_text("item_id,text\nbelow--above,far apart\n")

    with pytest.raises(Refused, match="captions gives texts; gold of kind slider takes numbers"):
        add_probe(study=study, name="captions", file=path)

    assert not Probe.objects.exists()


def test_labels_that_the_study_lacks_are_wrong_and_stand_on_the_leaderboard(tmp_path: Path) -> None:
    study = create_study(slug="colours", preset=presets.load("memory-colours"), seed=7)
    new: list[NewItem] = [{"item_id": f"i{k}", "fields": {"item": f"o{k}", "descriptor": "usually"}} for k in range(12)]
    add_items(study=study, items=new, source="a test")
    change_status(study=study, status=Study.Status.LIVE)
    simulate(study=study, workers=8, careless=0, seed=1)
    release = clean_and_release(study=study, replicates=0)
    items = [label.item_id for label in release.labels.all()]
    path = tmp_path / "model.csv"
    path.write_text("item_id,label\n" + "".join(f"{item},None of the above\n" for item in items))

    add_probe(study=study, name="m", file=path)
    score_here(release=release, seed=1)

    accuracy = Score.objects.get(scoring__probe__name="m", metric="accuracy", breakdown="")
    assert accuracy.estimate == 0
    [note, counts] = Scoring.objects.get().notes
    assert f"None of the above ({len(items)} outputs)" in note
    assert counts.startswith(f"0 of {len(items)} answers were mapped")
    table = table_of(release)
    assert table is not None
    page = render_to_string("results/leaderboard_tables.html", {"table": table, "release": release, "metrics": {}})
    assert f"m: {note}." in unescape(page)


def test_a_name_is_one_file_for_ever(study: Study, release: GoldRelease, outputs: Write) -> None:
    first = add_probe(study=study, name="m", file=outputs(release))

    assert add_probe(study=study, name="m", file=outputs(release)) == first
    with pytest.raises(Refused, match="another name"):
        add_probe(study=study, name="m", file=outputs(release, slant=1))


def test_a_score_is_made_once_and_pinned(study: Study, release: GoldRelease, outputs: Write) -> None:
    add_probe(study=study, name="m", file=outputs(release, slant=0.3))
    score_here(release=release, seed=1)
    before = list(Score.objects.order_by("pk").values())

    score_here(release=release, seed=2)

    assert list(Score.objects.order_by("pk").values()) == before
    assert Scoring.objects.get().release_sha256 == release.sha256
    assert study.audit_entries.filter(action="scored").count() == 1
    with pytest.raises(IntegrityError), transaction.atomic():
        Score.objects.update(estimate=1)


def test_withdrawal_changes_no_score_that_is_computed_later(study: Study, release: GoldRelease, outputs: Write) -> None:
    add_probe(study=study, name="a", file=outputs(release, slant=0.3, name="a.csv"))
    score_here(release=release, seed=1)
    withdraw(participation=study.participations.earliest("pk"))
    add_probe(study=study, name="b", file=outputs(release, slant=0.3, name="b.csv"))
    score_here(release=release, seed=1)

    def pearson(name: str) -> float | None:
        return Score.objects.get(scoring__probe__name=name, metric="pearson", breakdown="").estimate

    assert pearson("a") == pearson("b")


def test_a_new_analysis_scores_all_probes(study: Study, release: GoldRelease, outputs: Write) -> None:
    for name, slant in (("close", 0.1), ("far", 2.0)):
        add_probe(study=study, name=name, file=outputs(release, slant=slant, name=f"{name}.csv"))

    second = clean_and_release(study=study, replicates=100)

    table = table_of(second)
    assert table is not None
    assert [(row.rank, row.name) for row in table.rows if row.kind == "probe"] == [(1, "close"), (2, "far")]
    assert {row.name for row in table.rows if row.kind != "probe"} == {"A typical person, leave-one-out", "Chance"}
    assert [pair.in_words for pair in table.comparisons] == ["close is above far"]
    by_rmse = table_of(second, "rmse")
    assert by_rmse is not None
    assert {pair.metric for pair in by_rmse.comparisons} == {"rmse"}
    assert [pair.in_words for pair in by_rmse.comparisons] == ["close is below far"]
    assert {score["probe"] for score in second.report["scores"]} == {"close", "far"}


def test_metrics_that_came_since_a_probe_was_scored_are_added_to_its_figures(
    study: Study, release: GoldRelease, outputs: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a version stored them that had no plain errors; no figure of then stands in a table of now."""
    add_probe(study=study, name="earlier", file=outputs(release, slant=0.1, name="earlier.csv"))
    with monkeypatch.context() as then:
        then.setattr(of_numbers, "METRICS", [one for one in of_numbers.METRICS if one.name not in {"rmse", "mae"}])
        score_here(release=release, seed=1)
    stored = dict(Score.objects.values_list("pk", "metric"))
    assert "rmse_calibrated" in stored.values()
    assert "rmse" not in stored.values()

    add_probe(study=study, name="later", file=outputs(release, slant=0.5, name="later.csv"))
    score_here(release=release, seed=1)

    assert dict(Score.objects.filter(pk__in=stored).values_list("pk", "metric")) == stored
    for metric in ("rmse", "rmse_calibrated"):
        table = table_of(release, metric)
        assert table is not None
        assert {row.name: row.rank for row in table.rows if row.kind == "probe"} == {"earlier": 1, "later": 2}


def test_a_probe_that_leaves_items_out_is_shown_unranked(study: Study, release: GoldRelease, outputs: Write) -> None:
    add_probe(study=study, name="whole", file=outputs(release, slant=1, name="w.csv"))
    add_probe(study=study, name="part", file=outputs(release, slant=0.1, drop=5, name="p.csv"))
    score_here(release=release, seed=1)

    table = table_of(release)

    assert table is not None
    assert {row.name: row.rank for row in table.rows if row.kind == "probe"} == {"whole": 1, "part": None}


def test_a_model_without_the_metric_is_shown_and_people_stand_on_the_first_page(
    study: Study, release: GoldRelease, outputs: Write, tmp_path: Path
) -> None:
    """A model of log probabilities came first: the page opened on its perplexity and showed no other."""
    tokens = tmp_path / "tokens.csv"
    tokens.write_text("sentence_id,token,logprob\ns1,a,-1\ns2,b,-2\ns3,a,-2\n")
    add_probe(study=study, name="lm", file=tokens)
    add_probe(study=study, name="scores", file=outputs(release, slant=0.3))
    score_here(release=release, seed=1)

    first, asked = table_of(release), table_of(release, "perplexity_corpus")

    assert first is not None
    assert asked is not None
    assert first.metric == "spearman"
    assert [(row.name, row.rank) for row in first.rows if row.kind == "probe"] == [("scores", 1), ("lm", None)]
    assert "A typical person, leave-one-out" in {row.name for row in first.rows}
    assert {row.figure.words for row in first.rows if row.name == "lm"} == {"not scored by this metric"}
    assert [(row.name, row.rank) for row in asked.rows if row.kind == "probe"] == [("lm", 1), ("scores", None)]


def test_spreads_over_templates_rank_nothing(
    study: Study, release: GoldRelease, outputs: Write, tmp_path: Path
) -> None:
    means = outputs(release, slant=0.3).read_text().splitlines()[1:]
    path = tmp_path / "templates.csv"
    rows = [f"{line},{template}" for template in ("t1", "t2") for line in means]
    path.write_text("item_id,score,template\n" + "\n".join(rows) + "\n")
    add_probe(study=study, name="m", file=path)
    score_here(release=release, seed=1)

    table = table_of(release, "spearman_sd")

    assert Score.objects.filter(metric="spearman_sd").exists()
    assert not [metric for metric in metrics_of(release) if metric.endswith(("_sd", "_max"))]
    assert table is not None
    assert table.metric == "spearman"


def test_each_setting_of_a_model_is_ranked_as_a_model_is(
    study: Study, release: GoldRelease, outputs: Write, tmp_path: Path
) -> None:
    means = outputs(release, slant=0.3).read_text().splitlines()[1:]
    path = tmp_path / "shots.csv"
    rows = [f"{line},{shots}" for shots in (0, 4) for line in means]
    path.write_text("item_id,score,shots\n" + "\n".join(rows) + "\n")
    add_probe(study=study, name="few-shot", file=path)
    add_probe(study=study, name="plain", file=outputs(release, slant=0.3, name="plain.csv"))
    score_here(release=release, seed=1)

    table = table_of(release)

    assert table is not None
    assert [(row.name, row.rank) for row in table.rows if row.kind == "probe"] == [
        ("few-shot, shots=0", 1),
        ("few-shot, shots=4", 1),
        ("plain", 1),
    ]


def test_labels_open_on_the_metric_that_scores_people(tmp_path: Path) -> None:
    study = create_study(slug="colours", preset=presets.load("memory-colours"), seed=7)
    fields: list[NewItem] = [
        {"item_id": f"i{at}", "fields": {"descriptor": "a", "item": f"thing {at}"}} for at in range(12)
    ]
    add_items(study=study, items=fields, source="a test")
    change_status(study=study, status=Study.Status.LIVE)
    simulate(study=study, workers=12, careless=0, seed=1)
    release = clean_and_release(study=study, replicates=0)
    path = tmp_path / "labels.csv"
    path.write_text("item_id,label\n" + "".join(f"i{at},white\n" for at in range(12)))
    add_probe(study=study, name="white", file=path)
    score_here(release=release, seed=1)

    table, by_r_acc = table_of(release), table_of(release, "r_acc")

    assert table is not None
    assert by_r_acc is not None
    assert table.metric == "accuracy"
    assert "A typical person, leave-one-out" in {row.name for row in table.rows}
    assert "A typical person, leave-one-out" in {row.name for row in by_r_acc.rows}


def test_the_command_scores_and_refuses(study: Study, release: GoldRelease, outputs: Write) -> None:
    out, err = StringIO(), StringIO()
    call_command("score", study.slug, str(outputs(release, slant=0.2)), name="m", json=True, stdout=out)

    told = json.loads(out.getvalue())
    assert told["sha256"] == release.sha256
    assert told["coverage"]["is_full"]
    assert 0.5 < next(score["estimate"] for score in told["scores"] if score["metric"] == "spearman") <= 1

    with pytest.raises((SystemExit, CommandError)) as end:
        call_command("score", study.slug, str(outputs(release)), name="n", release=9, stdout=out, stderr=err)
    assert getattr(end.value, "code", 1) == 1
    assert "no release 9" in err.getvalue()


def test_the_leaderboards_page_asks_a_fixed_number_of_queries(
    study: Study,
    release: GoldRelease,
    outputs: Write,
    admin_client: Client,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for k in range(4):
        add_probe(study=study, name=f"m{k}", file=outputs(release, slant=0.1 + k, name=f"{k}.csv"))
    score_here(release=release, seed=1)

    with django_assert_max_num_queries(26):
        page = admin_client.get(f"/admin/results/{study.uuid}/models/")

    assert page.status_code == 200
    assert b"Is the difference real?" in page.content
    assert "Leaderboards by release" not in page.text  # there is but one
    assert [
        name in page.text
        for name in (
            ">Spearman correlation</a>",
            ">Kendall&#x27;s tau</a>",
            ">RMSE</a>",
            ">RMSE after a fitted line</a>",
        )
    ] == [True] * 4


@pytest.mark.parametrize(("p", "said"), [(None, "–"), (0.0, "&lt; 0.0001"), (0.00009, "&lt; 0.0001"), (0.03, "0.0300")])
def test_a_small_p_is_never_said_to_be_zero(p: float | None, said: str) -> None:
    assert render_to_string("results/p_value.html", {"p": p}).strip() == said


def test_shots_are_drawn_as_a_curve(
    study: Study, release: GoldRelease, outputs: Write, admin_client: Client, admin_user: User
) -> None:
    rows = [line.split(",") for line in outputs(release, slant=0.5).read_text().splitlines()[1:]]
    path = outputs(release, name="shots.csv")
    shots = [
        f"{item},{shots},{float(score) + at % (40 // shots)}"
        for shots in (2, 10)
        for at, (item, score) in enumerate(rows)
    ]
    path.write_text("item_id,shots,score\n" + "\n".join(shots) + "\n")
    add_probe(study=study, name="few-shot", file=path)
    score_here(release=release, seed=1)
    link = publish_leaderboard(study=study, by=admin_user)

    for address in (f"/admin/results/{study.uuid}/models/", f"/leaderboard/{link.token}/"):
        page = admin_client.get(address).content.decode()
        assert '<svg class="t-curve"' in page
        assert re.search(r"<title[^>]*>\w+ correlation by shots</title>", page)
        assert page.index("few-shot, 2: ") < page.index("few-shot, 10: ")
        assert page.index(">shots=2<") < page.index(">shots=10<")


def test_roles_decide_who_adds_and_who_publishes(
    study: Study, release: GoldRelease, outputs: Write, client: Client
) -> None:
    person = User.objects.create_user("researcher", password="x", is_staff=True)
    client.force_login(person)
    base = f"/admin/results/{study.uuid}/models/"
    assert client.get(base).status_code == 404
    role = Role.objects.create(study=study, user=person, level=Role.Level.VIEWER)
    assert client.get(base).status_code == 200
    assert client.get(base + "add/").status_code == 403
    role.level = Role.Level.EDITOR
    role.save()
    with outputs(release).open("rb") as file:
        sent = client.post(
            base + "add/",
            {
                "name": "m",
                "file": file,
                "transform": "raw",
                "perplexity_form": "token",
                "similarity": "cosine",
                "log_base": "e",
            },
        )
    assert (sent.status_code, Probe.objects.get().name) == (302, "m")
    assert study.jobs.filter(kind="score").count() == 1
    assert client.post(base + "publish/").status_code == 403


def test_the_public_link_opens_until_it_is_taken_back(
    study: Study, release: GoldRelease, outputs: Write, client: Client, admin_user: User
) -> None:
    add_probe(study=study, name="<script>m", file=outputs(release, slant=0.2))
    score_here(release=release, seed=1)
    link = publish_leaderboard(study=study, by=admin_user)

    page = client.get(f"/leaderboard/{link.token}/")
    assert page.status_code == 200
    assert b"&lt;script&gt;m" in page.content
    assert "Set-Cookie" not in page.headers

    unpublish_leaderboard(study=study, by=admin_user)
    assert client.get(f"/leaderboard/{link.token}/").status_code == 404
    assert client.get("/leaderboard/guessed/").status_code == 404


# What a study's preset says about reading models' outputs.


def a_vector_file(folder: Path) -> Path:
    relations = ("below", "under", "above", "over", "away", "near", "next to", "left", "right", "in", "on")
    rows = [f"{term},{20 + at},{(5 * at) % 11 + 1},{(7 * at) % 5 + 40}" for at, term in enumerate(relations)]
    path = folder / "vectors.csv"
    path.write_text("term,x,y,z\n" + "\n".join(rows) + "\n")
    return path


@pytest.mark.parametrize(
    ("arguments", "transform"), [((), "column-share"), (("--transform", "raw"), "raw"), (("--transform", "log"), "log")]
)
def test_score_reads_vectors_as_the_studys_preset_says_unless_it_is_told(
    release: GoldRelease, tmp_path: Path, arguments: tuple[str, ...], transform: str
) -> None:
    out = StringIO()
    call_command("score", release.study.slug, a_vector_file(tmp_path), "--name", "m", *arguments, "--json", stdout=out)

    found = json.loads(out.getvalue())
    assert found["notes"] == [
        f"cosine of vectors of 3 numbers, {transform}",
        "terms found by their alias: away from as away, near to as near",
        "11 of 66 items have a term without a vector: far from",
    ]
    assert Probe.objects.get().options["transform"] == transform
    assert found["coverage"]["covered"] == 55


def test_the_page_of_a_model_starts_from_what_the_preset_says(release: GoldRelease) -> None:
    page = signed_in(User.objects.create_superuser("boss")).get(
        reverse("agreement:add_probe", args=[release.study.uuid])
    )
    assert page.context["form"]["transform"].value() == "column-share"
