"""Seconds in which scikit-learn's linear discriminant learns and predicts label sets, on one thread.

Usage: multilabel_peer.py FILE ROWS DIMENSIONS LABELS TRAINING_ROWS

FILE holds ROWS x DIMENSIONS features and then ROWS x LABELS indicators as 64-bit floating point numbers. Every label
set of the training rows is a class (label powerset) of LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto").
Prints the least time of three rounds, and the share of test rows whose label set it gets wrong.
"""
import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import sys
import time
import warnings

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

ROUNDS = 3


def main():
    path = sys.argv[1]
    rows, dimensions, labels, training = (int(word) for word in sys.argv[2:6])
    warnings.simplefilter("ignore")
    numbers = np.fromfile(path)
    features = numbers[: rows * dimensions].reshape(rows, dimensions)
    sets = numbers[rows * dimensions:].reshape(rows, labels)
    powerset = (sets @ (2.0 ** np.arange(labels))).astype(np.int64)
    rounds = []
    for _ in range(ROUNDS):
        start = time.process_time()
        model = LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto")
        model.fit(features[:training], powerset[:training])
        found = model.predict(features[training:])
        rounds.append(time.process_time() - start)
    print(f"{min(rounds):.6f} {np.mean(found != powerset[training:]):.6f}")


if __name__ == "__main__":
    main()
