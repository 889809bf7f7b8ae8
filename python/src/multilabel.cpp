#include "motet/multilabel.h"

#include "binding.h"

namespace motet::python {
namespace {

using multilabel::Model;

multilabel::Items items_of(const py::array& values, Names columns, Names labels, const Array<std::int64_t>& numbers,
                           const Array<std::int64_t>& starts) {
  return {table_of(values, std::move(columns)), std::move(labels), sets_of(numbers, starts)};
}

py::dict dict_of(const multilabel::Trained& trained) {
  py::dict told;
  told["model"] = trained.model;
  told["summary"] = python::dict_of(trained.summary);
  told["label_sets"] = trained.label_sets;
  told["log_likelihood"] = trained.log_likelihood;
  told["warnings"] = trained.warnings;
  return told;
}

py::dict dict_of(multilabel::Predictions found, std::size_t labels) {
  const auto rows = static_cast<py::ssize_t>(found.sets.size());
  py::dict told;
  told["sets"] = rows_of(found.sets);
  told["probability"] = array_of(std::move(found.probability));
  told["log_likelihood"] = array_of(std::move(found.log_likelihood));
  told["marginal"] = array_of(std::move(found.marginal), {rows, static_cast<py::ssize_t>(labels)});
  told["outlier"] = array_of(std::move(found.outlier));
  told["rejected"] = array_of(std::move(found.rejected));
  return told;
}

}  // namespace

void bind_multilabel(py::module_& module) {
  bind_model<Model>(module, "MultilabelModel", &multilabel::to_text, &multilabel::model_from_text)
      .def_property_readonly("labels", &Model::labels)
      .def_property_readonly("columns", &Model::columns);
  module.def("multilabel_separate", [](const Model& model, const py::array& values, Names columns, Names labels,
                                       const Array<std::int64_t>& numbers, const Array<std::int64_t>& starts,
                                       const py::tuple& run) {
    const multilabel::Items items = items_of(values, std::move(columns), std::move(labels), numbers, starts);
    multilabel::Emissions found =
        released_result(wish_of(run), [&](const Run& inner) { return multilabel::separate(model, items, inner); });
    const auto entries = static_cast<py::ssize_t>(found.item.size());
    const auto width = static_cast<py::ssize_t>(found.columns.size());
    return py::make_tuple(array_of(std::move(found.item)), array_of(std::move(found.source)),
                          array_of(std::move(found.mean), {entries, width}),
                          array_of(std::move(found.standard_deviation), {entries, width}), found.columns,
                          found.sources);
  });
  module.def("multilabel_simulate_options", [] { return python::list_of(multilabel::simulate_options()); });
  module.def("multilabel_simulate", [](const py::dict& options, const py::tuple& run) {
    const Options chosen = options_of(options);
    multilabel::Items made =
        released_result(wish_of(run), [&](const Run& inner) { return multilabel::simulate(chosen, inner); });
    return py::make_tuple(array_of(std::move(made.features)), made.labels, rows_of(made.sets));
  });
  module.def("multilabel_train_options", [] { return python::list_of(multilabel::train_options()); });
  module.def("multilabel_predict_options", [] { return python::list_of(multilabel::predict_options()); });
  module.def(
      "multilabel_train", [](const py::array& values, Names columns, Names labels, const Array<std::int64_t>& numbers,
                             const Array<std::int64_t>& starts, const py::dict& options, const py::tuple& run) {
        const multilabel::Items items = items_of(values, std::move(columns), std::move(labels), numbers, starts);
        const Options chosen = options_of(options);
        return dict_of(
            released_result(wish_of(run), [&](const Run& inner) { return multilabel::train(items, chosen, inner); }));
      });
  module.def("multilabel_predict", [](const Model& model, const py::array& values, Names columns,
                                      const py::dict& options, const py::tuple& run) {
    const FeatureTable table = table_of(values, std::move(columns));
    const Options chosen = options_of(options);
    return dict_of(released_result(wish_of(run),
                                   [&](const Run& inner) { return multilabel::predict(model, table, chosen, inner); }),
                   model.labels().size());
  });
}

}  // namespace motet::python
