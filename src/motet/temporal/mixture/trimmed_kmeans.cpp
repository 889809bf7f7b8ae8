#include "motet/temporal/mixture/trimmed_kmeans.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "motet/base/error.h"
#include "motet/base/rng.h"
#include "motet/base/streams.h"

namespace motet::temporal {
namespace {

constexpr std::size_t one_left_out_of = 10;   // rows
constexpr std::size_t samples_per_start = 4;  // a sample without a far row is needed
constexpr std::size_t rows_a_centre = 5;      // of a sample
constexpr std::size_t first_rounds = 10;      // of every sample; the best goes on
constexpr std::size_t trimmed_rounds = 100;

class Trimming {
 public:
  Trimming(const Features& features, std::size_t clusters) : features_(features), nearest_(features.rows()) {
    result_.clusters.states.resize(features.rows());
    const std::size_t rows = features.rows();
    keep_ = std::max(rows - rows / one_left_out_of, std::min(rows, clusters));
  }

  // Moves the centres until the rows kept stay the same.
  TrimmedClusters from(std::vector<double> centres, std::size_t rounds) {
    result_.clusters.centres = std::move(centres);
    result_.kept.clear();
    for (std::size_t round = 0; round < rounds; ++round) {
      if (!assign()) break;
      move();
    }
    assign();
    return result_;
  }

 private:
  std::size_t dimensions() const { return features_.dimensions(); }

  // True when the rows kept or their clusters changed.
  bool assign() {
    const std::size_t rows = features_.rows();
    const std::vector<double>& centres = result_.clusters.centres;
    bool is_changed = result_.kept.empty();
    for (std::size_t n = 0; n < rows; ++n) {
      std::size_t best = 0;
      nearest_[n] = std::numeric_limits<double>::infinity();
      for (std::size_t k = 0; k < centres.size() / dimensions(); ++k) {
        double sum = 0.0;
        for (std::size_t d = 0; d < dimensions(); ++d) {
          const double apart = features_.row(n)[d] - centres[k * dimensions() + d];
          sum += apart * apart;
        }
        if (sum < nearest_[n]) {
          nearest_[n] = sum;
          best = k;
        }
      }
      is_changed = is_changed || result_.clusters.states[n] != best;
      result_.clusters.states[n] = static_cast<std::uint8_t>(best);
    }
    std::vector<std::uint32_t> order(rows);
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    const auto is_nearer = [&](std::uint32_t a, std::uint32_t b) {
      return nearest_[a] < nearest_[b] || (nearest_[a] == nearest_[b] && a < b);
    };
    std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(keep_ - 1), order.end(), is_nearer);
    order.resize(keep_);
    std::sort(order.begin(), order.end());
    is_changed = is_changed || order != result_.kept;
    result_.kept = std::move(order);
    result_.clusters.inertia = 0.0;
    for (const std::uint32_t n : result_.kept) result_.clusters.inertia += nearest_[n];
    return is_changed;
  }

  // A centre that lost all its rows stays.
  void move() {
    std::vector<double>& centres = result_.clusters.centres;
    std::vector<double> shift(centres.size(), 0.0);
    std::vector<double> count(centres.size() / dimensions(), 0.0);
    for (const std::uint32_t n : result_.kept) {
      const std::size_t k = result_.clusters.states[n];
      count[k] += 1.0;
      for (std::size_t d = 0; d < dimensions(); ++d) {
        shift[k * dimensions() + d] += features_.row(n)[d] - centres[k * dimensions() + d];
      }
    }
    for (std::size_t i = 0; i < centres.size(); ++i) {
      if (count[i / dimensions()] > 0.0) centres[i] += shift[i] / count[i / dimensions()];
    }
  }

  const Features& features_;
  std::size_t keep_ = 0;
  std::vector<double> nearest_;
  TrimmedClusters result_;
};

// Centres of a random sample; none when its rows are too alike.
std::optional<std::vector<double>> sampled_centres(const Features& features, std::size_t clusters, Rng rng,
                                                   const RunContext& run) {
  std::vector<std::uint32_t> rows;
  for (std::size_t i = 0; i < rows_a_centre * clusters; ++i) {
    rows.push_back(static_cast<std::uint32_t>(rng.below(features.rows())));
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  try {
    return kmeans(rows_of(features, rows), clusters, 1, ColumnUnits::own, run).centres;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::unanswerable) throw;
    return std::nullopt;
  }
}

}  // namespace

TrimmedClusters trimmed_kmeans(const Features& features, std::size_t clusters, std::size_t starts,
                               const RunContext& run) {
  Trimming trimming(features, clusters);
  TrimmedClusters best = trimming.from(kmeans(features, clusters, starts, ColumnUnits::own, run).centres, first_rounds);
  const Rng rng = stream(run.seed, Stream::temporal_trimmed_sample);
  for (std::size_t i = 0; i < samples_per_start * starts; ++i) {
    const std::optional<std::vector<double>> centres = sampled_centres(features, clusters, rng.child(i), run);
    if (!centres) continue;
    TrimmedClusters found = trimming.from(*centres, first_rounds);
    if (found.clusters.inertia < best.clusters.inertia) best = std::move(found);
  }
  return trimming.from(std::move(best.clusters.centres), trimmed_rounds);
}

}  // namespace motet::temporal
