#include "motet/judges/numeric/linear_gaussian.h"
#include "motet/base/numeric.h"
#include "motet/data/eigen.h"

#include <cmath>
#include <map>
#include <numbers>

namespace motet::judges {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

const double log_two_pi = std::log(2.0 * std::numbers::pi);

// What the formulas below call them: A = C^-1, W = sum (yhat - m)(yhat - m)', r = sum (yhat - m).
struct Terms {
  double n = 0.0;
  VectorXd b;
  VectorXd r;
  MatrixXd A;
  MatrixXd W;
  double log_likelihood = -infinity;
};

Terms terms_of(const PredictionPattern& pattern, std::span<const JudgeLine> lines, TruthPrior prior) {
  const auto size = static_cast<Index>(pattern.judges.size());
  Terms t{pattern.count, VectorXd(size), VectorXd(size), {}, {}, -infinity};
  MatrixXd C = MatrixXd::Zero(size, size);
  VectorXd gap(size);
  for (Index j = 0; j < size; ++j) {
    const JudgeLine& line = lines[pattern.judges[static_cast<std::size_t>(j)]];
    t.b(j) = line.slope;
    C(j, j) = line.residual;
    gap(j) = pattern.mean[static_cast<std::size_t>(j)] - line.intercept - prior.mean * line.slope;
  }
  C += prior.variance * t.b * t.b.transpose();
  const Eigen::LLT<MatrixXd> factor(C);
  if (factor.info() != Eigen::Success) return t;
  t.A = factor.solve(MatrixXd::Identity(size, size));
  t.r = t.n * gap;
  t.W = Eigen::Map<const RowMatrix>(pattern.scatter.data(), size, size) + t.n * gap * gap.transpose();
  const double log_determinant = 2.0 * factor.matrixLLT().diagonal().array().log().sum();
  const double squares = factor.solve(t.W).trace();
  t.log_likelihood = -0.5 * (t.n * (static_cast<double>(size) * log_two_pi + log_determinant) + squares);
  return t;
}

// The derivatives of one pattern, by the rules for a Gaussian with mean m and covariance C
// both depending on the parameters; M = A W A, v = A r.
struct Blocks {
  VectorXd a, b, d;
  MatrixXd aa, ab, ad, bb, bd, dd;  // ab(j, l): with respect to a_j and b_l
};

Blocks blocks_of(const Terms& t, TruthPrior prior, LineInformation information) {
  const double n = t.n;
  const double mu = prior.mean;
  const double s2 = prior.variance;
  const MatrixXd& A = t.A;
  const bool observed = information == LineInformation::observed;
  const MatrixXd M = observed ? MatrixXd(A * t.W * A) : MatrixXd(n * A);  // E W = n C
  const VectorXd v = observed ? VectorXd(A * t.r) : VectorXd::Zero(t.r.size());
  const VectorXd p = A * t.b;
  const VectorXd q = M * t.b;
  const double c = t.b.dot(p);
  const double f = t.b.dot(q);
  const double g = t.b.dot(v);
  Blocks k;
  k.a = v;
  k.b = s2 * (q - n * p) + mu * v;
  k.d = 0.5 * (M.diagonal() - n * A.diagonal());
  k.aa = -n * A;
  k.ab = -(n * mu + s2 * g) * A - s2 * p * v.transpose();
  k.ad = -(A * v.asDiagonal());
  k.dd = (A.array() * (0.5 * n * A - M).array()).matrix();
  k.bd = s2 * (A * (n * p - q).asDiagonal() - M * p.asDiagonal()) - mu * A * v.asDiagonal();
  k.bb = n * s2 * s2 * (p * p.transpose() + c * A) - n * s2 * A -
         s2 * s2 * (p * q.transpose() + q * p.transpose() + c * M + f * A) + s2 * M -
         mu * s2 * (2.0 * g * A + p * v.transpose() + v * p.transpose()) - n * mu * mu * A;
  return k;
}

void add(const Blocks& blocks, const PredictionPattern& pattern, std::size_t judge_count, Curvature& sum) {
  const std::size_t width = 3 * judge_count;
  const auto add_block = [&](std::size_t row_block, std::size_t column_block, const MatrixXd& block) {
    for (Index j = 0; j < block.rows(); ++j) {
      const std::size_t row = row_block * judge_count + pattern.judges[static_cast<std::size_t>(j)];
      for (Index l = 0; l < block.cols(); ++l) {
        const std::size_t column = column_block * judge_count + pattern.judges[static_cast<std::size_t>(l)];
        sum.hessian[row * width + column] += block(j, l);
        if (row_block != column_block) sum.hessian[column * width + row] += block(j, l);
      }
    }
  };
  for (std::size_t j = 0; j < pattern.judges.size(); ++j) {
    sum.gradient[pattern.judges[j]] += blocks.a(static_cast<Index>(j));
    sum.gradient[judge_count + pattern.judges[j]] += blocks.b(static_cast<Index>(j));
    sum.gradient[2 * judge_count + pattern.judges[j]] += blocks.d(static_cast<Index>(j));
  }
  add_block(0, 0, blocks.aa);
  add_block(0, 1, blocks.ab);
  add_block(0, 2, blocks.ad);
  add_block(1, 1, blocks.bb);
  add_block(1, 2, blocks.bd);
  add_block(2, 2, blocks.dd);
}

}  // namespace

