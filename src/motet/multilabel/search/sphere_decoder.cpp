#include "motet/multilabel/search/sphere_decoder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "motet/data/eigen.h"

namespace motet::multilabel {
namespace {

constexpr double singular = 1e-9;             // least eigenvalue of G relative to its mean diagonal
constexpr double rho_share = 0.2;             // rho relative to the mean diagonal
constexpr std::size_t most_decomposed = 160;  // above: the least eigenvalue is bounded by the trace of the inverse

// The column that least squares determines best is decided first, that is, gets the last position.
std::vector<std::uint32_t> blast_order(const Eigen::MatrixXd& gram) {
  const auto size = static_cast<std::size_t>(gram.rows());
  Eigen::MatrixXd inverse = gram.llt().solve(Eigen::MatrixXd::Identity(gram.rows(), gram.cols()));
  std::vector<std::uint32_t> order(size);
  std::vector<std::uint8_t> done(size);
  for (std::size_t p = size; p > 0; --p) {
    std::size_t best = size;
    for (std::size_t k = 0; k < size; ++k) {
      if (done[k] == 0 && (best == size || inverse(at(k), at(k)) < inverse(at(best), at(best)))) best = k;
    }
    done[best] = 1;
    order[p - 1] = static_cast<std::uint32_t>(best);
    const Eigen::VectorXd column = inverse.col(at(best));
    inverse -= column * column.transpose() / column[at(best)];
  }
  return order;
}

double least_eigenvalue(const Eigen::MatrixXd& gram) {
  if (static_cast<std::size_t>(gram.rows()) <= most_decomposed) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram, Eigen::EigenvaluesOnly);
    const Eigen::VectorXd& values = solver.eigenvalues();
    // Less the rounding of the decomposition, so that it stays a lower bound.
    return std::max(0.0, values[0] - 1e-13 * values[values.size() - 1]);
  }
  const Eigen::MatrixXd inverse = gram.llt().solve(Eigen::MatrixXd::Identity(gram.rows(), gram.cols()));
  return 1.0 / inverse.trace();
}

// One item's depth-first search.
class SphereWalk {
 public:
  SphereWalk(const Lattice& lattice, const DegreeTerms& terms, const SphereItem& item, BestSets& best)
      : lattice_(lattice), terms_(terms), best_(best), size_(lattice.size), has_(size_), free_(size_ + 1, 1) {
    for (most_ = size_; most_ > 0 && terms.constant[most_] == no_cost_limit;) --most_;
    if (!item.allowed.empty()) {
      for (std::size_t p = 0; p < size_; ++p) free_[p] = item.allowed[lattice.order[p]];
    }
    solution_.resize((size_ + 1) * 2 * size_);
    const Eigen::Map<const Eigen::MatrixXd> inverse(lattice.inverse.data(), at(size_), at(size_));
    Eigen::VectorXd b(at(size_));
    for (std::size_t p = 0; p < size_; ++p) b[at(p)] = item.b[lattice.order[p]] + 0.5 * lattice.rho;
    const Eigen::VectorXd solution = inverse * b;
    base_ = item.tt - b.dot(solution);
    std::copy_n(solution.data(), size_, place(size_, 0));
  }

  void run() {
    const double bound = bound_of(size_, place(size_, 0), 0, 0.0, 0.0);
    if (best_.enter(bound)) visit(size_, place(size_, 0), 0, 0.0, 0.0);
  }

 private:
  double* place(std::size_t open, int value) {
    return solution_.data() + (open * 2 + static_cast<std::size_t>(value)) * size_;
  }

  // Of all sets that share the decided positions: `open` positions are not decided.
  double bound_of(std::size_t open, const double* solution, std::size_t ones, double distance, double weight) const {
    double apart = 0.0;
    for (std::size_t p = 0; p < open; ++p) {
      const double nearest = solution[p] > 0.5 ? 1.0 : 0.0;
      apart += (solution[p] - nearest) * (solution[p] - nearest);
    }
    const double square = std::max(0.0, base_ + distance + lattice_.least[open] * apart);
    const double* const cheapest = lattice_.cheapest.data() + open * (size_ + 1);
    double least = no_cost_limit;
    for (std::size_t j = ones; j <= std::min(most_, ones + open); ++j) {
      least = std::min(least, terms_.scale[j] * square + terms_.constant[j] + cheapest[j - ones]);
    }
    return least + weight;
  }

