#include "motet/multilabel/linear/linear_fit.h"

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/data/eigen.h"
#include "motet/engine/descent.h"
#include "motet/multilabel/linear/row_products.h"

namespace motet::multilabel {
namespace {

constexpr std::size_t most_leaves = 64;
constexpr std::size_t least_leaf_rows = 256;
constexpr std::size_t most_steps = 1000;  // these problems need some tens to hundreds
constexpr double least_fall = 1e-9;       // of a step, relative, at which nobody could tell a difference
constexpr double flat_gradient = 1e-7;    // largest entry per item
constexpr std::size_t kept_pairs = 10;    // of the descent

class LinearProblem {
 public:
  LinearProblem(const LabelSetIndex& index, std::span<const double> x, std::size_t dimensions,
                const TrainOptions& options, Threads threads)
      : index_(index),
        method_(options.method),
        products_(x, dimensions),
        rows_(index.of_row.size()),
        columns_(method_ == Training::powerset ? index.size() : index.sets.columns()),
        features_(dimensions),
        penalty_(options.penalty),
        scale_(options.penalty * products_.mean_square()),
        threads_(threads.here()) {
    members_ = RowMatrix::Zero(at(index.size()), at(columns_));
    for (std::size_t l = 0; l < index.size(); ++l) {
      if (method_ == Training::powerset) {
        members_(at(l), at(l)) = 1.0;
      } else {
        for_each_bit(index.sets.row(l), [&](std::size_t k) { members_(at(l), at(k)) = 1.0; });
      }
      log_share_.push_back(std::log(static_cast<double>(index.count(l)) / static_cast<double>(rows_)));
    }
    leaf_rows_ = std::max(least_leaf_rows, (rows_ + most_leaves - 1) / most_leaves);
  }

  std::size_t weights() const { return (features_ + 1) * columns_; }
  std::size_t size() const { return weights() + (method_ == Training::chain ? columns_ * columns_ : 0); }

  double operator()(std::span<const double> w, std::span<double> gradient) const {
    const std::size_t leaves = (rows_ + leaf_rows_ - 1) / leaf_rows_;
    const std::vector<double> sums = sum_over_tasks(leaves, 1 + size(), threads_, [&](std::size_t leaf, auto to) {
      add_leaf(leaf * leaf_rows_, std::min(rows_, (leaf + 1) * leaf_rows_), w, to);
    });
    double value = sums[0];
    std::copy(sums.begin() + 1, sums.end(), gradient.begin());
    for (std::size_t i = 0; i < size(); ++i) {
      const double own = i < features_ * columns_ ? scale_ : penalty_;
      value += 0.5 * own * w[i] * w[i];
      gradient[i] += own * w[i];
    }
    return value;
  }

  LinearWeights result(std::span<const double> w) const {
    LinearWeights found{columns_, features_, {}, {}};
    found.weights.assign(w.begin(), w.begin() + static_cast<std::ptrdiff_t>(weights()));
    found.links.assign(w.begin() + static_cast<std::ptrdiff_t>(weights()), w.end());
    return found;
  }

 private:
  // sums[0]: the losses; then the gradient.
  void add_leaf(std::size_t begin, std::size_t end, std::span<const double> w, std::span<double> sums) const {
    RowMatrix z(at(end - begin), at(columns_));
    products_.times(begin, end, w.first(weights()), columns_, {z.data(), static_cast<std::size_t>(z.size())});
    const bool is_chain = method_ == Training::chain;
    RowMatrix own;  // the labels of the items
    if (method_ != Training::powerset) own = labels(begin, end);
    const RowMatrixView links(is_chain ? w.data() + weights() : nullptr, is_chain ? at(columns_) : 0,
                              is_chain ? at(columns_) : 0);
    if (is_chain) z.noalias() += own * links.transpose();
    sums[0] += method_ == Training::log_linear ? log_linear_loss(begin, z) : separate_loss(begin, z);
    products_.add_transposed(begin, end, {z.data(), static_cast<std::size_t>(z.size())}, columns_,
                             sums.subspan(1, weights()));
    if (!is_chain) return;
    const RowMatrix slopes = z.transpose() * own;
    for (std::size_t k = 0; k < columns_; ++k) {
      for (std::size_t j = 0; j < k; ++j) sums[1 + weights() + k * columns_ + j] += slopes(at(k), at(j));
    }
  }

  RowMatrix labels(std::size_t begin, std::size_t end) const {
    RowMatrix own(at(end - begin), at(columns_));
    for (std::size_t n = begin; n < end; ++n) own.row(at(n - begin)) = members_.row(at(index_.of_row[n]));
    return own;
  }

  // z becomes the slopes.
  double log_linear_loss(std::size_t begin, RowMatrix& z) const {
    RowMatrix p = z * members_.transpose();
    double value = 0.0;
    for (Eigen::Index n = 0; n < p.rows(); ++n) {
      const std::size_t truth = index_.of_row[begin + static_cast<std::size_t>(n)];
      p.row(n) += Eigen::Map<const Eigen::RowVectorXd>(log_share_.data(), p.cols());
      const double most = p.row(n).maxCoeff();
      const double own = p(n, at(truth)) - most;
      p.row(n) = (p.row(n).array() - most).exp();
      const double sum = p.row(n).sum();
      p.row(n) /= sum;
      p(n, at(truth)) -= 1.0;
      value += std::log(sum) - own;
    }
    z.noalias() = p * members_;
    return value;
  }

  double separate_loss(std::size_t begin, RowMatrix& z) const {
    const bool is_logistic = method_ == Training::logistic || method_ == Training::chain;
    double value = 0.0;
    for (Eigen::Index n = 0; n < z.rows(); ++n) {
      const auto set = at(index_.of_row[begin + static_cast<std::size_t>(n)]);
      for (Eigen::Index k = 0; k < z.cols(); ++k) {
        const double y = members_(set, k) > 0.0 ? 1.0 : -1.0;
        double& own = z(n, k);
        if (is_logistic) {
          const double away = -y * own;
          value += std::max(away, 0.0) + std::log1p(std::exp(-std::abs(away)));
          own = -y / (1.0 + std::exp(-away));
        } else {
          const double away = std::max(0.0, 1.0 - y * own);
          value += away * away;
          own = -2.0 * y * away;
        }
      }
    }
    return value;
  }

  const LabelSetIndex& index_;
  Training method_;
  RowProducts products_;
  std::size_t rows_;
  std::size_t columns_;  // labels, or sets
  std::size_t features_;
  double penalty_;
  double scale_;  // penalty of the weights of features
  Threads threads_;
  RowMatrix members_;  // sets x columns
  std::vector<double> log_share_;
  std::size_t leaf_rows_ = 1;
};

}  // namespace

LinearFit fit_linear(const LabelSetIndex& index, std::span<const double> x, std::size_t dimensions,
                     const TrainOptions& options, const RunContext& run) {
  check_ranges(options);
  const LinearProblem problem(index, x, dimensions, options, run.threads);
  DescentRule rule;
  rule.max_steps = std::min(options.max_iterations, most_steps);
  rule.relative_fall = std::max(options.tolerance, least_fall);
  rule.least_gradient = flat_gradient * static_cast<double>(index.of_row.size());
  rule.memory = kept_pairs;
  std::vector<double> w(problem.size(), 0.0);
  LinearFit fit;
  fit.summary = descend([&](std::span<const double> at, std::span<double> gradient) { return problem(at, gradient); },
                        w, rule, run);
  fit.weights = problem.result(w);
  return fit;
}

}  // namespace motet::multilabel
