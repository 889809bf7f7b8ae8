#include "motet/superset/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "motet/base/error.h"

namespace motet::superset {
namespace {

enum : std::uint64_t { centre_stream, item_stream };  // children of the caller's stream

// The first `count` of the classes other than `own`, drawn without replacement, behind `own`.
void add_others(std::uint32_t own, std::size_t count, std::size_t classes, Rng& rng, std::vector<std::uint32_t>& set) {
  std::vector<std::uint32_t> others(classes);
  std::iota(others.begin(), others.end(), 0U);
  others.erase(others.begin() + own);
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(others[i], others[i + rng.below(others.size() - i)]);
    set.push_back(others[i]);
  }
}

std::uint32_t one_but(std::uint32_t own, std::uint32_t partner, std::size_t classes, Rng& rng) {
  std::uint32_t other = partner;
  while (other == own || other == partner) other = static_cast<std::uint32_t>(rng.below(classes));
  return other;
}

}  // namespace

CandidateItems simulate_blobs(const BlobOptions& options, const Rng& rng) {
  check_ranges(options);
  const std::size_t blobs = options.classes * options.clusters;
  const std::size_t dimensions = options.dimensions;
  CandidateItems items;
  NumberTable& features = items.features;
  for (std::size_t l = 0; l < options.classes; ++l) items.classes.push_back(fmt::format("c{}", l + 1));
  for (std::size_t d = 0; d < dimensions; ++d) features.columns.push_back(fmt::format("x{}", d + 1));
  std::vector<double> centres(blobs * dimensions);
  Rng centre_rng = rng.child(centre_stream);
  for (double& c : centres) c = options.spread * centre_rng.normal();
  features.values.reserve(options.items * dimensions);
  items.starts.resize(options.items + 1);
  std::iota(items.starts.begin(), items.starts.end(), std::size_t{0});
  for (std::size_t n = 0; n < options.items; ++n) {
    Rng item = rng.child(item_stream).child(n);
    const std::size_t blob = item.below(blobs);
    for (std::size_t d = 0; d < dimensions; ++d) {
      features.values.push_back(centres[blob * dimensions + d] + item.normal());
    }
    items.truth.push_back(static_cast<std::int32_t>(blob % options.classes));
    items.label.push_back(static_cast<std::uint32_t>(items.truth.back()));
  }
  return items;
}

CandidateItems simulate_candidates(const CandidateItems& items, const AmbiguityOptions& options, const Rng& rng) {
  check_ranges(options);
  const std::size_t classes = items.classes.size();
  const std::size_t most = options.partner_probability > 0.0 ? std::size_t{2} : options.extra;
  if (most >= classes) {
    fail(ErrorKind::usage, fmt::format("--extra: {} candidates beside the true one are too many; there are {} classes",
                                       options.extra, classes));
  }
  CandidateItems result = items;
  result.label.clear();
  result.weight.clear();
  result.starts.assign(1, 0);
  std::vector<std::uint32_t> set;
  for (std::size_t n = 0; n < items.rows(); ++n) {
    if (items.truth.size() <= n || items.truth[n] < 0) {
      fail(ErrorKind::unanswerable, fmt::format("row {}: the true label is not known", n + 1));
    }
    const auto own = static_cast<std::uint32_t>(items.truth[n]);
    Rng item = rng.child(n);
    set.assign(1, own);
    if (item.uniform() < options.share) {
      if (options.partner_probability > 0.0) {
        const auto partner = static_cast<std::uint32_t>((own + 1) % classes);
        const bool together = item.uniform() < options.partner_probability;
        set.push_back(together ? partner : one_but(own, partner, classes, item));
      } else {
        add_others(own, options.extra, classes, item, set);
      }
    }
    std::sort(set.begin(), set.end());
    result.label.insert(result.label.end(), set.begin(), set.end());
    result.starts.push_back(result.label.size());
  }
  return result;
}

}  // namespace motet::superset
