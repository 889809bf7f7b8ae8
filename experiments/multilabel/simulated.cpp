#include "experiments/multilabel/simulated.h"

#include <algorithm>
#include <cmath>

#include "motet/multilabel/sources/fit_sources.h"
#include "motet/sources/density/set_density.h"
#include "motet/sources/sample.h"

namespace motet::multilabel {

namespace {

// Location parameters of the items of a set: what `new` estimates.
std::vector<double> combined_location(const Sources& sources, std::span<const std::uint64_t> set) {
  const std::size_t D = sources.dimensions;
  std::vector<double> result(D, sources.family == Family::bernoulli ? 1.0 : 0.0);
  const std::vector<std::size_t> all = members(sources, set);
  for (std::size_t d = 0; d < D; ++d) {
    for (const std::size_t k : all) {
      const double theta = sources.location[k * D + d];
      result[d] = sources.family == Family::bernoulli ? result[d] * (1.0 - theta) : result[d] + theta;
    }
    if (sources.family == Family::bernoulli) result[d] = 1.0 - result[d];
  }
  return result;
}

}  // namespace

const char* word_of(Training method) { return training_words[static_cast<std::size_t>(method)]; }

std::vector<std::size_t> draw_counts(std::size_t sets, std::size_t items, std::size_t least, Rng rng) {
  for (std::uint64_t attempt = 0;; ++attempt) {
    std::vector<std::size_t> counts(sets, 0);
    for (std::size_t n = 0; n < items; ++n) ++counts[rng.below(sets)];
    if (*std::min_element(counts.begin(), counts.end()) >= least || attempt == 1000) return counts;
  }
}

DrawnItems draw_items(const Sources& sources, const BitMatrix& sets, std::span<const std::size_t> counts,
                      const Rng& rng) {
  std::vector<std::uint32_t> of_item;
  for (std::uint32_t j = 0; j < counts.size(); ++j) of_item.insert(of_item.end(), counts[j], j);
  DrawnItems items;
  items.sets = sets.rows_of(of_item);
  items.x = sample_items(sources, items.sets, rng);
  return items;
}

TrainedSources train_drawn(const DrawnItems& items, const Sources& kind, Training method, bool shrunk,
                           const RunContext& run) {
  TrainOptions options;
  options.method = method;
  options.source = kind.family;
  options.combine = kind.combination;
  options.covariance = kind.covariance;
  if (!shrunk) options.shrinkage = 0.0;
  options.tolerance = 1e-8;
  const LabelSetIndex index = index_label_sets(items.sets);
  TrainedSources trained{method, fit_sources(index, items.x, kind.dimensions, options, run).sources, {}, {}};
  std::vector<std::uint32_t> seen;
  for (std::uint32_t j = 0; j < index.size(); ++j) {
    if (method == Training::ignore && index.sets.count(j) != 1) continue;
    seen.push_back(j);
    trained.counts.push_back(static_cast<double>(index.count(j)));
  }
  trained.sets = index.sets.rows_of(seen);
  trained.against = learn_one_against_all(index, items.x, kind.dimensions, options, run);
  return trained;
}

std::vector<double> squared_errors(const TrainedSources& trained, const Sources& truth) {
  const std::size_t D = truth.dimensions;
  std::vector<double> squares;
  for (std::size_t k = 0; k < trained.sources.count; ++k) {
    const std::vector<double> expected =
        trained.method == Training::fresh
            ? combined_location(truth, trained.sets.row(k))
            : std::vector<double>(truth.location_of(k).begin(), truth.location_of(k).end());
    for (std::size_t d = 0; d < D; ++d) {
      const double away = trained.sources.location[k * D + d] - expected[d];
      squares.push_back(away * away);
    }
  }
  return squares;
}

BitMatrix classify(const TrainedSources& trained, const BitMatrix& candidates, std::span<const double> x,
                   bool use_prior) {
  const bool own = trained.method == Training::fresh;
  const BitMatrix& sets = candidates.rows() > 0 && !own ? candidates : trained.sets;
  BitMatrix asked = sets;
  if (own) {
    asked = BitMatrix(sets.rows(), sets.rows());
    for (std::size_t j = 0; j < sets.rows(); ++j) asked.set(j, j);
  }
  const std::vector<double> densities = log_densities(trained.sources, asked, x, Threads{1});
  const std::size_t J = asked.rows();
  std::vector<std::uint32_t> best(densities.size() / J);
  for (std::size_t n = 0; n < best.size(); ++n) {
    double highest = -INFINITY;
    for (std::uint32_t j = 0; j < J; ++j) {
      const double score = densities[n * J + j] + (use_prior ? std::log(trained.counts[j]) : 0.0);
      if (score > highest) {
        highest = score;
        best[n] = j;
      }
    }
  }
  return sets.rows_of(best);
}

BitMatrix classify_labels(const TrainedSources& trained, std::span<const double> x) {
  const std::vector<double> posterior = label_posteriors(trained.sources, trained.against.value(), x, Threads{1});
  const std::size_t labels = trained.against->with.size();
  BitMatrix sets(posterior.size() / labels, labels);
  for (std::size_t i = 0; i < posterior.size(); ++i) sets.set(i / labels, i % labels, posterior[i] > 0.5);
  return sets;
}

}  // namespace motet::multilabel
