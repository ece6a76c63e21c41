# SPDX-License-Identifier: Apache-2.0
"""A picture of an operator as a file of its own, with the colours of the stylesheet in it, for pages outside of the site."""
import pathlib
import re

STYLES = pathlib.Path(__file__).parent / "pages/stylesheets/picture.css"


def with_colours(svg, is_dark):
    css = re.sub(r"/\*.*?\*/", "", STYLES.read_text(), flags=re.DOTALL)
    css = re.sub(r"light-dark\(\s*([^,]+?)\s*,\s*([^)]+?)\s*\)", lambda pair: pair[2 if is_dark else 1], css)
    values = dict(re.findall(r"(--strew-[\w-]+):\s*([^;]+);", css))
    css = re.sub(r":root \{.*?\}", "", css, flags=re.DOTALL)
    css = css.replace("var(--md-text-font-family, sans-serif)", "sans-serif")
    css = re.sub(r"var\((--strew-[\w-]+)\)", lambda name: values[name[1]], css)
    # The hue of an element is a property of its class: written out, since not all programs that show SVG know variables.
    rules = []
    for number, names in re.findall(r"\.c(\d) \{([^}]*)\}", css):
        hue, tint = re.findall(r"--\w+: ([^;]+);", names)
        for rule in re.findall(r"[^{}]+\{[^}]*var\(--(?:hue|tint)\)[^}]*\}", css):
            selector, body = rule.strip().rstrip("}").split("{")
            body = body.replace("var(--hue)", hue).replace("var(--tint)", tint)
            rules.append(f"{selector.strip()}.c{number} {{{body}}}")
    css = re.sub(r"[^{}]+\{[^}]*var\(--[^}]*\}", "", css)
    css = re.sub(r"\.c\d \{[^}]*\}", "", css)
    style = "\n".join(line for line in "\n".join([css, *rules]).splitlines() if line.strip())
    return re.sub(r"(<svg [^>]*>\n)", lambda begin: f"{begin[1]}<style>\n{style}\n</style>\n", svg, count=1)
