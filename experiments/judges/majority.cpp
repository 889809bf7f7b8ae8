#include "experiments/judges/majority.h"

#include <algorithm>

namespace motet::judges {

MajorityVote majority_vote(const Votes& votes) {
  const std::size_t k = votes.class_count();
  MajorityVote result;
  result.label.assign(votes.item_count(), Votes::unknown);
  result.share.assign(votes.item_count(), 0.0);
  result.tied.assign(votes.item_count(), 0);
  std::vector<std::uint32_t> count(k);
  for (std::size_t i = 0; i < votes.item_count(); ++i) {
    const auto codes = votes.of_item(i);
    if (codes.empty()) continue;
    std::fill(count.begin(), count.end(), 0U);
    for (const std::uint32_t code : codes) ++count[code % k];
    const auto most = std::max_element(count.begin(), count.end());
    result.label[i] = static_cast<std::int32_t>(most - count.begin());
    result.share[i] = static_cast<double>(*most) / static_cast<double>(codes.size());
    result.tied[i] = static_cast<std::uint32_t>(std::count(count.begin(), count.end(), *most));
  }
  return result;
}

}  // namespace motet::judges
