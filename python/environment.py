"""Makes a virtual environment with the package of this clone in it, as `pip install .` puts it there.

usage: environment.py FOLDER [BUILD]

BUILD is the folder of the build that the extension module is made in; see backend.py.
"""
import os
import pathlib
import subprocess
import sys
import venv

ROOT = pathlib.Path(__file__).resolve().parents[1]


def main(folder, build=None):
    if not (pathlib.Path(folder) / "bin" / "python").exists():
        # numpy and all that is used beside it are Debian's, and so is pip.
        venv.create(folder, system_site_packages=True, with_pip=False, symlinks=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    if build is not None:
        environment["MOTET_BUILD"] = str(build)
    return subprocess.run(
        [pathlib.Path(folder) / "bin" / "python", "-m", "pip", "install", "-v", "--no-index", "--no-deps",
         "--no-build-isolation", "--force-reinstall", "--disable-pip-version-check", "--no-warn-script-location",
         "--root-user-action=ignore", ROOT], env=environment).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
