# SPDX-License-Identifier: Apache-2.0
"""Audio files for the tests: made and read by scipy, ffmpeg and sox, not by the program under test."""
import shutil
import subprocess
import unittest

import numpy
import scipy.io.wavfile

RATE = 48000


def tone(seconds=0.5, channels=2, amplitude=0.5, rate=RATE):
    """Another sine in every channel; shape (frames, channels)."""
    time = numpy.arange(int(seconds * rate)) / rate
    return numpy.stack([amplitude * numpy.sin(2 * numpy.pi * (440 + 110 * c) * time) for c in range(channels)], axis=1)


def noise(frames, channels=2, seed=1, amplitude=0.1):
    """White noise, another in every channel; shape (frames, channels)."""
    return (amplitude * numpy.random.default_rng(seed).standard_normal((frames, channels))).astype("f4")


def error_db(found, expected):
    """The energy of the difference beside that of what is expected; -inf where there is none."""
    found, expected = numpy.asarray(found, "f8"), numpy.asarray(expected, "f8")
    if found.shape != expected.shape:
        raise AssertionError(f"shape {found.shape} was found, {expected.shape} expected")
    wrong = numpy.sum((found - expected) ** 2)
    return -numpy.inf if wrong == 0 else 10 * numpy.log10(wrong / numpy.sum(expected ** 2))


def write_wav(path, samples, kind=numpy.int16, rate=RATE):
    """Floats from -1 to 1 as a WAV file of that kind; returns what was written."""
    if kind == numpy.int16:
        samples = numpy.clip(numpy.rint(samples * 32768), -32768, 32767)
    elif kind == numpy.uint8:
        samples = numpy.clip(numpy.rint(samples * 128 + 128), 0, 255)
    samples = samples.astype(kind)
    scipy.io.wavfile.write(path, rate, samples)
    return samples


def read_wav(path):
    rate, samples = scipy.io.wavfile.read(path)
    return rate, samples


def ffmpeg(*arguments, **options):
    return subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-y", *map(str, arguments)], check=True,
                          capture_output=True, **options)


def decode(path, channels, *input_options):
    """The samples of any file, as ffmpeg sees them."""
    raw = ffmpeg(*input_options, "-i", path, "-f", "f32le", "-").stdout
    return numpy.frombuffer(raw, "<f4").reshape(-1, channels)


def needs(program):
    return unittest.skipUnless(shutil.which(program), f"{program} is not installed")