  void visit(std::size_t open, const double* solution, std::size_t ones, double distance, double weight) {
    if (open == 0) {
      best_.offer(terms_.scale[ones] * std::max(0.0, base_ + distance) + terms_.constant[ones] + weight, labels());
      return;
    }
    const std::size_t p = open - 1;
    double bounds[2];
    double distances[2];
    double weights[2];
    for (int value = 0; value < 2; ++value) {
      const double off = value - solution[p];
      distances[value] = distance + lattice_.pivot[p] * off * off;
      weights[value] = weight + (value == 1 ? lattice_.weight[p] : 0.0);
      bounds[value] = no_cost_limit;
      if (value == 1 && (ones == most_ || free_[p] == 0)) continue;
      double* const next = place(p, value);
      const double* const step = lattice_.step.data() + p * size_;
      for (std::size_t i = 0; i < p; ++i) next[i] = solution[i] + step[i] * off;
      bounds[value] = bound_of(p, next, ones + static_cast<std::size_t>(value), distances[value], weights[value]);
    }
    // The bound decides, not the distance alone: it also knows the prior.
    const int first = bounds[1] < bounds[0] ? 1 : 0;
    for (const int value : {first, 1 - first}) {
      if (bounds[value] == no_cost_limit || !best_.enter(bounds[value])) continue;
      has_[p] = static_cast<std::uint8_t>(value);
      visit(p, place(p, value), ones + static_cast<std::size_t>(value), distances[value], weights[value]);
    }
    has_[p] = 0;
  }

  const std::vector<std::uint8_t>& labels() {
    found_.resize(size_);
    for (std::size_t p = 0; p < size_; ++p) found_[lattice_.order[p]] = has_[p];
    return found_;
  }

  const Lattice& lattice_;
  const DegreeTerms& terms_;
  BestSets& best_;
  std::size_t size_;
  std::size_t most_ = 0;            // largest degree that may be
  double base_ = 0.0;               // what the least-squares solution leaves
  std::vector<double> solution_;    // least squares of the open positions, by number of open ones and value
  std::vector<std::uint8_t> has_;   // by position
  std::vector<std::uint8_t> free_;  // whether a position may be 1
  std::vector<std::uint8_t> found_;
};

// The state of a search by flips and swaps: z, its square and the gradient Gz - b.
class Nearby {
 public:
  Nearby(const Lattice& lattice, const DegreeTerms& terms, const SphereItem& item, BestSets& best)
      : lattice_(lattice), terms_(terms), item_(item), best_(best), size_(lattice.size) {
    for (std::size_t p = 0; p < size_; ++p) {
      if (item.allowed.empty() || item.allowed[lattice.order[p]] != 0) free_.push_back(p);
    }
  }

  void from_empty() {
    clear();
    if (reach_allowed()) improve();
  }

  void from_rounding() {
    clear();
    const Eigen::Map<const Eigen::MatrixXd> inverse(lattice_.inverse.data(), at(size_), at(size_));
    Eigen::VectorXd b(at(size_));
    for (std::size_t p = 0; p < size_; ++p) b[at(p)] = -gradient_[p];
    const Eigen::VectorXd solution = inverse * b;
    std::vector<std::size_t> order = free_;
    std::sort(order.begin(), order.end(),
              [&](std::size_t i, std::size_t j) { return solution[at(i)] > solution[at(j)]; });
    for (const std::size_t p : order) {
      if (solution[at(p)] > 0.5) flip(p);
    }
    if (reach_allowed()) improve();
  }

 private:
  void clear() {
    has_.assign(size_, 0);
    ones_ = 0;
    weight_ = 0.0;
    square_ = item_.tt;
    gradient_.resize(size_);
    for (std::size_t p = 0; p < size_; ++p) gradient_[p] = -item_.b[lattice_.order[p]] - 0.5 * lattice_.rho;
  }

  double change(std::size_t p) const {  // of the square, when p flips
    const double sign = has_[p] != 0 ? -1.0 : 1.0;
    return 2.0 * sign * gradient_[p] + lattice_.gram[p * size_ + p];
  }

  double cost(std::size_t ones, double square, double weight) const {
    return terms_.constant[ones] == no_cost_limit ? no_cost_limit
                                                  : terms_.scale[ones] * square + terms_.constant[ones] + weight;
  }

  double signed_weight(std::size_t p) const { return has_[p] != 0 ? -lattice_.weight[p] : lattice_.weight[p]; }

  void flip(std::size_t p) {
    square_ += change(p);
    weight_ += signed_weight(p);
    const double sign = has_[p] != 0 ? -1.0 : 1.0;
    for (std::size_t i = 0; i < size_; ++i) gradient_[i] += sign * lattice_.gram[p * size_ + i];
    has_[p] ^= 1U;
    ones_ = has_[p] != 0 ? ones_ + 1 : ones_ - 1;
  }

  void offer(double value) {
    std::vector<std::uint8_t> labels(size_);
    for (std::size_t p = 0; p < size_; ++p) labels[lattice_.order[p]] = has_[p];
    best_.offer(value, labels);
  }

  void offer_changed(double value, std::size_t in, std::size_t out) {
    if (!(value < best_.threshold())) return;
    has_[in] ^= 1U;
    if (out != in) has_[out] ^= 1U;
    offer(value);
    has_[in] ^= 1U;
    if (out != in) has_[out] ^= 1U;
  }

