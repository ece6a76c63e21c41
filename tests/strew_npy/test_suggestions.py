# SPDX-License-Identifier: Apache-2.0
"""Suggestions for misspelt operators and options, and cases without one."""

import re
import unittest

from driver import ProgramTest

FILES = ["data.npy", "indices.npy", "updates.npy", "--check"]
OPERATORS = {
    # edits
    "index_ad": "index_add",
    "index_addd": "index_add",
    "index_adf": "index_add",
    "idnex_add": "index_add",
    "scatter_udpate": "scatter_update",
    "scater_elments": "scatter_elements",
    "slice_scater": "slice_scatter",
    "pu": "put",
    "upt": "put",
    # other ways to write a name
    "index-add": "index_add",
    "INDEX_ADD": "index_add",
    "ScatterElementsUpdate": "scatter_elements_update",
    "ScatterND": "scatter_nd",
    # without the first word
    "tensor_scatter": "onnx_tensor_scatter",
    "tensor_sactter": "onnx_tensor_scatter",
    "TensorScatter": "onnx_tensor_scatter",
    "along_axis": "put_along_axis",
    "add": "scatter_add or index_add",
    "fill": "index_fill or masked_fill",
}
UNKNOWN = ["gather", "x", "sort", "data.npy", "nothing_of_the_kind", "scatter_gather_scatter", "\u00e4", "p", "i" * 100_000]
OPTIONS = [
    ("index_add", "--aplha=2", "--alpha"),
    ("index_add", "--axs=0", "--axis"),
    ("index_add", "--axsi", "--axis"),
    ("index_add", "-axis", "--axis"),
    ("index_add", "--AXIS=1", "--axis"),
    ("index_add", "--in_place", "--in-place"),
    ("index_add", "--chekc", "--check"),
    ("index_add", "--progress", "--no-progress"),
    ("index_add", "--vaule=1", "--value"),
    ("index_add", "--hlep", "--help"),
    ("index_add", "--bad-indexes=drop", "--bad-indices"),
    ("index_add", "--indicse", "indices, whose file stands alone, without --indices"),
    ("index_add", "--updates", "updates, whose file stands alone, without --updates"),
    ("slice_scatter", "--strat=1", "--start"),
    ("slice_scatter", "--stp=1", "--stop or --step"),
    ("slice_scatter", "--axis=1", "--axes"),
    ("index_reduce", "--reductoin=sum", "--reduction"),
    ("onnx_tensor_scatter", "--mdoe=linear", "--mode"),
    ("index_fill", "--vlaue=1", "--value"),
]
# Options of other operators, and options without a similar name.
NOT_NEAR = [
    ("index_add", "--alph\u00e4nomenal"), ("index_copy", "--alhpa=1"), ("index_add", "--strat=1"), ("put", "--axs=1"),
    ("index_add", "--x"), ("index_add", "-z"), ("index_add", "--nothing-of-the-kind=3"), ("index_add", "-1"),
    ("index_add", "---"), ("index_add", "--=3"), ("index_add", "-----"), ("index_add", "-=-"),
    ("index_add", "--"+ "a" * 100_000),
]  # fmt: skip


class Suggestions(ProgramTest):
    def test_operators(self):
        for name, nearest in OPERATORS.items():
            with self.subTest(name=name):
                said = self.refuse(name, *FILES)
                self.assertEqual(said, f"strew-npy: no operator is called {name}; did you mean {nearest}? "
                                 "(see strew-npy --help)\n")  # fmt: skip

    def test_operators_that_are_near_to_none(self):
        for name in UNKNOWN:
            with self.subTest(name=name[:20]):
                said = self.refuse(name, *FILES, words=[f"no operator is called {name}: name slice_scatter, "])
                self.assertNotIn("did you mean", said)

    def test_help_of_no_operator(self):
        for arguments in (["index_ad", "--help"], ["--help", "index_ad"]):
            self.refuse(*arguments, words=["no operator is called index_ad; did you mean index_add?"])

    def test_options(self):
        for operator, option, nearest in OPTIONS:
            with self.subTest(operator=operator, option=option):
                said = self.refuse(operator, option, *FILES)
                self.assertEqual(said, f"strew-npy: this argument is not expected: {option}; did you mean {nearest}? "
                                 f"(see strew-npy {operator} --help)\n")  # fmt: skip

    def test_options_that_are_near_to_none(self):
        for operator, option in NOT_NEAR:
            with self.subTest(operator=operator, option=option[:30]):
                said = self.refuse(operator, option, *FILES, words=["not expected: ", f"strew-npy {operator} --help"])
                self.assertNotIn("did you mean", said)

    def test_a_value_that_stands_apart_is_no_operand(self):
        said = self.refuse("index_add", "--axs", "1", *FILES)
        self.assertIn("this argument is not expected: --axs; did you mean --axis? (", said)

    def test_several_options(self):
        said = self.refuse("index_add", "--axs=1", "--whatever", "--aplha=2", *FILES, "more.npy")
        self.assertIn("these arguments are not expected: --axs=1 --whatever --aplha=2; "
                      "did you mean --axis and --alpha? (", said)  # fmt: skip

    def test_options_before_the_operator(self):
        self.assertIn("did you mean --version?", self.refuse("--verison"))
        self.assertNotIn("did you mean", self.refuse("--axis=0"))
        self.assertNotIn("did you mean", self.refuse("--axis=0", "index_add", *FILES))

    def test_names_are_printed_as_plain_text(self):
        for name, shown in (
            ("index\x1b_add", r"$'index\x1b_add'"),
            ("index_ad\n", r"$'index_ad\n'"),
            ("index_add\udcff", r"$'index_add\xff'"),
        ):
            with self.subTest(name=name):
                said = self.refuse(name, *FILES)
                self.assertEqual(said, f"strew-npy: no operator is called {shown}; did you mean index_add? "
                                 "(see strew-npy --help)\n")  # fmt: skip
        for option, shown in (("--ax\x1bis=1", r"$'--ax\x1bis=1'"), ("--axis\n", r"$'--axis\n'")):
            with self.subTest(option=option):
                said = self.refuse("index_add", option, *FILES)
                self.assertEqual(said, f"strew-npy: this argument is not expected: {shown}; did you mean --axis? "
                                 "(see strew-npy index_add --help)\n")  # fmt: skip

    def test_every_operator_is_suggested_for_a_letter_too_many_too_few_and_two_exchanged(self):
        listed = re.search(r"\nSubcommands:\n(.*?)\n\n", self.succeed("--help"), re.DOTALL)[1]
        names = [line.split()[0] for line in listed.splitlines()]
        for name in names:
            middle = len(name) // 2
            for wrong in (name + "x", name[:middle] + name[middle + 1 :],
                          name[: middle - 1] + name[middle] + name[middle - 1] + name[middle + 1 :]):  # fmt: skip
                if wrong not in names:
                    self.refuse(wrong, words=[f"did you mean {name}?"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
