#include "motet/multilabel/search/matrix_search.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "motet/data/eigen.h"

namespace motet::multilabel {
namespace {

double log_determinant(const Eigen::MatrixXd& lower) { return 2.0 * lower.diagonal().array().log().sum(); }

// det^(1/D) of a matrix that may be zero.
double mean_spread(const Eigen::MatrixXd& covariance) {
  const Eigen::LLT<Eigen::MatrixXd> factor(covariance);
  if (factor.info() != Eigen::Success) return 0.0;
  return std::exp(log_determinant(factor.matrixL()) / static_cast<double>(covariance.rows()));
}

struct MatrixTables {
  std::size_t labels = 0;
  std::size_t dimensions = 0;
  std::size_t most = 0;
  bool is_mean = false;
  double background = 0.0;  // 1 with one
  SearchTerms terms;
  std::vector<std::uint32_t> order;         // label of a position; the last is decided first
  Eigen::MatrixXd means;                    // D x positions
  std::vector<Eigen::MatrixXd> covariance;  // by position
  std::vector<Eigen::MatrixXd> open_sum;    // of the first p positions
  std::vector<double> weight;
  std::vector<double> cheapest;      // open positions x labels to come
  std::vector<double> least_spread;  // open positions x labels to come: sums of the least det^(1/D)
  Eigen::VectorXd start_mean;
  Eigen::MatrixXd start_covariance;
  Eigen::MatrixXd noise;
  double noise_spread = 0.0;
};

void fill_least(std::span<const double> values, std::size_t labels, std::vector<double>& table) {
  table.assign((labels + 1) * (labels + 1), 0.0);
  std::vector<double> sorted;
  for (std::size_t open = 1; open <= labels; ++open) {
    sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), values[open - 1]), values[open - 1]);
    std::partial_sum(sorted.begin(), sorted.end(), table.data() + open * (labels + 1) + 1);
  }
}

class MatrixWalk {
 public:
  MatrixWalk(const MatrixTables& tables, std::span<const double> x, std::span<const std::uint8_t> allowed,
             BestSets& best)
      : tables_(tables),
        best_(best),
        has_(tables.labels),
        x_(Eigen::Map<const Eigen::VectorXd>(x.data(), at(x.size()))) {
    for (std::size_t p = 0; p < tables.labels; ++p) {
      free_.push_back(allowed.empty() || allowed[tables.order[p]] != 0 ? 1 : 0);
    }
  }

