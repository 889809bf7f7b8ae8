// Which sources make the items of which label set, and with what factor.
//
// With sum (and product of lognormals) an item is sum_k xi_k, with mean a_L sum_k xi_k,
// a_L = 1 / m; the background counts in m. In units of one source's covariance the items
// of a set have the covariance q_L = a_L^2 m.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "motet/multilabel/options.h"
#include "motet/sources/statistics/set_statistics.h"

namespace motet::multilabel {

struct SetDesign {
  std::size_t sources = 0;                          // with the background, which comes last
  std::vector<std::vector<std::uint32_t>> members;  // of each set, rising
  std::vector<double> factor;                       // a_L
  std::vector<double> items;                        // of each source: items of the sets it is in

  std::size_t sets() const { return members.size(); }
  double degree(std::size_t set) const { return static_cast<double>(members[set].size()); }
  double unit(std::size_t set) const { return factor[set] * factor[set] * degree(set); }  // q_L
};

SetDesign design_of(const BitMatrix& sets, std::span<const double> count, Combination combination, bool background);

// Throws Error{unanswerable} when the sets cannot teach every source: a label in no item, sets
// without any source, sources that no set tells apart. `names` may be empty: labels are numbered from 1.
// Sources that cannot be told apart pass when `has_prior`: the prior settles them.
void require_answerable(const SetDesign& design, std::span<const double> count, bool background, bool has_prior,
                        std::span<const std::string> names);

// "label 'a'", or "label 3" without names; "the background".
std::string source_name(std::size_t source, std::size_t sources, bool background, std::span<const std::string> names);

// Groups of sources, rising: two are in one where sets with both, or a chain of such sets, connect them.
std::vector<std::vector<std::uint32_t>> connected_sources(const SetDesign& design);

// Cuts of the sets into tasks for threads, by their number alone.
std::vector<std::size_t> cut_sets(std::size_t sets, std::size_t tasks = 32);

}  // namespace motet::multilabel
