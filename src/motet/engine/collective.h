// Who works through the leaves of an E-step: threads of one machine now, ranks of
// a cluster by another implementation. Whoever it is, the sum is taken along the
// same binary tree over the leaves, so its bits do not depend on the workers.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "motet/base/parallel.h"

namespace motet {

using LeafTask = std::function<void(std::size_t leaf, std::span<double> sums)>;

class Collective {
 public:
  virtual ~Collective() = default;

  // leaf(i, sums) adds leaf i's share to `size` zeros; the sum over all leaves
  // is returned to every caller.
  virtual std::vector<double> sum(std::size_t leaf_count, std::size_t size, const LeafTask& leaf) const = 0;
};

class ThreadCollective final : public Collective {
 public:
  explicit ThreadCollective(Threads threads) : threads_(threads) {}
  std::vector<double> sum(std::size_t leaf_count, std::size_t size, const LeafTask& leaf) const override {
    return sum_over_tasks(leaf_count, size, threads_, leaf);
  }

 private:
  Threads threads_;
};

}  // namespace motet
