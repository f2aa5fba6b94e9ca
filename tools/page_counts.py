"""How tall, heavy and full of numbers pages are as they open: `.venv/bin/python -m tools.page_counts --help`.

It opens each address in headless Chromium, signed in where a name is given (the password is asked for, or read from
TOUCHSTONE_PASSWORD), and prints a line for each page and width. What is folded, and what a picture says, isn't counted.
CHROMIUM names the browser's file where playwright has none of its own.
"""

from __future__ import annotations

import argparse
import getpass
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from urllib.parse import urljoin

from playwright.sync_api import Browser, Page, sync_playwright

SIZES = {"desk": (1280, 900), "phone": (390, 844)}
BROWSER = "CHROMIUM"
# What a reader sees outside the pictures, with where the first of them begins. Lines of numbers such as 1,234.5 or
# -.06 count once. A layout that moves without the reader's doing is added up as browsers do.
COUNT = r"""
() => {
  const isPicture = (node) => node.parentElement?.closest("svg, canvas, script, style, noscript, [hidden]");
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (isPicture(node) || !node.data.trim()) continue;
    const how = { contentVisibilityAuto: true, visibilityProperty: true };
    if (node.parentElement.checkVisibility(how)) texts.push(node.data);
  }
  const text = texts.join(" ");
  const pictures = [...document.querySelectorAll("figure :is(svg[viewBox], canvas, img)")]
    .filter((each) => each.checkVisibility() && each.getBoundingClientRect().width >= 120)
    .map((each) => Math.round(each.getBoundingClientRect().top + scrollY));
  const [opened] = performance.getEntriesByType("navigation");
  const loaded = performance.getEntriesByType("resource").reduce((sum, one) => sum + one.decodedBodySize, 0);
  return {
    html: opened.decodedBodySize,
    bytes: opened.decodedBodySize + loaded,
    height: document.documentElement.scrollHeight,
    numbers: (text.match(/(?<![\p{L}\d])(?:\d[\d,]*)?\.?\d+(?![\p{L}\d])/gu) ?? []).length,
    words: (text.match(/[\p{L}\p{N}][\p{L}\p{N}'\u2019.-]*/gu) ?? []).length,
    picture: pictures.length ? Math.min(...pictures) : -1,
    shift: Math.round(1000 * (window.layoutShift ?? 0)) / 1000,
  };
}
"""
OBSERVE = """
window.layoutShift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.layoutShift += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""


@dataclass(frozen=True, slots=True)
class PageCounts:
    """Of a page as it opens: `height` and `picture` (where the first begins; -1 without one) in px, bytes of the `html`
    and of all that it loads, uncompressed, `shift` as browsers measure cumulative layout shift.
    """

    height: int
    numbers: int
    words: int
    html: int
    bytes: int
    picture: int
    shift: float


def count_page(page: Page, address: str) -> PageCounts:
    """Opens the address in a page that `watch` has prepared, and counts once all is loaded."""
    page.goto(address)
    page.wait_for_load_state("networkidle")
    return PageCounts(**page.evaluate(COUNT))


def watch(page: Page) -> None:
    """Lets the page measure by how much its layout shifts, from its first paint on."""
    page.add_init_script(OBSERVE)


def counts_of(
    browser: Browser, base: str, addresses: Sequence[str], sign_in: tuple[str, str] | None
) -> Iterator[tuple[str, str, PageCounts]]:
    for name, (width, height) in SIZES.items():
        context = browser.new_context(base_url=base, viewport={"width": width, "height": height})
        page = context.new_page()
        if sign_in:
            page.goto(urljoin(base, "/admin/login/"))
            page.get_by_label("Username").fill(sign_in[0])
            page.get_by_label("Password").fill(sign_in[1])
            page.get_by_role("button", name="Log in").click()
            page.wait_for_load_state()
        watch(page)
        for address in addresses:
            yield address, name, count_page(page, address)
        context.close()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", help="the site, such as http://127.0.0.1:8000")
    parser.add_argument("addresses", nargs="+", help="paths of pages, such as /admin/results/")
    parser.add_argument("--user", default="", help="who signs in; nobody without it")
    options = parser.parse_args(arguments)
    sign_in = (options.user, os.environ.get("TOUCHSTONE_PASSWORD") or getpass.getpass()) if options.user else None
    columns = [each.name for each in fields(PageCounts)]
    print("\t".join(["page", "size", *columns]))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get(BROWSER))
        for address, size, counts in counts_of(browser, options.base, options.addresses, sign_in):
            print("\t".join([address, size, *(str(getattr(counts, column)) for column in columns)]), flush=True)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
