# SPDX-License-Identifier: Apache-2.0
"""Charts by matplotlib as small SVG files in which text is text."""

import math
import re

from matplotlib.text import Text

# A font which matplotlib always has lays the chart out.
STYLE = {"svg.fonttype": "none", "svg.hashsalt": "strew", "font.family": "DejaVu Sans", "path.simplify": False}
# Where it is missing, Verdana is as wide; other fonts are narrower.
FONTS = "'DejaVu Sans', Verdana, sans-serif"


def dots(axes, points, colour, size):
    """Lines without length, whose ends are round: a marker of matplotlib takes four times the bytes."""
    lines = [(x, y) for x, y in points for x in (x, x, math.nan)]
    if lines:
        axes.plot(*zip(*lines), color=colour, linewidth=size, solid_capstyle="round", clip_on=False, zorder=3)


def touching(figure):
    """Pairs of texts that overlap."""
    figure.draw_without_rendering()
    texts = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts]
    return [(name, other) for k, (name, box) in enumerate(boxes) for other, its in boxes[k + 1:] if box.overlaps(its)]


def save(figure, path, **options):
    """The same bytes for the same chart, in tenths of a point. Styles are written once each, as classes. No labels overlap."""
    if found := touching(figure):
        raise RuntimeError(f"{path.name}: labels overlap: {found}")
    figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None}, **options)
    head, body = path.read_text().split("</defs>", 1)
    classes = {}

    def rounded(number):
        return f"{float(number[0]):.{1 if len(number[1]) > 1 else 2}f}"

    def small(tag):
        tag = re.sub(r"\s+", " ", re.sub(r"(\d+)\.\d{3,}", rounded, tag[0]))
        tag = re.sub(r" ?\b([MLCQz]) ?(?=[-\d\"MLz])", r"\1", tag)
        tag = re.sub(r"M([\d.]+ [\d.]+)L\1(?=[M \"])", r"M\1h0", tag)
        tag = re.sub(r' transform="rotate\(-?0 [^"]*"| id="[\w.]+_\d+"', "", tag)
        return re.sub(r'style="([^"]*)"', lambda s: f'class="{classes.setdefault(s[1], f"c{len(classes)}")}"', tag)

    body = re.sub(r"<[^>]*>", small, re.sub(r"<!--.*?-->", "", body))
    rules = "".join(f".{name}{{{style}}}" for style, name in classes.items()).replace("'DejaVu Sans'", FONTS)
    path.write_text(head.replace("</style>", rules + "</style>") + "</defs>" + re.sub(r"\s*\n\s*", "\n", body))
