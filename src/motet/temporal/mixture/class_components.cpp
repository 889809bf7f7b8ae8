#include "motet/temporal/mixture/class_components.h"

#include <algorithm>
#include <limits>
#include <string>

#include "motet/base/assignment.h"
#include "motet/base/error.h"

namespace motet::temporal {
namespace {

std::vector<std::size_t> labels_a_class(const RowLabels& labels, std::size_t classes) {
  std::vector<std::size_t> count(classes, 0);
  for (const std::int32_t y : labels) {
    if (y >= 0) ++count[static_cast<std::size_t>(y)];
  }
  return count;
}

class Distances {
 public:
  Distances(const Features& features, const GlobalShape& global, std::span<const double> centres)
      : features_(features), global_(global), centres_(centres) {}

  // The nearest of the clusters that `allowed` takes, in standard deviations of the columns.
  template <class Allowed>
  std::size_t nearest(std::size_t n, const Allowed& allowed) const {
    const std::size_t dimensions = features_.dimensions();
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < centres_.size() / dimensions; ++k) {
      if (!allowed(k)) continue;
      double sum = 0.0;
      for (std::size_t d = 0; d < dimensions; ++d) {
        const double apart = features_.row(n)[d] - centres_[k * dimensions + d];
        sum += apart * (apart / global_.covariance[d * dimensions + d]);
      }
      if (sum < least) {
        least = sum;
        best = k;
      }
    }
    return best;
  }

 private:
  const Features& features_;
  const GlobalShape& global_;
  std::span<const double> centres_;
};

}  // namespace

std::vector<std::size_t> components_a_class(const RowLabels& labels, std::size_t classes, std::size_t components) {
  const std::vector<std::size_t> count = labels_a_class(labels, classes);
  std::vector<std::size_t> share(classes, 0);
  std::size_t given = 0;
  for (std::size_t w = 0; w < classes; ++w) {
    if (count[w] == 0) continue;
    share[w] = 1;
    ++given;
  }
  if (given > components) {
    fail(ErrorKind::usage, "--components " + std::to_string(components) + " is too few; the labels name " +
                               std::to_string(given) + " classes");
  }
  if (given == 0) return share;
  for (; given < components; ++given) {
    std::size_t most = 0;
    for (std::size_t w = 1; w < classes; ++w) {
      if (count[w] * (share[most] + 1) > count[most] * (share[w] + 1)) most = w;
    }
    ++share[most];
  }
  return share;
}

std::vector<std::int32_t> share_out_clusters(const Features& features, const RowLabels& labels, std::size_t classes,
                                             const GlobalShape& global, Clusters& clusters) {
  const std::size_t dimensions = features.dimensions();
  const std::size_t count = clusters.centres.size() / dimensions;
  const std::vector<std::size_t> share = components_a_class(labels, classes, count);
  std::vector<double> held(count * classes, 0.0);  // labelled rows of a class in a cluster
  for (std::size_t n = 0; n < labels.size(); ++n) {
    if (labels[n] >= 0) held[clusters.states[n] * classes + static_cast<std::size_t>(labels[n])] += 1.0;
  }
  std::vector<std::int32_t> place_class;
  for (std::size_t w = 0; w < classes; ++w)
    place_class.insert(place_class.end(), share[w], static_cast<std::int32_t>(w));
  std::vector<double> gains(count * count);
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t place = 0; place < count; ++place) {
      gains[k * count + place] = held[k * classes + static_cast<std::size_t>(place_class[place])];
    }
  }
  const std::vector<std::size_t> place_of = best_assignment(gains, count);
  std::vector<std::int32_t> of_class(count);
  std::vector<bool> has_own(classes, false);
  for (std::size_t k = 0; k < count; ++k) {
    of_class[k] = place_class[place_of[k]];
    const auto w = static_cast<std::size_t>(of_class[k]);
    has_own[w] = has_own[w] || held[k * classes + w] > 0.0;
  }

  // A class none of whose clusters holds a row of it starts from its rows alone, in the first of them.
  std::vector<bool> is_emptied(count, false);
  std::vector<bool> is_done = has_own;
  for (std::size_t k = 0; k < count; ++k) {
    const auto w = static_cast<std::size_t>(of_class[k]);
    if (is_done[w]) continue;
    is_done[w] = true;
    is_emptied[k] = true;
    double rows = 0.0;
    std::vector<double> mean(dimensions, 0.0);
    for (std::size_t n = 0; n < labels.size(); ++n) {
      if (labels[n] != of_class[k]) continue;
      rows += 1.0;
      for (std::size_t d = 0; d < dimensions; ++d) mean[d] += (features.row(n)[d] - mean[d]) / rows;
    }
    std::copy(mean.begin(), mean.end(), clusters.centres.begin() + static_cast<std::ptrdiff_t>(k * dimensions));
  }
  const Distances distances(features, global, clusters.centres);
  const bool all_emptied = std::all_of(is_emptied.begin(), is_emptied.end(), [](bool is) { return is; });
  for (std::size_t n = 0; n < features.rows(); ++n) {
    std::uint8_t& state = clusters.states[n];
    if (labels[n] >= 0) {
      const bool stays = of_class[state] == labels[n] && !is_emptied[state];
      if (!stays) {
        state =
            static_cast<std::uint8_t>(distances.nearest(n, [&](std::size_t k) { return of_class[k] == labels[n]; }));
      }
    } else if (is_emptied[state]) {
      state =
          static_cast<std::uint8_t>(distances.nearest(n, [&](std::size_t k) { return all_emptied || !is_emptied[k]; }));
    }
  }
  return of_class;
}

}  // namespace motet::temporal
