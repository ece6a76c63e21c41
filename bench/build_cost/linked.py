# SPDX-License-Identifier: Apache-2.0
"""What a program links: the text of programs with calls of one operator, header-only and with the library strew::compiled.

    python linked.py [--compiler g++] [--output FILE]

Prints Markdown: the text of the library, of a program with one call beside the same program without it, and of programs
with more and more calls, with the seconds to compile them.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FLAGS = ("-std=c++20", "-O2", "-DNDEBUG", f"-I{ROOT / 'include'}")

# A family of the library, and a call of it; data, indices, updates and tuples are views.
CALLS = {
    "slice_scatter": "strew::slice_scatter(data, updates, {.start = 1, .stop = 3, .step = 1})",
    "scatter_update": "strew::scatter_update(data, indices, updates, 0)",
    "index_add": "strew::index_add(data, 0, indices, updates)",
    "index_reduce": "strew::index_reduce(data, 0, indices, updates, strew::reduction::mean)",
    "scatter_elements_update": "strew::scatter_elements_update(data, tuples, updates, 0)",
    "scatter_add": "strew::scatter_add(data, 0, tuples, updates)",
    "onnx::scatter_nd, sum": "strew::onnx::scatter_nd(data, tuples, updates, strew::reduction::sum)",
    "masked_fill": "strew::masked_fill(data, mask, T{1})",
}
# The types of calls, in the order in which a program has more of them.
TYPES = [
    (element, index)
    for index in ("std::int64_t", "std::int32_t")
    for element in ("float", "double", "std::int32_t", "std::int64_t", "std::uint8_t", "std::int16_t", "std::uint32_t",
                    "std::complex<float>")
]
SOURCE = """\
#include <strew/strew.hpp>
#include <complex>
#include <cstdint>
template <class T, class I>
void call(T* d, const I* i, const T* u, const bool* m, std::int64_t n) {
  const strew::tensor_view<T> data(d, {n, 4});
  const strew::tensor_view<const T> updates(u, {n, 4});
  [[maybe_unused]] const strew::tensor_view<const I> indices(i, {n});
  [[maybe_unused]] const strew::tensor_view<const I> tuples(i, {n, 4});
  [[maybe_unused]] const strew::tensor_view<const bool> mask(m, {n, 4});
  %s;
}
int main(int count, char** arguments) {
  void* const memory = arguments;
  %s
}
"""
ONE = "if (count > 99) call(static_cast<{0}*>(memory), static_cast<const {1}*>(memory), static_cast<const {0}*>(memory), static_cast<const bool*>(memory), count);"


def run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def text_of(*files: pathlib.Path) -> float:
    """In KB of 1000 bytes."""
    lines = run("size", *map(str, files)).splitlines()[1:]
    return sum(int(re.match(r"\s*\d+", line).group()) for line in lines) / 1000


class Builder:
    def __init__(self, compiler: str, folder: pathlib.Path):
        self.compiler = compiler
        self.folder = folder
        self.objects = []
        for source in sorted((ROOT / "src" / "compiled").glob("*.cpp")):
            self.objects.append(folder / f"{source.stem}.o")
            run(compiler, *FLAGS, "-DSTREW_COMPILED=1", "-c", str(source), "-o", str(self.objects[-1]))
        self.library = folder / "libstrew.a"
        run("ar", "rcs", str(self.library), *map(str, self.objects))

    def program(self, call: str, types: list, compiled: bool) -> tuple[float, float]:
        """The text of a static program in KB, and the seconds to compile it."""
        source = self.folder / "program.cpp"
        source.write_text(SOURCE % (call, "\n  ".join(ONE.format(*pair) for pair in types)))
        made = self.folder / "program"
        flags = ("-DSTREW_COMPILED=1",) if compiled else ()
        begin = time.perf_counter()
        run(self.compiler, *FLAGS, *flags, "-c", str(source), "-o", f"{made}.o")
        seconds = time.perf_counter() - begin
        libraries = (str(self.library),) if compiled else ()
        run(self.compiler, "-static", f"{made}.o", *libraries, "-o", str(made))
        return text_of(made), seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--output", type=argparse.FileType("w"), default=sys.stdout)
    chosen = parser.parse_args()

    def say(line: str) -> None:
        print(line, file=chosen.output, flush=True)

    with tempfile.TemporaryDirectory() as folder:
        build = Builder(chosen.compiler, pathlib.Path(folder))
        # The same program with the texts of errors and the exception, and without a loop.
        empty, _ = build.program("if (n < 0) throw strew::scatter_error({})", TYPES[:1], False)
        say(f"The library has {text_of(*build.objects) / 1000:.1f} MB of text. A static program with one call grows by:\n")
        say("| call | headers alone, KB | library, KB |")
        say("|---|---|---|")
        for name, call in CALLS.items():
            headers, compiled = (build.program(call, TYPES[:1], form)[0] - empty for form in (False, True))
            say(f"| {name} | {headers:.0f} | {compiled:.0f} |")
        say("\nCalls of `index_add` with so many pairs of element and index types:\n")
        say("| calls | headers alone, KB | seconds | library, KB | seconds |")
        say("|---|---|---|---|---|")
        for count in (1, 2, 4, 8, 16):
            cells = []
            for form in (False, True):
                text, seconds = build.program(CALLS["index_add"], TYPES[:count], form)
                cells.append(f"{text - empty:.0f} | {seconds:.1f}")
            say(f"| {count} | {' | '.join(cells)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
