"""Recordings to rows of numbers: mel-frequency cepstral coefficients as librosa has them, and all sets of features."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._errors import fail
from ._options import documented, options_of, texts_of


class Features(NamedTuple):
    """Rows of numbers with the names of their columns, and the time that they cover."""

    data: Any
    columns: list[str]
    hop: float  # seconds from a row to the next
    window: float  # seconds that a row covers


def samples_of(y: Any, channels: int | None = None) -> Any:
    """(channels, samples) of float32; whole numbers as parts of their range."""
    y = np.asarray(y)
    if y.ndim not in (1, 2) or y.size == 0:
        raise fail(f"y: samples have one dimension, or two (channels, samples); this is of shape {y.shape}", "y")
    if y.dtype.kind not in "fiu":
        raise fail(f"y: samples are numbers, not {y.dtype}", "y")
    if y.dtype.kind in "iu":
        info = np.iinfo(y.dtype)
        y = y.astype(np.float64) / -float(info.min) if info.min < 0 else y.astype(np.float64) / (info.max / 2 + 0.5) - 1.0
    y = np.ascontiguousarray(np.atleast_2d(y), np.float32)
    if not np.isfinite(y).all():
        raise fail("y: a sample is NaN or infinite", "y")
    if channels is not None and len(y) != channels:
        raise fail(f"y: {len(y)} channels where there must be {channels}", "y")
    return y


def rate_of(sr: Any) -> float:
    if not isinstance(sr, (int, float, np.number)) or not 0 < float(sr) < np.inf:
        raise fail(f"sr: {sr!r} is not a number of samples per second", "sr")
    return float(sr)


def features(y: Any, sr: float, **options: Any) -> Features:
    """The sets of features that the command line knows, of samples.

    Parameters
    ----------
    y : ndarray of shape (n_samples,) or (n_channels, n_samples)
    sr : float
        Samples per second.
    **options
        <options>

    Returns
    -------
    Features
        data (rows by columns), columns, hop and window.
    """
    return Features(*_core.audio_features(samples_of(y), rate_of(sr), texts_of(options), (1, 0, None)))


def mfcc(y: Any = None, *, sr: float = 22050, n_mfcc: int = 20, n_fft: int = 2048, hop_length: int = 512,
         win_length: int | None = None, center: bool = True, n_mels: int = 128, fmin: float = 0.0, fmax: float | None = None,
         htk: bool = False, norm: str | None = "slaney", power: float = 2.0, lifter: float = 0.0, pad_mode: str = "constant",
         window: str = "hann") -> Any:
    """Mel-frequency cepstral coefficients with librosa's names, defaults and shape.

    Parameters
    ----------
    y : ndarray of shape (n_samples,)
    sr : float
        Samples per second.
    n_mfcc, n_mels : int
        Coefficients and mel bands.
    n_fft, hop_length, win_length : int
        Samples of a transform, from one to the next, and of the window in it (None: n_fft).
    center : bool
        Whether row t is centred at sample t * hop_length; pad_mode 'constant' or 'reflect' says what is beyond the ends.
    fmin, fmax : float
        Where the bands begin and end.
    htk : bool
        The mel scale of HTK in the place of Slaney's.
    norm : {'slaney', None}
        Triangles of equal area, or of height 1.
    power, lifter : float
    window : {'hann', 'hamming', 'ones'}

    Returns
    -------
    ndarray of shape (n_mfcc, n_rows)
    """
    if y is None:
        raise fail("y: samples are needed", "y")
    if norm not in ("slaney", None):
        raise fail(f"norm: {norm!r} is neither 'slaney' nor None", "norm", "usage")
    pads = {"constant": "zero", "reflect": "reflect"}
    tapers = {"hann": "hann", "hamming": "hamming", "ones": "none", "boxcar": "none"}
    for name, value, known in (("pad_mode", pad_mode, pads), ("window", window, tapers)):
        if value not in known:
            raise fail(f"{name}: {value!r} is not one of {{{', '.join(known)}}}", name, "usage")
    options = {"set": "mfcc", "preset": "librosa", "coefficients": n_mfcc, "fft_size": n_fft, "hop_samples": hop_length,
               "window_samples": n_fft if win_length is None else win_length, "centre": center, "bands": n_mels,
               "low_hz": fmin, "high_hz": 0.0 if fmax is None else fmax, "mel": "htk" if htk else "slaney",
               "mel_norm": "none" if norm is None else "area", "power": power, "lifter": lifter, "pad": pads[pad_mode],
               "taper": tapers[window], "top_db": 80.0}
    return features(samples_of(y, channels=1)[0], sr, **options).data.T


def mix(background: Any, foregrounds: Any, sr: float, at: Any, gain: float = 1.0) -> Any:
    """Foreground sounds into a background: 1 is as strong as what they cover.

    Parameters
    ----------
    background : ndarray of shape (n_samples,)
    foregrounds : list of ndarray
    sr : float
        Samples per second, of all of them.
    at : sequence of float
        Seconds at which each foreground begins.
    gain : float
        Of each foreground against what it covers.

    Returns
    -------
    ndarray of float32
    """
    rate, under = rate_of(sr), samples_of(background, channels=1)[0]
    places = [int(round(float(second) * rate)) for second in np.atleast_1d(at)]
    if len(places) != len(foregrounds):
        raise fail(f"at: {len(places)} places for {len(foregrounds)} foregrounds", "at")
    if any(place < 0 for place in places):
        raise fail("at: a foreground begins before the background", "at")
    return _core.audio_mix(under, [samples_of(sound, channels=1)[0] for sound in foregrounds], places, float(gain))


def load(path: Any) -> tuple[Any, float]:
    """(samples, rate) of a .wav file of 8 to 32 bits: (n_samples,) for one channel, else (n_channels, n_samples), as float32.

    Other formats, and other rates, are what `motet audio features` of the command line reads.
    """
    import wave

    try:
        with wave.open(str(path), "rb") as file:
            channels, width, rate = file.getnchannels(), file.getsampwidth(), file.getframerate()
            content = file.readframes(file.getnframes())
    except (wave.Error, EOFError) as error:
        raise fail(f"{path}: not a .wav file of whole numbers: {error}", "path") from None
    if width == 3:
        parts = np.frombuffer(content, np.uint8).reshape(-1, 3)
        numbers = np.zeros((len(parts), 4), np.uint8)
        numbers[:, 1:] = parts
        samples = numbers.reshape(-1).view("<i4")
    else:
        samples = np.frombuffer(content, {1: np.uint8, 2: "<i2", 4: "<i4"}[width])
    table = samples_of(samples).reshape(-1, channels).T
    return (table[0] if channels == 1 else np.ascontiguousarray(table)), float(rate)


features.__doc__ = (features.__doc__ or "").replace(
    "<options>", "\n        ".join(documented(options_of(_core.audio_feature_options())).splitlines()))
