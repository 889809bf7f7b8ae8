// The sets of roles a user may have: the admissible label sets of chapter 9.
//
// The empty set is always the first. Sets are kept one after the other, members rising.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace motet::roles {

class LabelSets {
 public:
  LabelSets() = default;

  // All sets of at most `degree` of `roles` roles, by size and then by members, without
  // those that hold a forbidden pair. Throws Error{machine_limit} above `most` sets.
  static LabelSets up_to(std::size_t roles, std::size_t degree,
                         std::span<const std::pair<std::uint32_t, std::uint32_t>> forbidden = {},
                         std::size_t most = 200'000);

  std::size_t size() const { return ends_.size(); }
  std::span<const std::uint32_t> operator[](std::size_t set) const {
    const std::size_t begin = set == 0 ? 0 : ends_[set - 1];
    return {members_.data() + begin, ends_[set] - begin};
  }
  void add(std::span<const std::uint32_t> members);
  bool operator==(const LabelSets&) const = default;

 private:
  std::vector<std::uint32_t> members_;
  std::vector<std::size_t> ends_;
};

// How many sets `up_to` would make without forbidden pairs; saturates at 1e18.
double label_set_count(std::size_t roles, std::size_t degree);

// By role: the sets it is in.
std::vector<std::vector<std::uint32_t>> sets_by_role(const LabelSets& sets, std::size_t roles);

}  // namespace motet::roles
