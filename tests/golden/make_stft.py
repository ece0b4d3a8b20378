#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/stft: what scipy's stft makes of one noise, and its istft of spectra that were changed.

Computed in float64 and rounded to float32 once. Needs Debian's python3-scipy. Run it again only to add a case:
the files are committed.
"""

import json
import pathlib

import numpy
import scipy
from scipy import signal

SAMPLES = 1200
FOLDER = pathlib.Path(__file__).resolve().parent.parent / "data" / "stft"

# size, hop, window, padding
CASES = [
    (256, 64, "hann", "zero"),
    (256, 100, "hamming", "reflect"),
    (512, 128, ("kaiser", 8.6), "zero"),
    (480, 120, "blackman", "reflect"),
    (509, 200, "hann", "none"),
    (1024, 256, "hann", "reflect"),
    (63, 21, "hann", "zero"),
]
BOUNDARY = {"zero": "zeros", "reflect": "even", "none": None}


def write(name, values):
    values = numpy.ascontiguousarray(values)
    if numpy.iscomplexobj(values):
        values = values.astype("<c16").view("<f8")
    values.astype("<f4").tofile(FOLDER / f"{name}.f32")


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    random = numpy.random.default_rng(2)
    noise = random.uniform(-0.5, 0.5, SAMPLES).astype("<f4")
    write("noise", noise)
    index = {"scipy": scipy.__version__, "samples": SAMPLES, "cases": []}
    for size, hop, window, padding in CASES:
        values = signal.get_window(window, size)
        shape = {"window": values, "nperseg": size, "noverlap": size - hop}
        bins = signal.stft(noise.astype("f8"), **shape, boundary=BOUNDARY[padding], padded=False)[2]
        # No signal has these spectra: only the right sum of windows gives scipy's samples. They are float32, so
        # that both sides start from the same numbers.
        changed = (bins * random.uniform(0.5, 1.5, bins.shape)).astype("<c8")
        back = signal.istft(changed.astype("<c16"), **shape, boundary=padding != "none")[1]
        kind = window if isinstance(window, str) else window[0]
        name = f"{kind}_{size}_{hop}_{padding}"
        write(f"{name}_bins", bins.T)
        write(f"{name}_changed", changed.T)
        write(f"{name}_back", back)
        index["cases"].append({"name": name, "size": size, "hop": hop, "window": kind, "padding": padding,
                               "frames": bins.shape[1], "back": len(back)})
    (FOLDER / "index.json").write_text(json.dumps(index, indent=1) + "\n")


if __name__ == "__main__":
    main()
