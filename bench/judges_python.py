"""From votes in a pandas frame to labels: how much of the time is the fit itself, and crowd-kit beside it.

usage: build/venv/bin/python bench/judges_python.py [VOTES...]      (default 100000 1000000)

Each measurement is a process of its own, so that its largest memory is its own. Where crowd-kit is not installed the
table says so.
"""
import json
import resource
import subprocess
import sys
import time


def frame_of(votes, kind):
    import numpy as np
    import pandas as pd

    rng = np.random.default_rng(1)
    judges, classes, each = 100, 4, 10
    items = votes // each
    item = np.repeat(np.arange(items), each)
    judge = rng.integers(judges, size=len(item)).reshape(items, each)
    judge = (judge[:, :1] + np.arange(each) * (judges // each) + 0 * judge) % judges  # ten different ones
    truth = rng.integers(classes, size=items)
    accuracy = rng.uniform(0.5, 0.9, judges)
    said = np.where(rng.random(judge.shape) < accuracy[judge], truth[:, None], rng.integers(classes, size=judge.shape))
    frame = pd.DataFrame({"task": item, "worker": judge.ravel(), "label": said.ravel()})
    if kind != "numbers":
        names = frame.assign(task="t" + frame["task"].astype(str), worker="w" + frame["worker"].astype(str),
                             label="l" + frame["label"].astype(str))
        frame = names.astype("category") if kind == "categories" else names
    return frame


def measure(program, votes, kind):
    frame = frame_of(votes, kind)
    told = {}
    if program == "motet":
        import motet
        from motet import _core

        fits = []
        real = _core.judges_estimate

        def timed(*arguments):
            begin = time.perf_counter()
            found = real(*arguments)
            fits.append(time.perf_counter() - begin)
            return found

        motet.judges._core.judges_estimate = timed
        motet.Judges().fit(frame[:1000])
        fits.clear()
        begin = time.perf_counter()
        motet.Judges().fit_predict(frame)
        told["fit"] = fits[0]
    else:
        from crowdkit.aggregation import DawidSkene

        begin = time.perf_counter()
        DawidSkene(n_iter=100).fit_predict(frame)
    told["all"] = time.perf_counter() - begin
    told["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return told


def main(words):
    if words[:1] == ["measure"]:
        print(json.dumps(measure(words[1], int(words[2]), words[3])))
        return
    print(f"{'votes':>9} {'columns':10} {'program':10} {'seconds':>8} {'of them the fit':>16} {'ratio':>6} {'MB':>6}")
    for votes in map(int, words or ["100000", "1000000"]):
        for kind in ("numbers", "categories", "texts"):
            for program in ("motet", "crowd-kit"):
                done = subprocess.run([sys.executable, __file__, "measure", program, str(votes), kind], capture_output=True,
                                      text=True)
                if done.returncode != 0:
                    reason = "is not installed" if "No module named 'crowdkit'" in done.stderr else done.stderr.splitlines()[-1]
                    print(f"{votes:9} {kind:10} {program:10} {reason}")
                    continue
                told = json.loads(done.stdout)
                fit = f"{told['fit']:16.2f} {told['all'] / told['fit']:6.2f}" if "fit" in told else " " * 23
                print(f"{votes:9} {kind:10} {program:10} {told['all']:8.2f} {fit} {told['megabytes']:6.0f}")


if __name__ == "__main__":
    main(sys.argv[1:])
