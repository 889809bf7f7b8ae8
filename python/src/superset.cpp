#include "motet/superset.h"

#include "binding.h"

namespace motet::python {
namespace {

using superset::Model;

// Candidates as the rows of a sparse matrix: numbers of classes, where each row begins, and weights.
superset::Items items_of(const py::array& values, Names columns, Names classes, const Array<std::int64_t>& numbers,
                         const Array<std::int64_t>& starts, const Array<double>& weights) {
  superset::Items items{table_of(values, std::move(columns)), std::move(classes), {}};
  for (py::ssize_t row = 0; row + 1 < starts.size(); ++row) {
    std::vector<superset::Candidate>& candidates = items.candidates.emplace_back();
    for (std::int64_t i = starts.data()[row]; i < starts.data()[row + 1]; ++i) {
      candidates.push_back({static_cast<std::uint32_t>(numbers.data()[i]), weights.data()[i]});
    }
  }
  return items;
}

py::dict dict_of(superset::Predictions found, std::size_t classes) {
  const auto rows = static_cast<py::ssize_t>(found.label.size());
  py::dict told;
  told["label"] = array_of(std::move(found.label));
  told["confidence"] = array_of(std::move(found.confidence));
  told["probability"] = array_of(std::move(found.probability), {rows, static_cast<py::ssize_t>(classes)});
  told["sets"] = rows_of(found.sets);
  return told;
}

}  // namespace

void bind_superset(py::module_& module) {
  bind_model<Model>(module, "SupersetModel", &superset::to_text, &superset::model_from_text)
      .def_property_readonly("classes", &Model::classes)
      .def_property_readonly("columns", &Model::columns);
  module.def("superset_train_options", [] { return python::list_of(superset::train_options()); });
  module.def("superset_predict_options", [] { return python::list_of(superset::predict_options()); });
  module.def("superset_simulate_options", [] { return python::list_of(superset::simulate_options()); });
  module.def("superset_simulate", [](const py::dict& options, const py::tuple& run) {
    const Options chosen = options_of(options);
    superset::Simulated made =
        released_result(wish_of(run), [&](const Run& inner) { return superset::simulate(chosen, inner); });
    std::vector<std::vector<std::uint32_t>> sets;
    for (const std::vector<superset::Candidate>& candidates : made.items.candidates) {
      std::vector<std::uint32_t>& set = sets.emplace_back();
      for (const superset::Candidate& one : candidates) set.push_back(one.label);
    }
    return py::make_tuple(array_of(std::move(made.items.features)), made.items.classes, rows_of(sets),
                          array_of(std::move(made.truth)));
  });
  module.def("superset_train", [](const py::array& values, Names columns, Names classes,
                                  const Array<std::int64_t>& numbers, const Array<std::int64_t>& starts,
                                  const Array<double>& weights, const py::dict& options, const py::tuple& run) {
    const superset::Items items = items_of(values, std::move(columns), std::move(classes), numbers, starts, weights);
    const Options chosen = options_of(options);
    superset::Trained trained =
        released_result(wish_of(run), [&](const Run& inner) { return superset::train(items, chosen, inner); });
    py::dict told;
    told["model"] = trained.model;
    told["summary"] = python::dict_of(trained.summary);
    const auto rows = static_cast<py::ssize_t>(items.candidates.size());
    told["probability"] =
        array_of(std::move(trained.probability), {rows, static_cast<py::ssize_t>(items.classes.size())});
    return told;
  });
  module.def("superset_predict", [](const Model& model, const py::array& values, Names columns, const py::dict& options,
                                    const py::tuple& run) {
    const FeatureTable table = table_of(values, std::move(columns));
    const Options chosen = options_of(options);
    return dict_of(
        released_result(wish_of(run), [&](const Run& inner) { return superset::predict(model, table, chosen, inner); }),
        model.classes().size());
  });
  module.def("superset_disambiguate", [](const Model& model, const py::array& values, Names columns, Names classes,
                                         const Array<std::int64_t>& numbers, const Array<std::int64_t>& starts,
                                         const Array<double>& weights, const py::tuple& run) {
    const superset::Items items = items_of(values, std::move(columns), std::move(classes), numbers, starts, weights);
    std::vector<double> found =
        released_result(wish_of(run), [&](const Run& inner) { return superset::disambiguate(model, items, inner); });
    const auto rows = static_cast<py::ssize_t>(items.candidates.size());
    return array_of(std::move(found), {rows, static_cast<py::ssize_t>(items.classes.size())});
  });
}

}  // namespace motet::python
