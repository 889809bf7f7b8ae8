#include "motet/measure.h"

#include "binding.h"

namespace motet::python {
namespace {

measure::YesNo table_of(const Array<std::uint8_t>& values) {
  return {static_cast<std::size_t>(values.shape(1)), {values.data(), values.data() + values.size()}};
}

std::span<const double> numbers_of(const Array<double>& values) {
  return {values.data(), static_cast<std::size_t>(values.size())};
}

std::span<const std::uint8_t> truths_of(const Array<std::uint8_t>& values) {
  return {values.data(), static_cast<std::size_t>(values.size())};
}

}  // namespace

void bind_measure(py::module_& module) {
  using Table = Array<std::uint8_t>;
  module.def("measure_label_sets", [](const Table& truth, const Table& predicted) {
    py::dict told;
    for (const measure::Figure& one : measure::label_sets(table_of(truth), table_of(predicted))) {
      told[py::str(one.name)] = py::make_tuple(one.value, one.standard_error);
    }
    return told;
  });
  module.def("measure_reliability", [](const Array<double>& probability, const Table& right, std::size_t bins) {
    const measure::Reliability found = measure::reliability(numbers_of(probability), truths_of(right), bins);
    py::list list;
    for (const measure::Bin& bin : found.bins) {
      list.append(py::make_tuple(bin.probability, bin.right, bin.standard_error, bin.items));
    }
    return py::make_tuple(list, found.expected_calibration_error);
  });
  module.def("measure_reject_curve", [](const Array<double>& probability, const Table& right, std::size_t points) {
    py::list list;
    for (const measure::Rejection& one : measure::reject_curve(numbers_of(probability), truths_of(right), points)) {
      list.append(py::make_tuple(one.threshold, one.coverage, one.error));
    }
    return list;
  });
  module.def("measure_match_roles", [](const Table& truth, const Table& found) {
    measure::RoleMatch match = measure::match_roles(table_of(truth), table_of(found));
    return py::make_tuple(match.error, array_of(std::move(match.partner)));
  });
  module.def("measure_reconstruction_error",
             [](const Table& a, const Table& b) { return measure::reconstruction_error(table_of(a), table_of(b)); });
  module.def("measure_coverage",
             [](const Table& a, const Table& b) { return measure::coverage(table_of(a), table_of(b)); });
  module.def("measure_stability", [](const Table& a, const Table& b, std::size_t draws, const py::tuple& run) {
    const measure::YesNo first = table_of(a);
    const measure::YesNo second = table_of(b);
    const measure::Stability found = released_result(
        wish_of(run), [&](const Run& inner) { return measure::stability(first, second, draws, inner); });
    return py::make_tuple(found.instability, found.corrected);
  });
}

}  // namespace motet::python
