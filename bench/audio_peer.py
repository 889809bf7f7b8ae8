#!/usr/bin/env python3
"""Prints how many times as fast as real time torchaudio computes MFCC on one thread: 16 kHz, 512/160/40/13, librosa's bands.

In CPU seconds, so that other work on the machine does not count, over a hundred runs, as ours are.
"""
import time
import warnings

warnings.filterwarnings("ignore")

import torch
import torchaudio

RATE, SECONDS, RUNS = 16000, 60, 100

torch.set_num_threads(1)
sound = 0.1 * torch.randn(1, RATE * SECONDS)
mfcc = torchaudio.transforms.MFCC(
    sample_rate=RATE, n_mfcc=13,
    melkwargs={"n_fft": 512, "hop_length": 160, "n_mels": 40, "mel_scale": "slaney", "norm": "slaney", "pad_mode": "constant"})
mfcc(sound)
start = time.process_time()
for _ in range(RUNS):
    mfcc(sound)
print(RUNS * SECONDS / (time.process_time() - start))
