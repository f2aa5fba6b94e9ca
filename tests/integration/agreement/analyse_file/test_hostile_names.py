"""Ids, labels, models' names and a card's texts that hold markup come out of no Markdown file as markup."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command
from markdown_it import MarkdownIt

from tests.integration.agreement.analyse_file.command import write_rows

PARSER = MarkdownIt("gfm-like", {"linkify": False})
HTML, LINK, PICTURE = "<img src=x onerror=alert(9)>", "[x](javascript:alert(9))", "![x](http://a.example/b.png)"
HEADING = "two\n\n# Heading\n\n```"
ACTIVE = {"html_inline", "html_block", "link_open", "image", "fence", "code_block", "code_inline", "em_open"}
CARD = f"""
title = '{HTML} {LINK}'
description = '{HTML}'
limitations = '''{HEADING}
- {LINK}'''
creators = [{{name = 'A \\write18{{id}} & B'}}]
"""


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


@pytest.fixture
def out(tmp_path: Path) -> Path:
    labels, items = [f"yes {HTML}", f"no {LINK}"], [f"i{n} {HTML} {LINK}" for n in range(8)]
    workers = [f"{HTML} w0", f"{LINK} w1", f"w2 {HEADING}", "w3", f"{PICTURE} w4"]
    rows = [
        ",".join(map(quoted, (worker, item, labels[(w * n) % 3 % 2])))
        for w, worker in enumerate(workers)
        for n, item in enumerate(items)
    ]
    rows += [",".join(map(quoted, (workers[0], items[0], labels[0])))]  # answered again
    judgments = write_rows(tmp_path / f"j{LINK}{HTML}.csv".replace("/", ""), "worker_id,item_id,value", rows)
    probe = write_rows(
        tmp_path / f"{PICTURE.replace('/', '')}{HTML}.csv",
        "item_id,label",
        [",".join(map(quoted, (item, labels[n % 2]))) for n, item in enumerate(items)],
    )
    (tmp_path / "card.toml").write_text(CARD)
    options = ["--probe", probe, "--repeats", "last", "--card", tmp_path / "card.toml", "--replicates", "20"]
    told = io.StringIO()
    call_command("analyse_file", judgments, "--out", tmp_path / "out", *options, stdout=told)
    return tmp_path / "out"


def test_no_markdown_file_holds_markup_that_came_in_a_name(out: Path) -> None:
    files = sorted(out.rglob("*.md"))
    assert {"README.md", "methods.md", "models.md", "agreement.md", "exclusions.md"} & {file.name for file in files}
    assert any("onerror" in file.read_text() for file in files)
    for file in files:
        text = file.read_text()
        if file.name == "README.md":
            _, _, text = text.split("---\n", 2)
        tokens = PARSER.parse(text)
        kinds = {token.type for token in tokens} | {child.type for token in tokens for child in token.children or []}
        allowed = {"code_inline"} if file.name == "README.md" else set()  # the files' names
        assert not kinds & ACTIVE - allowed, (file.name, kinds & ACTIVE)
        headings = [tokens[n + 1].content for n, token in enumerate(tokens) if token.type == "heading_open"]
        assert "Heading" not in headings


def test_zenodo_reads_the_description_as_html(out: Path) -> None:
    assert json.loads((out / "zenodo.json").read_text())["description"] == "&lt;img src=x onerror=alert(9)&gt;"


def test_the_citation_is_safe_for_latex(out: Path) -> None:
    cited = json.loads((out / "croissant.json").read_text())["citeAs"]
    assert "author = {A \\textbackslash{}write18\\{id\\} \\& B}" in cited
