#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/resampler: what scipy's resample_poly makes of one noise, with its own filter and with ours.

Outputs are computed in float64 and rounded to float32 once. Needs Debian's python3-scipy. Run it again only to add
a ratio: the files are committed.
"""

import json
import pathlib

import numpy
import scipy
from scipy import signal

CHANNELS, FRAMES = 2, 1500
FOLDER = pathlib.Path(__file__).resolve().parent.parent / "data" / "resampler"

# from_hz, to_hz, frames of the noise that are taken
STANDARD = [
    (48000, 44100, 1500),
    (44100, 48000, 1500),
    (48000, 96000, 700),
    (96000, 48000, 1499),
    (48000, 16000, 1500),
    (44100, 44100, 50),
    (8000, 44100, 200),
    (7, 5, 1),
    (3, 11, 2),
    (48000, 44100, 13),
]


def kaiser_filter(up, down, decibels):
    """Kaiser's formulas: kept up to 0.9 of the lower Nyquist frequency, stopped from it on."""
    longest = max(up, down)
    half = int(numpy.ceil((decibels - 7.95) / (2.285 * numpy.pi * 0.1) / 2 * longest))
    return signal.firwin(2 * half + 1, 0.95 / longest, window=("kaiser", 0.1102 * (decibels - 8.7)))


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    noise = numpy.random.default_rng(2).uniform(-0.5, 0.5, (CHANNELS, FRAMES)).astype("<f4")
    noise.tofile(FOLDER / "noise.f32")
    index = {"scipy": scipy.__version__, "channels": CHANNELS, "frames": FRAMES, "cases": []}
    cases = [(*case, "standard") for case in STANDARD]
    cases += [(48000, 44100, 1500, "high"), (44100, 48000, 1500, "best")]
    for from_hz, to_hz, frames, quality in cases:
        common = numpy.gcd(from_hz, to_hz)
        up, down = int(to_hz // common), int(from_hz // common)
        window = ("kaiser", 5.0) if quality == "standard" else kaiser_filter(up, down, {"high": 99, "best": 123}[quality])
        out = signal.resample_poly(noise[:, :frames].astype("f8"), up, down, axis=1, window=window)
        name = f"{quality}_{from_hz}_to_{to_hz}_{frames}"
        numpy.asarray(out, dtype="<f4").tofile(FOLDER / f"{name}.f32")
        index["cases"].append({"name": name, "from_hz": from_hz, "to_hz": to_hz, "quality": quality, "frames": frames,
                               "output_frames": out.shape[1]})
    (FOLDER / "index.json").write_text(json.dumps(index, indent=1) + "\n")


if __name__ == "__main__":
    main()
