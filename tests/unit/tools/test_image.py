"""What the image of a deployment is made of."""

import re

from tools import place

NOT_FOR_A_SERVER = {"tests", "tools"}


def test_image_has_every_package_of_the_site() -> None:
    packages = {path.parent.name for path in place.ROOT.glob("*/__init__.py")} - NOT_FOR_A_SERVER
    assert packages >= {"annotation", "agreement", "config", "studies"}
    copied = re.findall(r"^COPY (\w+) \1$", (place.ROOT / "deploy" / "Dockerfile").read_text(), re.MULTILINE)
    let_in = re.findall(r"^!(\w+)$", (place.ROOT / ".dockerignore").read_text(), re.MULTILINE)
    assert packages <= set(copied)
    assert packages <= set(let_in)
