# Sourced by ./motet and ./check: finds which Debian packages are missing and installs them.
# Everything it says goes to stderr.

program_packages="
g++: the C++20 compiler
cmake: describes the build
ninja-build: runs the build
libeigen3-dev: linear algebra
libfmt-dev: text formatting
nlohmann-json3-dev: JSON files
libcli11-dev: the command line
libboost-dev: special functions and quantiles (Boost.Math)
zlib1g-dev: reading .gz files
libsndfile1-dev: reading recordings
libsoxr-dev: changing their sample rate
libsqlite3-dev: the project files of discover
libpugixml-dev: reading the label files of MULAN
libmatio-dev: reading .mat files
libsvm-dev: support vector machines, of audio and those that multilabel is compared with
libxgboost-dev: the random forests of audio
"
node_packages="
nodejs: builds the plots of the reports
npm: fetches the plotting library
ca-certificates: lets npm trust its server
"
python_packages="
python3: runs the package
python3-dev: compiling the extension module
pybind11-dev: binds C++ to Python
python3-numpy: arrays
python3-pip: installs the package
python3-venv: environments of their own
"
test_packages="
libgtest-dev: the C++ tests
librapidcheck-dev: property tests
libbenchmark-dev: benchmarks
pkg-config: finds OpenBLAS
libopenblas-dev: the matrix product that benchmarks of roles are measured against
clang-format: the format check
clang-tidy: the checks of .clang-tidy (tools/run_tidy.py)
groff-base: reads the manual pages
dpkg-dev: finds what the Debian package of the program depends on
lintian: looks at that package
python3: the layer check and the documentation's examples
python3-pytest: the tests of the Python package
python3-pandas: data frames, as they use them
python3-scipy: sparse matrices
python3-sklearn: its checks of estimators
python3-joblib: its processes
mypy: the types of the package
jupyter-nbconvert: runs its notebooks
python3-ipykernel: Python in notebooks
"
browser_packages="
chromium: opens the reports as a reader would
"

has_node() {
  local version
  version=$(node --version 2>/dev/null) && version=${version#v} && ((${version%%.*} >= 18)) && npm --version >/dev/null 2>&1
}

is_installed() {
  [[ $(dpkg-query -W -f='${Status}' "$1" 2>/dev/null) == *' ok installed' ]]
}

can_install() {
  (($(id -u) == 0)) || command -v sudo >/dev/null
}

# install_missing PROGRAM LOG LIST: LIST has lines 'package: reason'.
install_missing() {
  local program=$1 log=$2 package reason missing=() as_root=()
  if ! command -v dpkg-query >/dev/null; then
    echo "$program: this is not a Debian machine, so nothing is installed; the build will say what it lacks" >&2
    return 0
  fi
  while IFS=: read -r package reason; do
    [[ -z $package ]] || is_installed "$package" || missing+=("$package:$reason")
  done <<<"$3"
  ((${#missing[@]})) || return 0

  local names=("${missing[@]%%:*}")
  if (($(id -u) != 0)); then
    if ! can_install; then
      echo "$program: error: packages are missing and there is neither root nor sudo to install them; run as root:" \
        "apt-get update && apt-get install -y --no-install-recommends ${names[*]}" >&2
      return 5
    fi
    echo "$program: using sudo to install packages" >&2
    as_root=(sudo)
  fi
  printf 'installing %s\n' "${missing[@]}" >&2

  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3)
  mkdir -p "$(dirname "$log")"
  if ! { "${as_root[@]}" "${apt[@]}" update &&
    "${as_root[@]}" "${apt[@]}" install -y --no-install-recommends "${names[@]}"; } </dev/null >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "$program: error: packages could not be installed; the lines above are the end of $log" >&2
    return 5
  fi
}
