"""Searches, sounds and data sets."""
from __future__ import annotations

import copy
import json
import pathlib
import pickle
import wave
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.fft
import scipy.signal

import motet
from motet import Discovery, audio, datasets
from motet.discover import simulate

Program = Callable[..., str]


def exact(path: Any) -> Any:
    return pd.read_csv(path, float_precision="round_trip", keep_default_na=False)


# --- searches ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def events() -> Any:
    return datasets.make_events(rows=600, dimensions=3, classes=2, event_length=12)


def test_a_search_finds_every_class(events: Any) -> None:
    told = simulate(events.data, events.target)
    background = max(set(events.target), key=list(events.target).count)
    assert set(told["found"]) == set(events.target) - {background}
    assert max(told["found"].values()) == told["questions"] < 200
    segments = told["search"].export()
    assert {one.label for one in segments} == set(told["found"])
    for one in segments:  # where it was answered, it is told
        assert 0 <= one.begin < one.end <= 600
    for row, label in told["search"].answers_.items():
        if label is not False:
            assert any(one.label == label and one.begin <= row < one.end for one in segments)


def test_answers_can_be_taken_back(events: Any) -> None:
    search = Discovery().start(events.data)
    first = search.next()
    before = search.model_.bytes()
    row = first[0].row
    search.answer(row, "bird")
    assert search.answers_ == {row: "bird"} and search.guarantee_.answered == 1
    assert search.model_.bytes() != before
    search.not_sure(first[1].row).nothing(first[2].row)
    assert list(search.answers_.values()) == ["bird", None, False]
    search.undo().undo().undo()
    assert search.model_.bytes() == before and search.next() == first and search.answers_ == {}
    with pytest.raises(ValueError, match="^undo: nothing was answered$"):
        search.undo()


def test_a_search_is_kept_and_goes_on(events: Any, tmp_path: pathlib.Path) -> None:
    search = Discovery(random_state=3).start(events.data, lengths=[300, 300])
    search.run(lambda row: events.target[row], most=5)
    assert len(search.answers_) == 5
    search.save(tmp_path / "s")
    for other in (pickle.loads(pickle.dumps(search)), copy.copy(search), Discovery().resume(tmp_path / "s", events.data, [300, 300])):
        assert other.next() == search.next()
        assert other.guarantee_ == search.guarantee_
    assert search.guarantee_.answered == 5 and not search.guarantee_.complete


def test_a_search_is_that_of_the_command_line(program: Program, tmp_path: pathlib.Path) -> None:
    made = datasets.make_events(rows=500, dimensions=3, classes=2, event_length=10)
    pd.DataFrame(made.data, columns=made.feature_names).to_csv(tmp_path / "d.csv", index=False)
    program("discover", "start", "p.motet", "d.csv", "--seed", 2)
    asked = json.loads(program("discover", "next", "p.motet", "--json", "-"))
    rows = [one["row"] for one in asked["items"]]
    search = Discovery(random_state=2).start(pd.DataFrame(made.data, columns=made.feature_names))
    assert [one.row + 1 for one in search.next()][:len(rows)] == rows


def test_features_bring_their_clock_along() -> None:
    rows = audio.features(tone(3.0), 22050)
    search = Discovery(components=2).start(rows)
    assert list(search.feature_names_in_) == rows.columns
    search.answer(5, "a")
    (segment,) = [one for one in search.export() if one.begin <= 0.5 < one.end]
    assert segment.end < 3.1  # seconds, not rows


@pytest.mark.parametrize(("call", "text"), [
    (lambda search: search.answer(0, None), "label: None is not the name of a class; see nothing() and not_sure()"),
    (lambda search: search.answer(-1, "a"), "row: -1 is not a row from 0 to 599"),
    (lambda search: search.answer(600, "a"), "row: 600 is not a row from 0 to 599"),
    (lambda search: search.answer("x", "a"), "row: 'x' is not a row from 0 to 599"),
    (lambda search: Discovery().start(np.zeros(3)),
     "X: Expected 2D array, got 1D array instead. Reshape your data with X.reshape(-1, 1) if it has a single feature, or "
     "X.reshape(1, -1) if it is a single item"),
    (lambda search: simulate(np.zeros((4, 1)) + np.arange(4.0)[:, None], ["a"] * 3), "truth: 3 entries for 4 rows of X"),
])
def test_what_is_wrong_with_an_answer_is_told(events: Any, call: Callable[[Any], Any], text: str) -> None:
    with pytest.raises(motet.InputError) as refused:
        call(Discovery().start(events.data))
    assert str(refused.value) == text


# --- sounds -----------------------------------------------------------------------------


