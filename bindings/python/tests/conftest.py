# SPDX-License-Identifier: Apache-2.0
"""The folder of the tests on the path, and hypothesis without deadlines: threads and sanitizers take their time."""

import os
import sys
from pathlib import Path

import hypothesis

sys.path.insert(0, str(Path(__file__).parent))

hypothesis.settings.register_profile(
    "strew",
    deadline=None,
    derandomize=True,
    max_examples=int(os.environ.get("STREW_EXAMPLES", "200")),
    suppress_health_check=list(hypothesis.HealthCheck),
    database=None,
)
hypothesis.settings.load_profile("strew")
