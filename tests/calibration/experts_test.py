"""Constants of DeepEP's kernels still give what they were set on: tables of its version 1. This is no validation."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "validation"))
from published_experts import HeldAgainstRows


class Calibration(HeldAgainstRows):
    def test_normal_kernels_of_v1(self):
        self.hold("v1", "normal", 8)

    def test_low_latency_kernels_of_v1(self):
        self.hold("v1", "low-latency", 12)


unittest.main()
