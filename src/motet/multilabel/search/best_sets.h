// What all searches for label sets share: the best sets so far, the count of nodes, and the
// least bound among branches that were not looked into.
//
// A cost is -(log p(x | L) + log prior of L): less is better.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "motet/base/error.h"
#include "motet/base/run.h"

namespace motet::multilabel {

constexpr double no_cost_limit = std::numeric_limits<double>::infinity();

class BestSets {
 public:
  struct Entry {
    double cost = 0.0;
    std::vector<std::uint8_t> has;  // one per label
  };

  // `cancel` may be null; when it is set the search ends with Error{interrupted}.
  BestSets(std::size_t most, std::size_t node_limit, const CancelFlag* cancel = nullptr)
      : most_(most), node_limit_(node_limit), cancel_(cancel) {}

  // A branch whose bound is not below this cannot change the answer.
  double threshold() const { return entries_.size() < most_ ? no_cost_limit : entries_.back().cost; }
  const std::vector<Entry>& entries() const { return entries_; }  // best first

  void offer(double cost, std::span<const std::uint8_t> has) {
    if (!(cost < threshold())) return;
    for (const Entry& entry : entries_) {
      if (std::equal(entry.has.begin(), entry.has.end(), has.begin())) return;
    }
    if (entries_.size() == most_) entries_.pop_back();
    const auto place = std::upper_bound(entries_.begin(), entries_.end(), cost,
                                        [](double value, const Entry& entry) { return value < entry.cost; });
    entries_.insert(place, {cost, {has.begin(), has.end()}});
  }

  // True when a branch with this bound may be entered; a branch that the limit keeps closed is
  // remembered by its bound.
  bool enter(double bound) {
    if (!(bound < threshold())) return false;
    if (nodes_ >= node_limit_) {
      open_ = std::min(open_, bound);
      return false;
    }
    ++nodes_;
    if (cancel_ != nullptr && cancel_->is_set()) fail(ErrorKind::interrupted, "interrupted while deciding");
    return true;
  }

  std::size_t nodes() const { return nodes_; }

  // No set costs less than the best one minus this.
  double gap() const {
    if (entries_.empty()) return open_ < no_cost_limit ? no_cost_limit : 0.0;
    return std::max(0.0, entries_.front().cost - open_);
  }

 private:
  std::size_t most_;
  std::size_t node_limit_;
  const CancelFlag* cancel_;
  std::size_t nodes_ = 0;
  double open_ = no_cost_limit;
  std::vector<Entry> entries_;
};

}  // namespace motet::multilabel
