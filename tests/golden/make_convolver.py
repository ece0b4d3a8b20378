#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/convolver: one noise convolved with decaying noises by scipy.signal.convolve.

Computed in float64 and rounded to float32 once. Needs Debian's python3-scipy. Run it again only to add a
response: the files are committed.
"""

import json
import pathlib

import numpy
import scipy
from scipy import signal

FRAMES = 6000
TAPS = [1, 31, 500, 5000]
FOLDER = pathlib.Path(__file__).resolve().parent.parent / "data" / "convolver"


def write(name, values):
    numpy.asarray(values, dtype="<f4").tofile(FOLDER / f"{name}.f32")


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    random = numpy.random.default_rng(3)
    noise = random.uniform(-0.5, 0.5, FRAMES).astype("<f4")
    write("noise", noise)
    for taps in TAPS:
        response = (random.uniform(-1, 1, taps) * numpy.exp(-5 * numpy.arange(taps) / taps)).astype("<f4")
        write(f"response_{taps}", response)
        # Not through a transform: scipy's own rounding stays out of the numbers.
        convolved = signal.convolve(noise.astype("f8"), response.astype("f8"), method="direct")
        write(f"convolved_{taps}", convolved[:FRAMES])
    index = {"scipy": scipy.__version__, "frames": FRAMES, "taps": TAPS}
    (FOLDER / "index.json").write_text(json.dumps(index) + "\n")


if __name__ == "__main__":
    main()
