// What the bindings of all tasks share: options, arrays, and fits that let Python live meanwhile.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "motet/error.h"
#include "motet/features.h"
#include "motet/interval.h"
#include "motet/options.h"
#include "motet/run.h"

namespace motet::python {

namespace py = pybind11;

template <class T>
using Array = py::array_t<T, py::array::c_style>;

using Names = std::vector<std::string>;

// Option texts by name, of a Python dict whose values are text already.
Options options_of(const py::dict& values);
py::list list_of(const OptionList& options);

// What Python says of a run: the seed, the threads, and None or a function that is told of progress.
struct Wish {
  std::uint64_t seed = 1;
  unsigned threads = 0;
  py::object progress;
};
Wish wish_of(const py::tuple& run);

// Does the work in a thread of its own with the interpreter's lock released. Meanwhile the calling thread hands
// progress to Python and asks it for signals: after Ctrl-C the work is told to end, and KeyboardInterrupt is thrown.
void released(const Wish& wish, const std::function<void(const Run&)>& work);

template <class Work>
auto released_result(const Wish& wish, const Work& work) {
  std::optional<std::invoke_result_t<Work, const Run&>> result;
  released(wish, [&](const Run& run) { result.emplace(work(run)); });
  return std::move(*result);
}

// An array that owns the numbers of a vector, which are not copied.
template <class T>
py::array_t<T> array_of(std::vector<T> values, std::vector<py::ssize_t> shape) {
  auto* const kept = new std::vector<T>(std::move(values));
  const py::capsule owner(kept, [](void* numbers) { delete static_cast<std::vector<T>*>(numbers); });
  return py::array_t<T>(std::move(shape), kept->data(), owner);
}

template <class T>
py::array_t<T> array_of(std::vector<T> values) {
  const auto size = static_cast<py::ssize_t>(values.size());
  return array_of(std::move(values), {size});
}

// Rows by columns.
py::array_t<double> array_of(FeatureTable table);

// Intervals as [..., 2].
py::array_t<double> array_of_intervals(const std::vector<Interval>& intervals, std::vector<py::ssize_t> shape);

// Lists of numbers of different lengths as (numbers of all, where each begins): the rows of a sparse matrix.
py::tuple rows_of(const std::vector<std::vector<std::uint32_t>>& sets);

// And back.
std::vector<std::vector<std::uint32_t>> sets_of(const Array<std::int64_t>& numbers, const Array<std::int64_t>& starts);

py::dict dict_of(const FitSummary& summary);

// Rows of numbers, read in place; float64 or float32, C-contiguous.
FeatureTable table_of(const py::array& values, Names columns);

// The same for rows in time: `sequences` may be empty.
FeatureTable table_of(const py::array& values, Names columns, std::vector<std::size_t> sequences, double hop,
                      double window);

// Gives a class of models to Python: kept, copied and sent to other processes as the text of its file.
template <class Model, class Module>
py::class_<Model> bind_model(Module& module, const char* name, std::string (*to_text)(const Model&),
                             Model (*from_text)(std::string_view)) {
  py::class_<Model> bound(module, name);
  bound.def("text", [to_text](const Model& model) { return py::bytes(to_text(model)); })
      .def_static("of_text", [from_text](const std::string& text) { return from_text(text); })
      .def(py::pickle([to_text](const Model& model) { return py::bytes(to_text(model)); },
                      [from_text](const py::bytes& text) { return from_text(std::string(text)); }));
  return bound;
}

void bind_judges(py::module_& module);
void bind_multilabel(py::module_& module);
void bind_superset(py::module_& module);
void bind_roles(py::module_& module);
void bind_temporal(py::module_& module);
void bind_discover(py::module_& module);
void bind_audio(py::module_& module);
void bind_measure(py::module_& module);

}  // namespace motet::python
