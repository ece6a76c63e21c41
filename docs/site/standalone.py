# SPDX-License-Identifier: Apache-2.0
"""Writes a picture of an operator as files of their own, with the colours of the stylesheet in them: for README, which is
read outside of the site.

    standalone.py PICTURE.svg docs/images/NAME    writes NAME.svg and NAME-dark.svg
    standalone.py --check PICTURE.svg ..          fails where these files differ
"""
import pathlib
import re
import sys

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


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    picture, name = arguments
    svg = pathlib.Path(picture).read_text()
    status = 0
    for ending, is_dark in (("", False), ("-dark", True)):
        file = pathlib.Path(f"{name}{ending}.svg")
        made = with_colours(svg, is_dark)
        if "--check" not in sys.argv:
            file.write_text(made)
        elif not file.exists() or file.read_text() != made:
            print(f"{file} is not what {__file__} makes of {picture}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