std::vector<PredictionPattern> gather_patterns(const Predictions& predictions) {
  std::map<std::vector<std::uint32_t>, std::vector<std::size_t>> items_of;
  std::vector<std::uint32_t> spoke;
  for (std::size_t i = 0; i < predictions.item_count(); ++i) {
    spoke.clear();
    const std::span<const double> row = predictions.row(i);
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (!std::isnan(row[j])) spoke.push_back(static_cast<std::uint32_t>(j));
    }
    if (!spoke.empty()) items_of[spoke].push_back(i);
  }
  std::vector<PredictionPattern> patterns;
  for (const auto& [who, items] : items_of) {
    const std::vector<std::uint32_t>& judges = who;  // clang 14 takes no structured binding into a lambda
    const auto size = static_cast<Index>(judges.size());
    VectorXd mean = VectorXd::Zero(size);
    MatrixXd scatter = MatrixXd::Zero(size, size);
    VectorXd value(size);
    const auto read = [&](std::size_t item) {
      for (Index j = 0; j < size; ++j) value(j) = predictions.row(item)[judges[static_cast<std::size_t>(j)]];
    };
    for (const std::size_t item : items) {
      read(item);
      mean += value;
    }
    mean /= static_cast<double>(items.size());
    for (const std::size_t item : items) {  // around the mean, so that a large mean costs no digits
      read(item);
      value -= mean;
      scatter.selfadjointView<Eigen::Lower>().rankUpdate(value);
    }
    const RowMatrix full = scatter.selfadjointView<Eigen::Lower>();
    patterns.push_back({judges,
                        static_cast<double>(items.size()),
                        {mean.data(), mean.data() + size},
                        {full.data(), full.data() + full.size()}});
  }
  return patterns;
}

PredictionPattern pattern_of_judge(std::span<const PredictionPattern> patterns, std::uint32_t judge) {
  PredictionPattern sum{{judge}, 0.0, {0.0}, {0.0}};
  for (const PredictionPattern& pattern : patterns) {
    for (std::size_t j = 0; j < pattern.judges.size(); ++j) {
      if (pattern.judges[j] != judge) continue;
      const double total = sum.count + pattern.count;
      const double gap = pattern.mean[j] - sum.mean[0];
      sum.scatter[0] += pattern.scatter[j * pattern.judges.size() + j] + gap * gap * sum.count * pattern.count / total;
      sum.mean[0] += gap * pattern.count / total;
      sum.count = total;
    }
  }
  return sum;
}

double line_log_likelihood(std::span<const PredictionPattern> patterns, std::span<const JudgeLine> lines,
                           TruthPrior prior) {
  double sum = 0.0;
  for (const PredictionPattern& pattern : patterns) sum += terms_of(pattern, lines, prior).log_likelihood;
  return sum;
}

Curvature line_curvature(std::span<const PredictionPattern> patterns, std::span<const JudgeLine> lines,
                         TruthPrior prior, LineInformation information) {
  const std::size_t width = 3 * lines.size();
  Curvature sum{0.0, std::vector<double>(width), std::vector<double>(width * width)};
  for (const PredictionPattern& pattern : patterns) {
    const Terms terms = terms_of(pattern, lines, prior);
    sum.value += terms.log_likelihood;
    if (!std::isfinite(sum.value)) {
      sum.value = -infinity;
      return sum;
    }
    add(blocks_of(terms, prior, information), pattern, lines.size(), sum);
  }
  return sum;
}

ValuePosterior line_posterior(std::span<const double> row, std::span<const JudgeLine> lines, TruthPrior prior) {
  double precision = 1.0 / prior.variance;
  double weighted = prior.mean / prior.variance;
  double exact_sum = 0.0;
  double exact_count = 0.0;
  for (std::size_t j = 0; j < row.size(); ++j) {
    const JudgeLine& line = lines[j];
    if (std::isnan(row[j]) || line.slope == 0.0) continue;
    if (line.residual == 0.0) {
      exact_sum += (row[j] - line.intercept) / line.slope;
      exact_count += 1.0;
      continue;
    }
    precision += line.slope * line.slope / line.residual;
    weighted += line.slope * (row[j] - line.intercept) / line.residual;
  }
  if (exact_count > 0.0) return {exact_sum / exact_count, 0.0};
  return {weighted / precision, 1.0 / std::sqrt(precision)};
}

}  // namespace motet::judges