def tone(seconds: float = 1.0, rate: int = 22050) -> Any:
    rng = np.random.default_rng(4)
    time = np.arange(int(seconds * rate)) / rate
    return (0.3 * np.sin(2 * np.pi * 440 * time * (1 + time)) + 0.02 * rng.standard_normal(len(time))).astype(np.float32)


def mel_of(hz: Any) -> Any:
    return np.where(hz < 1000, hz * 3 / 200, 15 + np.log(np.maximum(hz, 1e-9) / 1000) * 27 / np.log(6.4))


def reference_mfcc(y: Any, rate: float, coefficients: int, size: int, hop: int, bands: int) -> Any:
    """By the definitions, with SciPy's transforms."""
    padded = np.pad(y.astype(float), size // 2)
    frames = np.lib.stride_tricks.sliding_window_view(padded, size)[::hop]
    spectrum = np.abs(np.fft.rfft(frames * scipy.signal.get_window("hann", size), axis=1)) ** 2
    grid = np.linspace(0, mel_of(np.array(rate / 2)), bands + 2)
    hz = np.where(grid < 15, grid * 200 / 3, 1000 * np.exp((grid - 15) * np.log(6.4) / 27))
    bins = np.arange(size // 2 + 1) * rate / size
    rise = (bins - hz[:-2, None]) / (hz[1:-1] - hz[:-2])[:, None]
    fall = (hz[2:, None] - bins) / (hz[2:] - hz[1:-1])[:, None]
    filters = np.maximum(0, np.minimum(rise, fall)) * (2 / (hz[2:] - hz[:-2]))[:, None]
    levels = 10 * np.log10(np.maximum(spectrum @ filters.T, 1e-10))
    levels = np.maximum(levels, levels.max() - 80)
    return scipy.fft.dct(levels, norm="ortho", axis=1)[:, :coefficients].T


def test_mfcc_is_what_librosa_defines() -> None:
    y = tone()
    found = audio.mfcc(y, sr=22050)
    expected = reference_mfcc(y, 22050, 20, 2048, 512, 128)
    assert found.shape == expected.shape
    assert np.allclose(found, expected, rtol=1e-6, atol=1e-3)  # levels are tens of decibels; samples are float32
    found = audio.mfcc(y=y, sr=22050, n_mfcc=13, n_fft=1024, hop_length=256, n_mels=40)
    assert np.allclose(found, reference_mfcc(y, 22050, 13, 1024, 256, 40), rtol=1e-6, atol=1e-3)
    assert audio.mfcc(y, sr=22050, center=False).shape[1] == 1 + (len(y) - 2048) // 512


def write_wav(path: pathlib.Path, y: Any, rate: int) -> None:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes((y * 32767).astype("<i2").tobytes())


def test_features_are_those_of_the_command_line(program: Program, tmp_path: pathlib.Path) -> None:
    write_wav(tmp_path / "s.wav", tone(rate=16000), 16000)
    program("audio", "features", "s.wav", "--set", "mfcc,music", "--hop", 0.05, "--out", "f.csv")
    y, rate = audio.load(tmp_path / "s.wav")
    assert rate == 16000
    found = audio.features(y, rate, set="mfcc,music", hop=0.05)
    table = exact(tmp_path / "f.csv")
    assert [name for name in table if name in found.columns] == found.columns
    assert np.array_equal(table[found.columns].to_numpy(), found.data)
    assert found.hop == 0.05
    assert audio.features(y, rate).window == 0.25


def test_samples_in_every_width(tmp_path: pathlib.Path) -> None:
    y = np.array([0.0, 0.5, -1.0, 0.25])
    for width in (1, 2, 3, 4):
        scale = 2 ** (8 * width - 1)
        whole = np.clip(np.round(y * scale), -scale, scale - 1).astype(np.int64) + (128 if width == 1 else 0)
        content = b"".join(int(one).to_bytes(width, "little", signed=width > 1) for one in np.repeat(whole, 2))
        with wave.open(str(tmp_path / "w.wav"), "wb") as file:
            file.setparams((2, width, 8000, 4, "NONE", ""))
            file.writeframes(content)
        both, rate = audio.load(tmp_path / "w.wav")
        assert both.shape == (2, 4) and rate == 8000
        assert np.allclose(both[0], y, atol=1 / scale)
    (tmp_path / "x.wav").write_text("no sound")
    with pytest.raises(ValueError, match="x.wav: not a .wav file of whole numbers: "):
        audio.load(tmp_path / "x.wav")


def test_a_mixture_has_the_level_asked_for() -> None:
    under, over = tone(2.0), tone(0.5)[::-1].copy()
    mixed = audio.mix(under, [over], 22050, at=[0.5], gain=0.5)
    first = 11025
    added = mixed[first:first + len(over)] - under[first:first + len(over)]
    assert np.array_equal(mixed[:first], under[:first])
    assert np.linalg.norm(added) == pytest.approx(0.5 * np.linalg.norm(under[first:first + len(over)]), rel=1e-5)
    assert np.corrcoef(added, over)[0, 1] == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize(("call", "text"), [
    (lambda: audio.mfcc(), "y: samples are needed"),
    (lambda: audio.mfcc(np.zeros((2, 9))), "y: 2 channels where there must be 1"),
    (lambda: audio.mfcc(np.array(["a"])), "y: samples are numbers, not <U1"),
    (lambda: audio.mfcc([]), "y: samples have one dimension, or two (channels, samples); this is of shape (0,)"),
    (lambda: audio.mfcc(np.full(9, np.nan)), "y: a sample is NaN or infinite"),
    (lambda: audio.mfcc(tone(), sr=0), "sr: 0 is not a number of samples per second"),
    (lambda: audio.mfcc(tone(), norm="l2"), "norm: 'l2' is neither 'slaney' nor None"),
    (lambda: audio.mfcc(tone(), pad_mode="wrap"), "pad_mode: 'wrap' is not one of {constant, reflect}"),
    (lambda: audio.mfcc(tone(), n_mfcc=0), "coefficients=0 is outside [1, 128]"),
    (lambda: audio.features(tone(), 22050, hopp=1), None),
    (lambda: audio.mix(tone(), [tone()], 22050, at=[0.5]), None),
    (lambda: audio.mix(tone(), [tone()], 22050, at=[-1]), "at: a foreground begins before the background"),
    (lambda: audio.mix(tone(), [tone()], 22050, at=[0, 1]), "at: 2 places for 1 foregrounds"),
])
def test_what_is_wrong_with_a_sound_is_told(call: Callable[[], Any], text: str | None) -> None:
    with pytest.raises(motet.InputError) as refused:
        call()
    assert text is None or str(refused.value) == text


# --- data sets ----------------------------------------------------------------------------


def test_samples_are_those_of_the_program(sample: Callable[[str], str]) -> None:
    votes = datasets.load_votes()
    table = exact(sample("judges/votes.csv"))
    assert votes.votes == list(table.itertuples(index=False, name=None))
    assert len(votes.truth) == 300
    items = datasets.load_items()
    assert items.data.shape == (len(exact(sample("multilabel/items.csv"))), 6) and items.target_names[0] == "label1"
    assert datasets.load_candidates().target[0] == {"c1", "c3"}
    access = datasets.load_access()
    assert access.attributes["anna.a"] == {"department": "finance", "status": "active"}
    assert len(access.grants) == len(exact(sample("roles/access.csv")))
    assert "background" in datasets.load_events().target_names
    assert datasets.load_machine().data.shape[1] == 3


def test_simulated_data_are_those_of_the_command_line(program: Program, tmp_path: pathlib.Path) -> None:
    program("judges", "simulate", "--items", 30, "--seed", 4, "--out", "v.csv", "--truth", "t.csv")
    votes = datasets.make_votes(random_state=4, items=30)
    assert votes.votes == list(exact(tmp_path / "v.csv").itertuples(index=False, name=None))
    assert votes.truth == dict(exact(tmp_path / "t.csv").itertuples(index=False, name=None))
    program("multilabel", "simulate", "--items", 30, "--seed", 4, "--out", "i.csv")
    items, table = datasets.make_items(random_state=4, items=30), exact(tmp_path / "i.csv")
    assert np.array_equal(items.data, table[items.feature_names].to_numpy())
    assert np.array_equal(items.target, table[items.target_names].to_numpy())
    program("superset", "simulate", "--items", 30, "--seed", 4, "--out", "c.csv")
    made, table = datasets.make_candidates(random_state=4, items=30), exact(tmp_path / "c.csv")
    assert np.array_equal(made.data, table[made.feature_names].to_numpy())
    assert ["|".join(np.array(made.target_names)[row]) for row in made.target] == list(table["candidates"])
    program("roles", "simulate", "--users", 30, "--seed", 4, "--out", "a.csv")
    access = datasets.make_access(random_state=4, users=30)
    assert access.grants == list(exact(tmp_path / "a.csv").itertuples(index=False, name=None))
    assert set(access.assignments or {}) == {user for user, _ in access.grants}
    assert len(datasets.make_access(users=30, attribute_values=3).attributes) == 30
    program("discover", "generate", "--rows", 300, "--event-length", 9, "--seed", 4, "--out", "e.csv")
    events, table = datasets.make_events(random_state=4, rows=300, event_length=9), exact(tmp_path / "e.csv")
    assert np.allclose(events.data, table[events.feature_names].to_numpy(), atol=1e-3)  # the file may have fewer digits
    assert list(events.target) == list(table["y"])
