#include "motet/multilabel/one_against_all.h"

#include <cmath>

#include "motet/base/error.h"
#include "motet/multilabel/sources/fit_sources.h"
#include "motet/multilabel/sources/gaussian_problem.h"
#include "motet/multilabel/sources/trainings.h"
#include "motet/sources/density/set_density.h"
#include "motet/sources/family.h"

namespace motet::multilabel {
namespace {

// A set of one is the source itself under every combination; this one has its density in closed form.
Combination of_one(Family family) { return family_of(family).alone(); }

// log p of each source by itself, also where a background is in every set: rows x labels.
std::vector<double> log_densities_alone(Sources sources, std::size_t labels, std::span<const double> x,
                                        Threads threads) {
  sources.combination = of_one(sources.family);
  sources.background = false;
  BitMatrix alone(labels, sources.count);
  for (std::size_t k = 0; k < labels; ++k) alone.set(k, k);
  return log_densities(sources, alone, x, threads);
}

}  // namespace

bool has_one_against_all(Training method) { return method == Training::cross || method == Training::probabilistic; }

std::optional<OneAgainstAll> learn_one_against_all(const LabelSetIndex& index, std::span<const double> x,
                                                   std::size_t dimensions, const TrainOptions& options,
                                                   const RunContext& run) {
  if (!has_one_against_all(options.method)) return std::nullopt;
  const bool full = is_gaussian(options.source) && needs_matrices(options);
  const SetStatistics statistics = gather(index, x, dimensions, options.source, full, run.threads);
  OneAgainstAll against;
  against.with = lesson_weights(statistics, options);
  const SetStatistics rest = rest_statistics(statistics, against.without);
  TrainOptions of_rest = options;
  of_rest.combine = of_one(options.source);
  of_rest.background = false;
  RunContext unkept = run;  // the checkpoint is that of the sources
  unkept.save = {};
  unkept.resume = {};
  try {
    against.rest = fit_sources(rest, of_rest, unkept).sources;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::unanswerable) throw;
    return std::nullopt;
  }
  return against;
}

std::vector<double> label_posteriors(const Sources& sources, const OneAgainstAll& against, std::span<const double> x,
                                     Threads threads) {
  const std::size_t labels = against.with.size();
  std::vector<double> result = log_densities_alone(sources, labels, x, threads);
  const std::vector<double> rest = log_densities_alone(against.rest, labels, x, threads);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double with = against.with[i % labels];
    const double without = against.without[i % labels];
    // Where neither can have made the item, the shares of the items are all there is.
    const bool possible = std::isfinite(result[i]) || std::isfinite(rest[i]);
    const double against_it = std::log(without) - std::log(with) + (possible ? rest[i] - result[i] : 0.0);
    result[i] = without > 0.0 ? 1.0 / (1.0 + std::exp(against_it)) : 1.0;
  }
  return result;
}

}  // namespace motet::multilabel
