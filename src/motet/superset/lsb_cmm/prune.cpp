#include <numeric>

#include "motet/superset/lsb_cmm/lsb_fit.h"

namespace motet::superset {

bool prune(LsbParameters& parameters, std::vector<double>& mass, double least) {
  std::vector<std::size_t> stay;
  for (std::size_t k = 0; k < parameters.components; ++k) {
    if (mass[k] >= least) stay.push_back(k);
  }
  if (stay.size() == parameters.components || stay.empty()) return false;
  LsbParameters left{stay.size(), parameters.classes, parameters.dimensions, {}, {}};
  std::vector<double> left_mass;
  const std::size_t width = left.width();
  left.w.assign((parameters.dimensions + 1) * width, 0.0);
  for (std::size_t j = 0; j < stay.size(); ++j) {
    const std::size_t k = stay[j];
    // The last component that is left closes the stick, whatever its logit was.
    for (std::size_t d = 0; d <= parameters.dimensions && j + 1 < stay.size(); ++d) {
      left.w[d * width + j] = parameters.w[d * parameters.width() + k];
    }
    const auto a = parameters.a.begin() + static_cast<std::ptrdiff_t>(k * parameters.classes);
    left.a.insert(left.a.end(), a, a + static_cast<std::ptrdiff_t>(parameters.classes));
    left_mass.push_back(mass[k]);
  }
  parameters = std::move(left);
  mass = std::move(left_mass);
  return true;
}

LsbParameters parameters_of(const LsbCmm& model) {
  LsbParameters parameters{model.components(), model.classes, model.dimensions, {}, model.concentration};
  const std::size_t width = parameters.width();
  parameters.w.assign((model.dimensions + 1) * width, 0.0);
  for (std::size_t k = 0; k < parameters.sticks(); ++k) {
    for (std::size_t d = 0; d <= model.dimensions; ++d) {
      parameters.w[d * width + k] = model.weights[k * (model.dimensions + 1) + d];
    }
  }
  return parameters;
}

LsbCmm model_of(const LsbParameters& parameters, std::vector<double> mass) {
  LsbCmm model;
  model.dimensions = parameters.dimensions;
  model.classes = parameters.classes;
  model.concentration = parameters.a;
  model.mass = std::move(mass);
  for (std::size_t k = 0; k < parameters.sticks(); ++k) {
    for (std::size_t d = 0; d <= parameters.dimensions; ++d) {
      model.weights.push_back(parameters.w[d * parameters.width() + k]);
    }
  }
  return model;
}

}  // namespace motet::superset