  // Flips, the least harmful first, until the number of ones may be.
  bool reach_allowed() {
    std::size_t wanted = terms_.constant.size();
    const auto apart = [&](std::size_t j) { return j > ones_ ? j - ones_ : ones_ - j; };
    for (std::size_t j = 0; j < terms_.constant.size() && j <= free_.size(); ++j) {
      if (terms_.constant[j] == no_cost_limit) continue;
      if (wanted == terms_.constant.size() || apart(j) < apart(wanted)) wanted = j;
    }
    if (wanted == terms_.constant.size()) return false;
    while (ones_ != wanted) {
      double least = no_cost_limit;
      std::size_t best = size_;
      for (const std::size_t p : free_) {
        if ((has_[p] != 0) != (ones_ > wanted)) continue;
        const double value = terms_.scale[wanted] * change(p) + signed_weight(p);
        if (value < least) {
          least = value;
          best = p;
        }
      }
      flip(best);
    }
    return true;
  }

  // Best flip or swap until none helps; every set it looks at is offered.
  void improve() {
    double now = cost(ones_, square_, weight_);
    offer(now);
    while (true) {
      double least = no_cost_limit;
      std::size_t best_in = size_;
      std::size_t best_out = size_;
      for (const std::size_t p : free_) {
        const std::size_t ones = has_[p] != 0 ? ones_ - 1 : ones_ + 1;
        const double value = cost(ones, square_ + change(p), weight_ + signed_weight(p));
        offer_changed(value, p, p);
        if (value < least) {
          least = value;
          best_in = best_out = p;
        }
      }
      for (const std::size_t out : free_) {
        if (has_[out] == 0) continue;
        for (const std::size_t in : free_) {
          if (has_[in] != 0) continue;
          const double square = square_ + change(out) + change(in) - 2.0 * lattice_.gram[in * size_ + out];
          const double value = cost(ones_, square, weight_ + signed_weight(out) + signed_weight(in));
          offer_changed(value, in, out);
          if (value < least) {
            least = value;
            best_in = in;
            best_out = out;
          }
        }
      }
      if (!(least < now - 1e-12 * std::abs(now))) return;
      flip(best_in);
      if (best_out != best_in) flip(best_out);
      now = least;
    }
  }

  const Lattice& lattice_;
  const DegreeTerms& terms_;
  const SphereItem& item_;
  BestSets& best_;
  std::size_t size_;
  std::vector<std::size_t> free_;  // positions that may be 1
  std::vector<std::uint8_t> has_;  // by position
  std::size_t ones_ = 0;
  double square_ = 0.0;
  double weight_ = 0.0;
  std::vector<double> gradient_;
};

}  // namespace

Lattice make_lattice(std::size_t size, std::span<const double> gram, std::span<const double> weight) {
  Lattice lattice;
  lattice.size = size;
  Eigen::MatrixXd all = Eigen::Map<const Eigen::MatrixXd>(gram.data(), at(size), at(size));
  const double mean = all.trace() / static_cast<double>(size);
  if (Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(all, Eigen::EigenvaluesOnly).eigenvalues()[0] < singular * mean) {
    lattice.rho = mean > 0.0 ? rho_share * mean : 1.0;
    all.diagonal().array() += lattice.rho;
  }
  lattice.order = blast_order(all);
  Eigen::MatrixXd ordered(at(size), at(size));
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) ordered(at(i), at(j)) = all(at(lattice.order[i]), at(lattice.order[j]));
    lattice.weight.push_back(weight[lattice.order[i]]);
  }
  lattice.gram.assign(ordered.data(), ordered.data() + size * size);
  const Eigen::MatrixXd inverse = ordered.llt().solve(Eigen::MatrixXd::Identity(at(size), at(size)));
  lattice.inverse.assign(inverse.data(), inverse.data() + size * size);
  const Eigen::MatrixXd upper = ordered.llt().matrixU();
  lattice.step.assign(size * size, 0.0);
  lattice.cheapest.assign((size + 1) * (size + 1), no_cost_limit);
  lattice.least.push_back(0.0);
  lattice.cheapest[0] = 0.0;
  std::vector<double> sorted;
  for (std::size_t p = 0; p < size; ++p) {
    lattice.pivot.push_back(upper(at(p), at(p)) * upper(at(p), at(p)));
    if (p > 0) {
      const Eigen::VectorXd step =
          -upper.topLeftCorner(at(p), at(p)).triangularView<Eigen::Upper>().solve(upper.col(at(p)).head(at(p)));
      std::copy_n(step.data(), p, lattice.step.data() + p * size);
    }
    lattice.least.push_back(least_eigenvalue(ordered.topLeftCorner(at(p + 1), at(p + 1))));
    sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), lattice.weight[p]), lattice.weight[p]);
    double* const row = lattice.cheapest.data() + (p + 1) * (size + 1);
    row[0] = 0.0;
    std::partial_sum(sorted.begin(), sorted.end(), row + 1);
  }
  return lattice;
}

void search_nearby(const Lattice& lattice, const DegreeTerms& terms, const SphereItem& item, BestSets& best) {
  Nearby nearby(lattice, terms, item, best);
  nearby.from_empty();
  nearby.from_rounding();
}

void search_sphere(const Lattice& lattice, const DegreeTerms& terms, const SphereItem& item, BestSets& best) {
  SphereWalk(lattice, terms, item, best).run();
}

}  // namespace motet::multilabel