  void near_start() {
    double now = exact();
    offer(now);
    while (true) {
      double least = no_cost_limit;
      std::size_t first = 0;
      std::size_t second = 0;
      for (std::size_t i = 0; i < has_.size(); ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
          if (free_[i] == 0 || free_[j] == 0 || (i != j && has_[i] == has_[j])) continue;
          flip(i, j);
          const double value = exact();
          offer(value);
          flip(i, j);
          if (!(value < least)) continue;
          least = value;
          first = i;
          second = j;
        }
      }
      if (!(least < now)) break;
      flip(first, second);
      now = least;
    }
    std::fill(has_.begin(), has_.end(), std::uint8_t{0});
  }

  void run() {
    const Node root{tables_.labels, 0, 0.0, tables_.start_mean, tables_.start_covariance};
    if (best_.enter(bound_of(root))) visit(root);
  }

 private:
  struct Node {
    std::size_t open = 0;
    std::size_t ones = 0;
    double weight = 0.0;
    Eigen::VectorXd mean;        // sum over the decided ones
    Eigen::MatrixXd covariance;  // the same
  };

  double members(std::size_t ones) const { return static_cast<double>(ones) + tables_.background; }
  double share(double m) const { return tables_.is_mean ? 1.0 / m : 1.0; }

  void flip(std::size_t i, std::size_t j) {
    has_[i] ^= 1U;
    if (j != i) has_[j] ^= 1U;
  }

  double exact() const {
    Eigen::VectorXd mean = tables_.start_mean;
    Eigen::MatrixXd covariance = tables_.start_covariance;
    std::size_t ones = 0;
    double weight = 0.0;
    for (std::size_t p = 0; p < has_.size(); ++p) {
      if (has_[p] == 0) continue;
      ++ones;
      weight += tables_.weight[p];
      mean += tables_.means.col(at(p));
      covariance += tables_.covariance[p];
    }
    if (tables_.terms.constant[ones] == no_cost_limit) return no_cost_limit;
    const double part = share(members(ones));
    const Eigen::LLT<Eigen::MatrixXd> factor(part * part * covariance + tables_.noise);
    const Eigen::VectorXd white = factor.matrixL().solve(x_ - part * mean);
    return 0.5 * (white.squaredNorm() + log_determinant(factor.matrixL()) +
                  static_cast<double>(tables_.dimensions) * std::log(2.0 * std::numbers::pi)) +
           tables_.terms.constant[ones] + weight;
  }

  void offer(double cost) {
    if (!(cost < best_.threshold())) return;
    std::vector<std::uint8_t> found(has_.size());
    for (std::size_t p = 0; p < has_.size(); ++p) found[tables_.order[p]] = has_[p];
    best_.offer(cost, found);
  }

  // Least squared length of `white` minus a sum of r of the first `open` columns, bounded coordinate
  // by coordinate: entry r of the result.
  static std::vector<double> least_squares(const Eigen::VectorXd& white, const Eigen::MatrixXd& columns,
                                           std::size_t most) {
    std::vector<double> result(most + 1);
    std::vector<double> sorted(static_cast<std::size_t>(columns.cols()));
    for (Eigen::Index d = 0; d < white.size(); ++d) {
      for (std::size_t p = 0; p < sorted.size(); ++p) sorted[p] = columns(d, at(p));
      std::sort(sorted.begin(), sorted.end());
      double low = 0.0;
      double high = 0.0;
      for (std::size_t r = 0; r <= most; ++r) {
        if (r > 0) {
          low += sorted[r - 1];
          high += sorted[sorted.size() - r];
        }
        const double apart = white[d] > high ? white[d] - high : white[d] < low ? low - white[d] : 0.0;
        result[r] += apart * apart;
      }
    }
    return result;
  }

  double bound_of(const Node& node) const {
    const std::size_t to = std::min(node.open, tables_.most - node.ones);
    const double decided = mean_spread(node.covariance);
    const auto size = static_cast<double>(tables_.dimensions);
    const Eigen::MatrixXd sum = node.covariance + tables_.open_sum[node.open];
    std::vector<double> squares;
    double least = no_cost_limit;
    for (std::size_t r = 0; r <= to; ++r) {
      const double constant = tables_.terms.constant[node.ones + r];
      if (constant == no_cost_limit) continue;
      const double part = share(members(node.ones + r));
      if (squares.empty() || tables_.is_mean) {  // a mean's metric depends on how many there are
        const Eigen::LLT<Eigen::MatrixXd> factor(part * part * sum + tables_.noise);
        const Eigen::VectorXd white = factor.matrixL().solve(x_ - part * node.mean);
        Eigen::MatrixXd columns(at(tables_.dimensions), at(node.open));
        if (node.open > 0) columns = factor.matrixL().solve(part * tables_.means.leftCols(at(node.open)));
        squares = least_squares(white, columns, to);
      }
      const std::size_t cell = node.open * (tables_.labels + 1) + r;
      const double spread = part * part * (decided + tables_.least_spread[cell]) + tables_.noise_spread;
      const double bound = 0.5 * (squares[r] + size * std::log(2.0 * std::numbers::pi * spread)) + constant +
                           node.weight + tables_.cheapest[cell];
      least = std::min(least, bound);
    }
    return least;
  }

  void visit(const Node& node) {
    if (node.open == 0 || node.ones == tables_.most) {
      offer(exact());
      return;
    }
    const std::size_t p = node.open - 1;
    Node children[2] = {node, node};
    double bounds[2] = {no_cost_limit, no_cost_limit};
    for (std::size_t value = 0; value < 2; ++value) {
      Node& child = children[value];
      child.open = p;
      if (value == 1) {
        if (free_[p] == 0) continue;
        child.ones += 1;
        child.weight += tables_.weight[p];
        child.mean += tables_.means.col(at(p));
        child.covariance += tables_.covariance[p];
      }
      bounds[value] = bound_of(child);
    }
    const std::size_t first = bounds[1] < bounds[0] ? 1 : 0;
    for (const std::size_t value : {first, 1 - first}) {
      if (bounds[value] == no_cost_limit || !best_.enter(bounds[value])) continue;
      has_[p] = static_cast<std::uint8_t>(value);
      visit(children[value]);
    }
    has_[p] = 0;
  }

  const MatrixTables& tables_;
  BestSets& best_;
  std::vector<std::uint8_t> has_;   // by position
  std::vector<std::uint8_t> free_;  // whether a position may be 1
  Eigen::VectorXd x_;
};

