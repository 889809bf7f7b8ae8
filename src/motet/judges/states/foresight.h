// How well a fit foresees votes it was not shown. A fifth of the votes is held out, evenly spread over items and
// judges and never all votes of an item; the rest is fitted, and each held vote is foreseen from the shown votes of its
// item,
//   p(c_ij | shown votes of i) = sum_zh p(z, h | shown votes of i) R_jh(c | z).
// No truth is used.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/votes.h"
#include "motet/judges/states/state_fit.h"

namespace motet::judges {

struct HeldVotes {
  Votes shown;  // the same items, judges and classes
  std::vector<std::uint32_t> starts;
  std::vector<std::uint32_t> codes;  // held out, by item

  std::span<const std::uint32_t> of_item(std::size_t i) const {
    return {codes.data() + starts[i], codes.data() + starts[i + 1]};
  }
};
HeldVotes hold_out(const Votes& votes);

// Sum of log p over the held votes, by item: of a fit of the shown votes, and of parameters as confusion_em.h lays
// them out.
std::vector<double> foreseen(const HeldVotes& held, const StateFit& fit);
std::vector<double> foreseen(const HeldVotes& held, std::span<const double> parameters);

struct Foresight {
  double mean = 0.0;  // log p per vote
  double error = 0.0;
};
// Of a over b, both by item; the error is that of the difference. An empty b is all zero.
Foresight advantage(const HeldVotes& held, std::span<const double> a, std::span<const double> b = {});

}  // namespace motet::judges
