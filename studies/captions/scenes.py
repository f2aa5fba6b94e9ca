"""The scenes of the presets on captions."""

from __future__ import annotations

from pathlib import Path

from studies.captions.scene import (
    BLACK,
    BLUE,
    GREEN,
    ORANGE,
    RED,
    SAND,
    SEA,
    SKY,
    WHITE,
    YELLOW,
    Scene,
    at_night,
    at_sea,
    indoors,
    outdoors,
)
from studies.captions.things import (
    apples,
    apples_in_tree,
    ball,
    balloons,
    bicycle,
    bird,
    boat,
    book,
    branch,
    car,
    cat,
    chair,
    cloud,
    cup,
    dog,
    fish,
    flower,
    house,
    kite,
    ladder,
    lamp,
    moon,
    mountains,
    person,
    rain,
    road,
    sail,
    snowman,
    stars,
    sun,
    table,
    tree,
    umbrella,
    vase,
    window,
)

FOLDER = Path(__file__).parents[1] / "presets" / "items" / "captions"

SCENES: tuple[Scene, ...] = (
    Scene(
        "house-and-tree",
        (
            "a {red|small red} house {beside|next to|by} a {tall|big|green} tree",
            "a {tree|tall tree} {stands|is} {beside|next to} a {red house|house}",
        ),
        outdoors(lambda c: house(c, 170, 290), lambda c: tree(c, 350, 290, 1.2)),
    ),
    Scene(
        "sailing-boat",
        (
            "a {red|sailing|small} boat {on the|sailing on the|at} sea {under the sun||on a sunny day}",
            "the sun shines on a {boat|sailing boat} {on|in} the {sea|water}",
        ),
        at_sea(sun, lambda c: boat(c, 220, 285), lambda c: sail(c, 220, 285)),
    ),
    Scene(
        "ball-under-table",
        (
            "a red ball {under|below|underneath} a {table|brown table}",
            "a {table|wooden table} with a red ball {under|below} it",
        ),
        indoors(table, lambda c: ball(c, 240, 305)),
    ),
    Scene(
        "cup-on-table",
        ("a blue cup {on|standing on} a {table|brown table}", "a {table|wooden table} with a blue {cup|mug} on it"),
        indoors(table, cup),
    ),
    Scene(
        "dog-and-ball",
        (
            "a {brown dog|dog} {looking at|in front of|and} a {yellow|small yellow|} ball {on the grass|}",
            "a ball {lies|is} in front of a {dog|brown dog}",
        ),
        outdoors(lambda c: dog(c, 170, 310), lambda c: ball(c, 340, 312, 22, YELLOW)),
    ),
    Scene(
        "cat-on-chair",
        (
            "a {grey cat|cat} {sitting|sits|is} on a {blue chair|chair}",
            "a {blue chair|chair} with a {grey cat|cat} on it",
        ),
        indoors(lambda c: chair(c, 240, 320), lambda c: cat(c, 240, 246)),
    ),
    Scene(
        "umbrella-in-the-rain",
        (
            "a {person|man|woman} {with|holding|under} {a red|an} umbrella in the rain",
            "it {is raining|rains} and {a person|somebody} {holds|has} {a red|an} umbrella",
        ),
        outdoors(rain, lambda c: person(c, 220, 330, BLUE, 20), lambda c: umbrella(c, 266, 232), upper="#c9d3da"),
    ),
    Scene(
        "snowman",
        (
            "a snowman with a {black|big black} hat {and a red scarf|}",
            "a {white|big} snowman {wearing|with} a {hat|black hat}",
        ),
        outdoors(snowman, lower="#e6eef2", horizon=230),
    ),
    Scene(
        "two-birds",
        (
            "two {birds|small birds} {sitting|sit|} on a branch",
            "a {red|small} bird and a blue {bird|one} {on|sitting on} a {branch|tree branch}",
        ),
        outdoors(branch, lambda c: bird(c, 150, 228), lambda c: bird(c, 310, 231, BLUE), lower=SKY),
    ),
    Scene(
        "three-fish",
        ("three fish {swimming|swim|} in the {water|sea}", "three {colourful fish|fish} {under|in the} {water|sea}"),
        outdoors(
            lambda c: fish(c, 150, 110, ORANGE),
            lambda c: fish(c, 320, 170, YELLOW),
            lambda c: fish(c, 200, 250, RED),
            upper=SEA,
            lower=SAND,
            horizon=320,
        ),
    ),
    Scene(
        "car-on-road",
        ("a blue car {on|driving on|drives along} a {road|grey road}", "a {blue car|car} {on the|on a} {road|street}"),
        outdoors(lambda c: cloud(c, 110, 70), road, lambda c: car(c, 250, 305)),
    ),
    Scene(
        "bicycle-and-house",
        (
            "a red {bicycle|bike} in front of a {house|yellow house}",
            "a {bike|bicycle} {stands|is} {in front of|by} a house",
        ),
        outdoors(lambda c: house(c, 300, 262, YELLOW, 1.2), lambda c: bicycle(c, 150, 325)),
    ),
    Scene(
        "flying-a-kite",
        (
            "a {person|child|boy} {flying|with|flies} a {red kite|kite}",
            "a {red kite|kite} in the sky {held by|flown by} a {person|child}",
        ),
        outdoors(lambda c: cloud(c, 90, 70), lambda c: person(c, 140, 325, GREEN, 55), kite),
    ),
    Scene(
        "vase-of-flowers",
        (
            "three flowers in a blue vase {on a table|}",
            "a {blue vase|vase} {with|of} {three|some} flowers {on a table|}",
        ),
        indoors(
            table,
            lambda c: flower(c, 195, 62, 130, RED),
            lambda c: flower(c, 240, 45, 130, WHITE),
            lambda c: flower(c, 286, 64, 130, ORANGE),
            vase,
        ),
    ),
    Scene(
        "house-at-night",
        (
            "a {small house|house} at night {under the moon|with stars in the sky}",
            "the moon {and stars|} above a {house|small house} {at night|}",
        ),
        at_night(stars, moon, lambda c: house(c, 200, 310, BLUE)),
    ),
    Scene(
        "balloons",
        (
            "a {person|child|girl} {holding|with} three {balloons|coloured balloons}",
            "a {person|woman} {in red|} {holds|has} {three|some} balloons",
        ),
        outdoors(lambda c: person(c, 240, 330, RED, 40), balloons),
    ),
    Scene(
        "mountains",
        ("{two|snowy} mountains {under|and} the sun", "two mountains with {snow on them|snow on top} {and the sun|}"),
        outdoors(lambda c: sun(c, 410, 60), mountains),
    ),
    Scene(
        "on-the-beach",
        (
            "a {yellow umbrella|beach umbrella} and a {red ball|ball} on the beach",
            "a {ball|red ball} under {an umbrella|a yellow umbrella} on the {beach|sand}",
        ),
        outdoors(
            lambda c: c.box(0, 170, 480, 232, SEA),
            lambda c: umbrella(c, 200, 315, YELLOW, 100),
            lambda c: ball(c, 320, 325),
            lower=SAND,
            horizon=230,
        ),
    ),
    Scene(
        "lamp-and-book",
        (
            "a lamp and an open book on a {table|desk}",
            "{an open book|a book} {beside|next to|by} a {lamp|yellow lamp} {on a table|}",
        ),
        indoors(lambda c: table(c, 240, 300, 150), lamp, book),
    ),
    Scene(
        "ladder-and-apple-tree",
        (
            "a ladder {leaning|leans|} against an apple tree",
            "{an apple tree|a tree with apples} and {a|an orange} ladder",
        ),
        outdoors(lambda c: tree(c, 260, 322, 1.5), apples_in_tree, ladder),
    ),
    Scene(
        "cat-at-window",
        (
            "a {black cat|cat} {sitting|sits|} {in front of|at|by} a window",
            "a {cat|black cat} {at the|looking out of a} window",
        ),
        indoors(lambda c: window(c, 240, 140), lambda c: cat(c, 240, 300, BLACK)),
    ),
    Scene(
        "two-people-in-boat",
        (
            "two people {in|sitting in} a {boat|red boat} {on the sea|on the water}",
            "a {boat|small boat} with two people {in it|on the water}",
        ),
        at_sea(
            lambda c: cloud(c, 380, 70),
            lambda c: person(c, 195, 330, GREEN),
            lambda c: person(c, 265, 330, YELLOW),
            lambda c: boat(c, 230, 300),
            lambda c: c.box(0, 312, 480, 360, SEA),
        ),
    ),
    Scene(
        "car-and-house",
        (
            "a yellow car {in front of|outside} a {house|red house}",
            "a {house|red house} {with|and} a {yellow car|car} in front of it",
        ),
        outdoors(lambda c: house(c, 260, 270, RED, 1.3), lambda c: car(c, 220, 335, YELLOW)),
    ),
    Scene(
        "five-apples",
        (
            "five apples on a table, {one of them|one is} green",
            "four red apples and {one|a} green {apple|one} on a table",
        ),
        indoors(table, apples),
    ),
)