class MatrixPlan : public SearchPlan {
 public:
  MatrixPlan(const Sources& sources, const SearchTerms& terms) {
    const std::size_t size = sources.dimensions;
    tables_.labels = sources.label_count();
    tables_.dimensions = size;
    tables_.most = terms.most();
    tables_.is_mean = sources.combination == Combination::mean;
    tables_.background = sources.background ? 1.0 : 0.0;
    tables_.terms = terms;
    const auto matrix = [&](const std::vector<double>& cells) -> Eigen::MatrixXd {
      return Eigen::Map<const Eigen::MatrixXd>(cells.data(), at(size), at(size));
    };
    const Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(at(size), at(size));
    tables_.noise = sources.noise.empty() ? zero : matrix(sources.noise);
    tables_.noise_spread = mean_spread(tables_.noise);
    const Eigen::MatrixXd means =
        Eigen::Map<const Eigen::MatrixXd>(sources.location.data(), at(size), at(sources.count));
    tables_.start_mean = Eigen::VectorXd::Zero(at(size));
    tables_.start_covariance = zero;
    if (sources.background) {
      tables_.start_mean = means.col(at(tables_.labels));
      tables_.start_covariance = matrix(covariance_of(sources, tables_.labels));
    }
    order_by_length(sources, means);
    tables_.means.resize(at(size), at(tables_.labels));
    tables_.open_sum.push_back(zero);
    std::vector<double> spreads;
    for (std::size_t p = 0; p < tables_.labels; ++p) {
      const std::uint32_t k = tables_.order[p];
      tables_.means.col(at(p)) = means.col(at(k));
      tables_.weight.push_back(terms.weight[k]);
      tables_.covariance.push_back(matrix(covariance_of(sources, k)));
      tables_.open_sum.push_back(tables_.open_sum.back() + tables_.covariance.back());
      spreads.push_back(mean_spread(tables_.covariance.back()));
    }
    fill_least(spreads, tables_.labels, tables_.least_spread);
    fill_least(tables_.weight, tables_.labels, tables_.cheapest);
  }

  void find(std::span<const double> x, std::span<const std::uint8_t> allowed, BestSets& best) const override {
    MatrixWalk walk(tables_, x, allowed, best);
    walk.near_start();
    walk.run();
  }

 private:
  // The longest means, in the metric of all sources together, are decided first.
  void order_by_length(const Sources& sources, const Eigen::MatrixXd& means) {
    Eigen::MatrixXd sum = tables_.start_covariance + tables_.noise;
    for (std::size_t k = 0; k < tables_.labels; ++k) {
      const std::vector<double> cells = covariance_of(sources, k);
      sum += Eigen::Map<const Eigen::MatrixXd>(cells.data(), sum.rows(), sum.cols());
    }
    const Eigen::MatrixXd white = sum.llt().matrixL().solve(means);
    tables_.order.resize(tables_.labels);
    std::iota(tables_.order.begin(), tables_.order.end(), 0U);
    std::stable_sort(tables_.order.begin(), tables_.order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return white.col(at(a)).squaredNorm() < white.col(at(b)).squaredNorm();
    });
  }

  MatrixTables tables_;
};

}  // namespace

std::unique_ptr<const SearchPlan> make_matrix_plan(const Sources& sources, const SearchTerms& terms) {
  return std::make_unique<MatrixPlan>(sources, terms);
}

}  // namespace motet::multilabel
