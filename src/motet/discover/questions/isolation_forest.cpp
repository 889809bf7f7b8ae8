#include "motet/discover/questions/isolation_forest.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>

#include "motet/base/lot.h"
#include "motet/base/streams.h"

namespace motet::discover {
namespace {

constexpr std::size_t trees = 100;
constexpr std::size_t rows_of_tree = 256;
constexpr std::size_t deepest = 8;  // log2 of the rows of a tree
constexpr std::size_t rows_of_scoring = 4096;
constexpr double euler_gamma = 0.5772156649015329;

// The mean depth at which one of m rows is alone.
double usual_depth(double m) { return m <= 1.0 ? 0.0 : 2.0 * (std::log(m - 1.0) + euler_gamma) - 2.0 * (m - 1.0) / m; }

struct Fork {
  std::uint32_t column = 0;
  float at = 0.0F;
  std::uint32_t left = 0;  // the right one follows it; 0: an end
  float depth = 0.0F;      // of an end
};

class IsolationTree {
 public:
  IsolationTree(const OddRows& odd, Rng rng) : odd_(odd), rng_(rng) {
    std::vector<std::uint32_t> rows = drawn_by_lot(odd.rows(), rows_of_tree, rng_.child(0));
    forks_.emplace_back();
    part(0, rows, 0);
  }

  float depth_of(std::span<const float> row) const {
    std::uint32_t k = 0;
    while (forks_[k].left != 0) k = forks_[k].left + (row[forks_[k].column] < forks_[k].at ? 0U : 1U);
    return forks_[k].depth;
  }

 private:
  void part(std::uint32_t fork, std::span<std::uint32_t> rows, std::size_t depth) {
    std::uint32_t column = 0;
    float low = 0.0F;
    float high = 0.0F;
    if (rows.size() > 1 && depth < deepest) {
      column = static_cast<std::uint32_t>(rng_.below(odd_.columns));
      low = high = odd_.row(rows.front())[column];
      for (const std::uint32_t n : rows) {
        low = std::min(low, odd_.row(n)[column]);
        high = std::max(high, odd_.row(n)[column]);
      }
    }
    if (!(low < high)) {
      forks_[fork].depth =
          static_cast<float>(static_cast<double>(depth) + usual_depth(static_cast<double>(rows.size())));
      return;
    }
    const auto place = static_cast<float>(rng_.uniform(static_cast<double>(low), static_cast<double>(high)));
    const auto middle =
        std::partition(rows.begin(), rows.end(), [&](std::uint32_t n) { return odd_.row(n)[column] < place; });
    const auto count = static_cast<std::size_t>(middle - rows.begin());
    const auto left = static_cast<std::uint32_t>(forks_.size());
    forks_.resize(forks_.size() + 2);
    forks_[fork] = {column, place, left, 0.0F};
    part(left, rows.first(count), depth + 1);
    part(left + 1, rows.subspan(count), depth + 1);
  }

  const OddRows& odd_;
  Rng rng_;
  std::vector<Fork> forks_;
};

}  // namespace

std::vector<float> isolation_scores(const OddRows& odd, Seed seed, Threads threads) {
  std::vector<IsolationTree> forest;
  forest.reserve(trees);
  for (std::size_t t = 0; t < trees; ++t) {
    forest.emplace_back(odd, stream(seed, Stream::discover_isolation_forest, t));
  }
  const double usual = usual_depth(static_cast<double>(std::min(odd.rows(), rows_of_tree)));
  std::vector<float> scores(odd.rows());
  for_each_task((odd.rows() + rows_of_scoring - 1) / rows_of_scoring, threads, [&](std::size_t task) {
    for (std::size_t n = task * rows_of_scoring; n < std::min(odd.rows(), (task + 1) * rows_of_scoring); ++n) {
      double sum = 0.0;
      for (const IsolationTree& tree : forest) sum += static_cast<double>(tree.depth_of(odd.row(n)));
      const double mean = sum / static_cast<double>(trees);
      scores[n] = static_cast<float>(usual > 0.0 ? std::exp2(-mean / usual) : 1.0);
    }
  });
  return scores;
}

}  // namespace motet::discover
