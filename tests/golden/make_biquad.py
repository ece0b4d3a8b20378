#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/biquad: filters as scipy designs them, and what scipy's sosfilt makes of one noise.

Coefficients are kept with all their digits; outputs are computed in float64 and rounded to float32 once.
Needs Debian's python3-scipy. Run it again only to add a filter: the files are committed.
"""

import json
import pathlib

import numpy
import scipy
from scipy import signal

CHANNELS, FRAMES = 2, 2048
FOLDER = pathlib.Path(__file__).resolve().parent.parent / "data" / "biquad"

# What butterworth.hpp designs too: kind, order, cutoff, rate.
BUTTERWORTH = [
    ("lowpass", 1, 1000, 48000),
    ("lowpass", 2, 20, 192000),
    ("lowpass", 5, 8000, 44100),
    ("lowpass", 8, 1000, 48000),
    ("lowpass", 6, 23900, 48000),
    ("highpass", 1, 30, 44100),
    ("highpass", 3, 300, 48000),
    ("highpass", 4, 20, 192000),
    ("highpass", 8, 12000, 96000),
]

# What it does not: their zeros and gains lie anywhere.
OTHERS = {
    "elliptic_lowpass_7": signal.ellip(7, 0.1, 80, 5000, fs=48000, output="sos"),
    "chebyshev_bandpass_4": signal.cheby2(4, 60, [300, 3400], "bandpass", fs=48000, output="sos"),
    "peak_440_Q50": signal.tf2sos(*signal.iirpeak(440, 50, fs=48000)),
}


def write(name, samples):
    numpy.asarray(samples, dtype="<f4").tofile(FOLDER / f"{name}.f32")


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    noise = numpy.random.default_rng(1).uniform(-0.5, 0.5, (CHANNELS, FRAMES)).astype("<f4")
    write("noise", noise)
    filters = [
        ({"design": {"kind": kind, "order": order, "cutoff_hz": cutoff, "sample_rate_hz": rate}},
         f"butterworth_{kind}_{order}_{cutoff}Hz_at_{rate}",
         signal.butter(order, cutoff, kind, fs=rate, output="sos"))
        for kind, order, cutoff, rate in BUTTERWORTH
    ] + [({}, name, sos) for name, sos in OTHERS.items()]
    index = {"scipy": scipy.__version__, "channels": CHANNELS, "frames": FRAMES, "filters": []}
    for design, name, sos in filters:
        write(name, signal.sosfilt(sos, noise.astype("f8")))
        index["filters"].append({"name": name, **design, "sos": sos.tolist()})
    (FOLDER / "index.json").write_text(json.dumps(index, indent=1) + "\n")


if __name__ == "__main__":
    main()
