"""CPU seconds of one EM iteration of scikit-learn's GaussianMixture on one thread.

Usage: temporal_peer.py [ROWS [DIMENSIONS [COMPONENTS]]]

The rows are drawn as in temporal_bench.cpp. An iteration is (time of 6 iterations - time of 1) / 5, the least of three
rounds; prints one number.
"""
import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import sys
import time
import warnings

import numpy as np
from sklearn.mixture import GaussianMixture

ITERATIONS = 6
ROUNDS = 3


def drawn_rows(rows, dimensions, components):
    """Clusters two standard deviations apart whose columns are correlated."""
    rng = np.random.default_rng(1)
    centre = 2.0 * (np.arange(rows) % components)[:, None]
    return centre + 0.5 * rng.standard_normal((rows, 1)) + rng.standard_normal((rows, dimensions))


def seconds(data, components, iterations):
    model = GaussianMixture(components, covariance_type="full", init_params="random", max_iter=iterations, tol=0.0,
                            random_state=1)
    start = time.process_time()
    model.fit(data)
    return time.process_time() - start


def main():
    sizes = [int(word) for word in sys.argv[1:]]
    rows, dimensions, components = sizes + [1_000_000, 13, 2][len(sizes):]
    warnings.simplefilter("ignore")
    data = drawn_rows(rows, dimensions, components)
    rounds = []
    for _ in range(ROUNDS):
        one = seconds(data, components, 1)
        rounds.append((seconds(data, components, ITERATIONS) - one) / (ITERATIONS - 1))
    print(f"{min(rounds):.6f}")


if __name__ == "__main__":
    main()
