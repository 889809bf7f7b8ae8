#include "motet/judges/tied/error_inference.h"

#include <cmath>

#include "motet/judges/tied/tied_em.h"

namespace motet::judges {

struct ErrorInference::Blocks {
  TiedLayout layout;
  std::vector<double> log_table;  // that of the classes is not used
};

ErrorInference::ErrorInference(const ErrorDependence& dependence, std::size_t class_count)
    : blocks_(
          std::make_unique<Blocks>(Blocks{TiedLayout(dependence.beta.size(), class_count, pairs_of(dependence)), {}})) {
  TiedParameters parameters;
  parameters.prior.assign(class_count, 1.0 / static_cast<double>(class_count));
  parameters.beta = dependence.beta;
  for (const ErrorDependence::Pair& pair : dependence.pairs) parameters.gamma.push_back(pair.gamma);
  parameters.rho = dependence.shared_errors;
  blocks_->log_table = blocks_->layout.log_table(blocks_->layout.pack(parameters));
}

ErrorInference::ErrorInference(ErrorInference&&) noexcept = default;
ErrorInference& ErrorInference::operator=(ErrorInference&&) noexcept = default;
ErrorInference::~ErrorInference() = default;

double ErrorInference::infer(std::span<const double> prior, std::span<const std::uint32_t> codes, std::int32_t known,
                             std::span<double> posterior) const {
  const std::size_t k = prior.size();
  std::vector<std::uint32_t> touched;
  std::vector<std::uint32_t> places;
  blocks_->layout.add_entries(codes, touched, places);
  std::vector<double> log_prior(k);
  for (std::size_t y = 0; y < k; ++y) log_prior[y] = std::log(prior[y]);
  return infer_entries(log_prior, blocks_->log_table, places, known, 1.0, posterior);
}

}  // namespace motet::judges
