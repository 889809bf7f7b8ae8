// Sums of the literal weights of a row's neighbours, component by component,
//   S_k(n) = sum_i w_|i-n| x_ik,
// kept up to date while walking along a sequence. x is either the present state
// (x_ik = [z_i = k]) or a share (x_ik = q_ik). The row the walk stands on may change
// between two steps; rows passed count as they are then.
//
// Linear weights count the cliques that two rows share, so S slides by the clique that
// is left and the clique that is entered (E9); quadratic ones need one more difference.
// A step costs O(K), whatever the radius. The sums are whole numbers, shares being
// rounded to a fixed unit, so nothing drifts; they may wrap around on the way, being
// exact again at the end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "motet/temporal/field/neighbours.h"
#include "motet/temporal/field/sum_sources.h"

namespace motet::temporal {

template <class Source, std::size_t fixed>
class LinearSums {
 public:
  static constexpr std::size_t fixed_components = fixed;

  LinearSums(const Neighbours& neighbours, const Source& source, std::size_t components)
      : neighbours_(&neighbours),
        source_(source),
        components_(components),
        rows_(neighbours.rows()),
        h_(neighbours.whole_cliques() ? neighbours.clique_radius() : neighbours.radius()),
        unit_(source.unit()),
        left_(zeros<Wrapping, fixed>(components)),
        right_(left_),
        sums_(left_) {}

  void start(std::size_t n) {
    n_ = n;
    left_ = right_ = sums_ = zeros<Wrapping, fixed>(components());
    const std::size_t first = n > h_ ? n - h_ : 0;
    for (std::size_t m = first; m < n; ++m) {
      add(m, 1, left_);
      add(m, neighbours_->shared_cliques(m, n), sums_);
    }
    const std::size_t end = std::min(rows_, n + h_ + 2);
    for (std::size_t m = n + 1; m < end; ++m) {
      add(m, 1, right_);
      if (m - n <= h_) add(m, neighbours_->shared_cliques(n, m), sums_);
    }
  }

  [[gnu::always_inline]] void step() {
    if (n_ >= h_ && n_ + h_ + 2 < rows_) [[likely]] {
      add(n_, 1, left_);
      add(n_, h_ + 1, sums_);
      for (std::size_t k = 0; k < components(); ++k) sums_[k] += right_[k] - left_[k];
      add(n_ - h_, minus_one, left_);
      ++n_;
      add(n_, minus_one, right_);
      add(n_ + h_ + 1, 1, right_);
      add(n_, Wrapping{0} - (h_ + 1), sums_);
    } else {
      step_near_end();
    }
  }

  double operator[](std::size_t k) const { return static_cast<double>(static_cast<std::int64_t>(sums_[k])) * unit_; }

 private:
  static constexpr Wrapping minus_one = Wrapping{0} - 1;

  std::size_t components() const { return fixed == 0 ? components_ : fixed; }
  void add(std::size_t row, Wrapping factor, PerComponent<Wrapping, fixed>& sums) const {
    source_.template add<fixed>(row, factor, sums);
  }

  [[gnu::noinline]] void step_near_end() {
    const bool whole = neighbours_->whole_cliques();
    add(n_, 1, left_);
    add(n_, neighbours_->shared_cliques(n_, n_), sums_);
    if (!whole || n_ >= h_) {  // the clique n - h ... n is left
      for (std::size_t k = 0; k < components(); ++k) sums_[k] -= left_[k];
    }
    if (!whole || n_ + 1 + h_ < rows_) {  // and n + 1 ... n + 1 + h entered
      for (std::size_t k = 0; k < components(); ++k) sums_[k] += right_[k];
    }
    if (n_ >= h_) add(n_ - h_, minus_one, left_);
    ++n_;
    if (n_ >= rows_) return;
    add(n_, minus_one, right_);
    if (n_ + h_ + 1 < rows_) add(n_ + h_ + 1, 1, right_);
    add(n_, Wrapping{0} - neighbours_->shared_cliques(n_, n_), sums_);
  }

  const Neighbours* neighbours_;
  Source source_;
  std::size_t components_;
  std::size_t rows_;
  std::size_t h_;
  double unit_;
  std::size_t n_ = 0;
  PerComponent<Wrapping, fixed> left_;   // rows n - h ... n - 1
  PerComponent<Wrapping, fixed> right_;  // rows n + 1 ... n + h + 1
  PerComponent<Wrapping, fixed> sums_;   // without row n itself
};

// Any weights, by the definition: O(h) per row, O(h^2) in an image.
template <class Source>
class DirectSums {
 public:
  static constexpr std::size_t fixed_components = 0;

  DirectSums(const Neighbours& neighbours, const Source& source, std::size_t components)
      : neighbours_(&neighbours), source_(source), sums_(components) {}

  void start(std::size_t n) {
    n_ = n;
    if (n_ >= neighbours_->rows()) return;
    std::fill(sums_.begin(), sums_.end(), 0.0);
    neighbours_->for_each(n, [&](std::size_t m, double weight) { source_.add_weighted(m, weight, sums_); });
  }
  void step() { start(n_ + 1); }
  double operator[](std::size_t k) const { return sums_[k]; }

 private:
  const Neighbours* neighbours_;
  Source source_;
  std::size_t n_ = 0;
  std::vector<double> sums_;
};

}  // namespace motet::temporal
