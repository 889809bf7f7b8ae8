#include "motet/temporal.h"

#include "binding.h"

namespace motet::python {
namespace {

using temporal::Model;

py::dict dict_of(temporal::States states) {
  py::dict told;
  told["component"] = array_of(std::move(states.component));
  told["probability"] = array_of(std::move(states.probability));
  told["of_class"] = array_of(std::move(states.of_class));
  told["path"] = array_of(std::move(states.path));
  told["objective"] = states.objective;
  told["objective_kind"] = states.objective_kind;
  return told;
}

}  // namespace

void bind_temporal(py::module_& module) {
  bind_model<Model>(module, "TemporalModel", &temporal::to_text, &temporal::model_from_text)
      .def_property_readonly("components", &Model::components)
      .def_property_readonly("columns", &Model::columns)
      .def_property_readonly("classes", &Model::classes)
      .def("mean", &Model::mean)
      .def("covariance", &Model::covariance)
      .def("share", &Model::share)
      .def("degrees", &Model::degrees)
      .def_property_readonly("chain_start", &Model::chain_start)
      .def_property_readonly("chain_transition", &Model::chain_transition);
  module.def("temporal_fit_options", [] { return python::list_of(temporal::fit_options()); });
  module.def("temporal_fit", [](const py::array& values, Names columns, std::vector<std::size_t> sequences, double hop,
                                double window, std::size_t count, Names classes, std::vector<std::int32_t> of_row,
                                const py::dict& options, const py::tuple& run) {
    const FeatureTable table = table_of(values, std::move(columns), std::move(sequences), hop, window);
    const temporal::RowClasses known{std::move(classes), std::move(of_row)};
    const Options chosen = options_of(options);
    temporal::Fit fit = released_result(
        wish_of(run), [&](const Run& inner) { return temporal::fit(table, count, chosen, inner, known); });
    py::dict told;
    told["model"] = fit.model;
    told["states"] = dict_of(std::move(fit.states));
    told["summary"] = python::dict_of(fit.summary);
    told["log_likelihood"] = fit.log_likelihood;
    told["parameters"] = fit.parameters;
    told["bic"] = fit.bic;
    return told;
  });
  module.def("temporal_apply",
             [](const Model& model, const py::array& values, Names columns, std::vector<std::size_t> sequences,
                double hop, double window, const std::string& inference, const py::tuple& run) {
               const FeatureTable table = table_of(values, std::move(columns), std::move(sequences), hop, window);
               return dict_of(released_result(
                   wish_of(run), [&](const Run& inner) { return temporal::apply(model, table, inference, inner); }));
             });
}

}  // namespace motet::python
