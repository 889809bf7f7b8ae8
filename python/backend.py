"""Makes the wheel: what pip asks of a build backend (PEP 517), over CMake and with nothing that is not on the machine.

The extension module is built in the folder that the environment variable MOTET_BUILD, or the setting `build`, names; else
in build/release where ./motet has built, so that nothing is compiled twice; else in build/python, without the program.
"""
import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "python" / "motet"

SAMPLES = ("judges/votes.csv", "judges/truth.csv", "multilabel/items.csv", "superset/candidates.csv", "roles/access.csv",
           "roles/hr.csv", "discover/events.csv", "temporal/machine.csv")


def version():
    return re.search(r'version_text = "([^"]+)"', (ROOT / "include/motet/version.h").read_text(encoding="utf-8"))[1]


def tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def is_of_this_clone(build):
    cache = build / "CMakeCache.txt"
    return cache.is_file() and f"CMAKE_HOME_DIRECTORY:INTERNAL={ROOT}\n" in cache.read_text(encoding="utf-8")


def run(*words):
    done = subprocess.run([str(word) for word in words], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=sys.stderr)
    if done.returncode != 0:
        raise SystemExit(f"motet: error: {' '.join(map(str, words))}: status {done.returncode}; the lines above say why")


def built_module(settings):
    """The path of the extension module, up to date."""
    named = (settings or {}).get("build") or os.environ.get("MOTET_BUILD")
    build = ROOT / (named or "build/release")
    python = [f"-DPython_EXECUTABLE={os.path.realpath(sys.executable)}", "-DMOTET_PYTHON=ON"]
    if is_of_this_clone(build):
        if named is None:
            run("cmake", "-S", ROOT, "-B", build, *python)
    else:
        build = ROOT / (named or "build/python")
        run("cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DMOTET_UNITY=24",
            "-DMOTET_PROGRAM=OFF", "-DMOTET_DEVELOPER=OFF", *python)
    jobs = os.environ.get("MOTET_JOBS") or str(os.cpu_count())
    run("cmake", "--build", build, "--target", "motet_python", "-j", jobs)
    return next((build / "python").glob("_core.*.so"))


def metadata():
    return (f"Metadata-Version: 2.1\nName: motet\nVersion: {version()}\n"
            "Summary: Data whose labels are not one certain label per item: votes, candidates, sets, roles, states, "
            "rare sounds\nLicense: Apache-2.0\nRequires-Python: >=3.9\nRequires-Dist: numpy\n")


def package_files(module):
    """(name in the wheel, bytes), in order of the names."""
    files = {}
    with tempfile.TemporaryDirectory() as folder:
        package = pathlib.Path(folder) / "motet"
        shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(module, package)
        for name in SAMPLES:
            (package / "samples" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / "samples" / name, package / "samples" / name)
        run(sys.executable, ROOT / "python" / "stubs.py", folder)
        for path in package.rglob("*"):
            if path.is_file():
                files[path.relative_to(folder).as_posix()] = path.read_bytes()
    info = f"motet-{version()}.dist-info"
    files[f"{info}/METADATA"] = metadata().encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: motet\nRoot-Is-Purelib: false\nTag: {tag()}\n".encode()
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    return sorted(files.items())


def record(files):
    lines = []
    for name, content in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(content)}\n")
    return "".join(lines)


def get_requires_for_build_wheel(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = package_files(built_module(config_settings))
    list_name = f"motet-{version()}.dist-info/RECORD"
    files.append((list_name, (record(files) + f"{list_name},,\n").encode()))
    name = f"motet-{version()}-{tag()}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files:
            entry = zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0))  # the same bytes from the same files
            entry.external_attr = (0o755 if path.endswith(".so") else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)
    return name


if __name__ == "__main__":
    print(build_wheel(sys.argv[1]))
