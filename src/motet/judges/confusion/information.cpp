#include "motet/judges/confusion/information.h"

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/data/eigen.h"
#include "motet/judges/confusion/coordinates.h"

namespace motet::judges {
namespace {

constexpr double no_information = 1e-9;  // eigenvalue relative to the largest that counts as zero

// Scores of some votes of one item under each class, and their mean under q.
struct RowScores {
  std::vector<double> posterior;
  std::vector<ScoreEntries> scores;  // by class
  ScoreEntries mean;
};

// Of the votes named, given the posterior of the whole row in `out`.
void score_votes(const VoteCoordinates& at, std::span<const std::uint32_t> codes, bool with_prior, RowScores& out) {
  out.scores.resize(at.classes());
  out.mean.clear();
  for (std::size_t y = 0; y < at.classes(); ++y) {
    ScoreEntries& score = out.scores[y];
    score.clear();
    if (out.posterior[y] == 0.0) continue;
    for (const std::uint32_t code : codes) at.add_vote_score(code, y, score);
    if (with_prior) at.add_prior_score(y, score);
    for (const auto& [index, value] : score) out.mean.push_back({index, out.posterior[y] * value});
  }
}

// Takes away the missing information sum_y q s s' - g g', or adds the outer product g g'.
template <class Add>
void add_scores(const RowScores& row, double weight, InformationKind kind, const Add& add) {
  for (std::size_t y = 0; y < row.posterior.size() && kind == InformationKind::observed; ++y) {
    for (const auto& a : row.scores[y]) {
      for (const auto& b : row.scores[y]) add(a.index, b.index, -weight * row.posterior[y] * a.value * b.value);
    }
  }
  for (const auto& a : row.mean) {
    for (const auto& b : row.mean) add(a.index, b.index, weight * a.value * b.value);
  }
}

// Of an estimate with this gradient, in votes.
double votes_behind(double estimate, const ScoreEntries& gradient, const Eigen::MatrixXd& covariance,
                    std::size_t offset) {
  double variance = 0.0;
  for (const auto& a : gradient) {
    for (const auto& b : gradient) {
      variance += a.value * b.value *
                  covariance(static_cast<Eigen::Index>(a.index - offset), static_cast<Eigen::Index>(b.index - offset));
    }
  }
  return variance > 0.0 ? estimate * (1.0 - estimate) / variance : infinity;
}

struct Inverse {
  Eigen::MatrixXd covariance;
  Eigen::VectorXd scale;    // what coordinates were multiplied by
  Eigen::MatrixXd nothing;  // directions of scaled coordinates without information, as columns
  std::size_t rank = 0;
};

// Scaled to unit diagonal first, so that "no information" does not depend on how
// many votes a judge gave.
Inverse invert(const Eigen::MatrixXd& information) {
  const Eigen::Index n = information.rows();
  Inverse result;
  Eigen::VectorXd scale(n);
  for (Eigen::Index i = 0; i < n; ++i) scale(i) = information(i, i) > 0.0 ? 1.0 / std::sqrt(information(i, i)) : 1.0;
  const Eigen::MatrixXd scaled = scale.asDiagonal() * information * scale.asDiagonal();
  const Eigen::LLT<Eigen::MatrixXd> factor(scaled);
  if (factor.info() == Eigen::Success && factor.rcond() > no_information) {
    result.covariance = factor.solve(Eigen::MatrixXd::Identity(n, n));
    result.rank = static_cast<std::size_t>(n);
  } else {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scaled);
    const double least = no_information * std::max(eigen.eigenvalues().maxCoeff(), 1e-300);
    Eigen::VectorXd inverse(n);
    for (Eigen::Index e = 0; e < n; ++e) {
      const bool is_zero = !(eigen.eigenvalues()(e) > least);
      inverse(e) = is_zero ? 0.0 : 1.0 / eigen.eigenvalues()(e);
      result.rank += is_zero ? 0 : 1;
    }
    // Eigenvalues rise, so those without information come first.
    result.nothing = eigen.eigenvectors().leftCols(n - static_cast<Eigen::Index>(result.rank));
    result.covariance = eigen.eigenvectors() * inverse.asDiagonal() * eigen.eigenvectors().transpose();
  }
  result.covariance = scale.asDiagonal() * result.covariance * scale.asDiagonal();
  result.scale = scale;
  return result;
}

// Whether what the gradient belongs to lies in directions without information. With sparse votes such a direction may
// touch every judge a little, which leaves their errors determined all the same.
bool is_undetermined(const Inverse& inverse, const ScoreEntries& gradient) {
  constexpr double much = 0.05;  // of the squared length
  if (inverse.nothing.cols() == 0) return false;
  Eigen::VectorXd along = Eigen::VectorXd::Zero(inverse.nothing.cols());
  double length = 0.0;
  for (const auto& [index, value] : gradient) {
    const auto i = static_cast<Eigen::Index>(index);
    const double scaled = value * inverse.scale(i);
    along += scaled * inverse.nothing.row(i).transpose();
    length += scaled * scaled;
  }
  return along.squaredNorm() > much * length;
}

// What the prior and the expected votes of every row contribute.
template <class Add>
void add_complete_information(const VoteCoordinates& at, const VoteTable& table, const ConfusionSpec& spec,
                              std::span<const double> statistics, InformationKind kind, const Add& add) {
  const std::size_t k = at.classes();
  const bool observed = kind == InformationKind::observed;
  const auto pseudo = [&](std::size_t y, std::size_t c) {
    return spec.prior.cells.empty() ? 0.0 : spec.prior.cells[y * k + c];
  };
  for (std::size_t j = 0; j < at.judges(); ++j) {
    double symmetric_votes = 2.0 * pseudo(0, 0);
    for (std::size_t y = 0; y < k; ++y) {
      double votes = 0.0;
      for (std::size_t c = 0; c < k; ++c) {
        if (observed) votes += at.vote_weight() * statistics[1 + k + (j * k + c) * k + y];
        if (!at.symmetric()) votes += pseudo(y, c);
      }
      if (at.symmetric()) {
        symmetric_votes += votes;
      } else {
        at.add_row_curvature(j, y, votes, add);
      }
    }
    if (at.symmetric()) at.add_row_curvature(j, 0, symmetric_votes, add);
  }
  double items = observed ? table.item_total() : 0.0;
  for (const double mass : spec.prior.class_mass) items += mass;
  at.add_prior_curvature(items, add);
}

void fill_from(const VoteCoordinates& at, const Eigen::MatrixXd& covariance, std::size_t first_judge,
               std::size_t last_judge, std::size_t offset, Uncertainty& result) {
  const std::size_t k = at.classes();
  for (std::size_t j = first_judge; j < last_judge; ++j) {
    ScoreEntries gradient = at.accuracy_gradient(j);
    if (offset != 0 || result.judges_apart) {
      std::erase_if(gradient, [&](const auto& entry) { return entry.index >= at.prior_begin(); });
    }
    result.accuracy_votes[j] = votes_behind(accuracy_of(at.parameters(), k, j), gradient, covariance, offset);
    for (std::size_t y = 0; y < k; ++y) {
      for (std::size_t c = 0; c < k; ++c) {
        result.confusion_votes[(j * k + c) * k + y] =
            votes_behind(at.cell(j, c, y), at.cell_gradient(j, y, c), covariance, offset);
      }
    }
  }
}

void mark_undetermined(const VoteCoordinates& at, std::size_t judge, Uncertainty& result) {
  result.undetermined.push_back(judge);
  result.accuracy_votes[judge] = 0.0;
  const std::size_t block = at.classes() * at.classes();
  std::fill_n(result.confusion_votes.begin() + static_cast<std::ptrdiff_t>(judge * block), block, 0.0);
}

void stop_if_cancelled(const RunContext& run) {
  if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while computing the intervals");
}

// Entry by entry: for rows with few votes.
void add_rows_sparsely(const VoteCoordinates& at, const VoteTable& table, InformationKind kind, const RunContext& run,
                       Eigen::MatrixXd& information) {
  constexpr std::size_t rows_between_looks = 1024;
  const RowInference inference(at.weighted(), at.classes());
  RowScores scores;
  scores.posterior.resize(at.classes());
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (row % rows_between_looks == 0) stop_if_cancelled(run);
    inference.infer(table.of_row(row), table.known_class(row), scores.posterior);
    score_votes(at, table.of_row(row), true, scores);
    add_scores(scores, table.weight(row), kind, [&](std::size_t a, std::size_t b, double value) {
      information(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b)) += value;
    });
  }
}

// As matrix products over batches of rows: for rows on which most judges voted. Scores
// under one class reach only that class's coordinates, so its product is K times smaller
// each way.
void add_rows_densely(const VoteCoordinates& at, const VoteTable& table, InformationKind kind, const RunContext& run,
                      Eigen::MatrixXd& information) {
  constexpr std::size_t batch = 256;
  const std::size_t classes = kind == InformationKind::observed ? at.classes() : 0;
  std::vector<std::vector<std::size_t>> reach;
  std::vector<Eigen::MatrixXd> scaled;                   // scores of the batch, by class, one column per row
  std::vector<Eigen::MatrixXd> products;                 // their sums of squares so far
  std::vector<Eigen::Index> place(at.size() * classes);  // of a coordinate in the reach of a class
  for (std::size_t y = 0; y < classes; ++y) {
    reach.push_back(at.of_class(y));
    const auto size = static_cast<Eigen::Index>(reach[y].size());
    for (std::size_t i = 0; i < reach[y].size(); ++i) place[y * at.size() + reach[y][i]] = static_cast<Eigen::Index>(i);
    scaled.emplace_back(size, static_cast<Eigen::Index>(batch));
    products.push_back(Eigen::MatrixXd::Zero(size, size));
  }
  const RowInference inference(at.weighted(), at.classes());
  RowScores scores;
  scores.posterior.resize(at.classes());
  Eigen::MatrixXd means(static_cast<Eigen::Index>(at.size()), static_cast<Eigen::Index>(batch));
  for (std::size_t first = 0; first < table.row_count(); first += batch) {
    stop_if_cancelled(run);
    means.setZero();
    for (Eigen::MatrixXd& matrix : scaled) matrix.setZero();
    for (std::size_t row = first; row < std::min(first + batch, table.row_count()); ++row) {
      const auto column = static_cast<Eigen::Index>(row - first);
      inference.infer(table.of_row(row), table.known_class(row), scores.posterior);
      score_votes(at, table.of_row(row), true, scores);
      for (const auto& [index, value] : scores.mean) {
        means(static_cast<Eigen::Index>(index), column) += std::sqrt(table.weight(row)) * value;
      }
      for (std::size_t y = 0; y < classes; ++y) {
        const double scale = std::sqrt(table.weight(row) * scores.posterior[y]);
        for (const auto& [index, value] : scores.scores[y]) {
          scaled[y](place[y * at.size() + index], column) = scale * value;
        }
      }
    }
    information.selfadjointView<Eigen::Lower>().rankUpdate(means);
    for (std::size_t y = 0; y < classes; ++y) products[y].selfadjointView<Eigen::Lower>().rankUpdate(scaled[y]);
  }
  for (std::size_t y = 0; y < classes; ++y) {
    for (std::size_t a = 0; a < reach[y].size(); ++a) {
      for (std::size_t b = 0; b <= a; ++b) {
        information(static_cast<Eigen::Index>(reach[y][a]), static_cast<Eigen::Index>(reach[y][b])) -=
            products[y](static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b));
      }
    }
  }
  information = Eigen::MatrixXd(information.selfadjointView<Eigen::Lower>());
}

bool products_pay(const VoteCoordinates& at, const VoteTable& table) {
  constexpr double product_speed = 10.0;  // entries a matrix product does in the time of one scattered addition
  double scattered = 0.0;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const auto entries = static_cast<double>(table.of_row(row).size() * at.judge_size() + at.prior_size());
    scattered += entries * entries;
  }
  const auto n = static_cast<double>(at.size());
  return static_cast<double>(table.row_count()) * n * n < product_speed * scattered;
}

void whole_matrix(const VoteCoordinates& at, const VoteTable& table, const ConfusionSpec& spec,
                  std::span<const double> statistics, InformationKind kind, const RunContext& run,
                  Uncertainty& result) {
  const auto n = static_cast<Eigen::Index>(at.size());
  Eigen::MatrixXd information = Eigen::MatrixXd::Zero(n, n);
  add_complete_information(at, table, spec, statistics, kind, [&](std::size_t a, std::size_t b, double value) {
    information(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b)) += value;
  });
  if (products_pay(at, table)) {
    add_rows_densely(at, table, kind, run, information);
  } else {
    add_rows_sparsely(at, table, kind, run, information);
  }
  const Inverse inverse = invert(information);
  result.rank = inverse.rank;
  fill_from(at, inverse.covariance, 0, at.judges(), 0, result);
  for (std::size_t y = 0; y < at.classes() && at.prior_size() != 0; ++y) {
    result.prior_votes[y] = votes_behind(at.prior(y), at.prior_gradient(y), inverse.covariance, 0);
  }
  for (std::size_t j = 0; j < at.judges(); ++j) {
    if (is_undetermined(inverse, at.accuracy_gradient(j))) mark_undetermined(at, j, result);
  }
}

// One block per judge, the other judges and the prior taken as known.
void judge_blocks(const VoteCoordinates& at, const VoteTable& table, const ConfusionSpec& spec,
                  std::span<const double> statistics, InformationKind kind, const RunContext& run,
                  Uncertainty& result) {
  const std::size_t m = at.judge_size();
  result.judges_apart = true;
  const RowInference inference(at.weighted(), at.classes());
  std::vector<double> blocks = sum_over_tasks(
      table.leaf_count(), at.judges() * m * m, run.threads, [&](std::size_t leaf, std::span<double> sums) {
        RowScores scores;
        scores.posterior.resize(at.classes());
        stop_if_cancelled(run);
        for (std::size_t row = table.leaves[leaf]; row < table.leaves[leaf + 1]; ++row) {
          const auto codes = table.of_row(row);
          inference.infer(codes, table.known_class(row), scores.posterior);
          for (std::size_t v = 0; v < codes.size(); ++v) {  // a block holds one judge: its vote alone
            const std::size_t first = codes[v] / at.classes() * m;
            double* const block = sums.data() + first * m;
            score_votes(at, codes.subspan(v, 1), false, scores);
            add_scores(scores, table.weight(row), kind, [=](std::size_t a, std::size_t b, double value) {
              block[(a - first) * m + (b - first)] += value;
            });
          }
        }
      });
  add_complete_information(at, table, spec, statistics, kind, [&](std::size_t a, std::size_t b, double value) {
    if (a < at.prior_begin()) blocks[a * m + b % m] += value;
  });
  for (std::size_t j = 0; j < at.judges(); ++j) {
    const Eigen::Map<const Eigen::MatrixXd> block(blocks.data() + j * m * m, static_cast<Eigen::Index>(m),
                                                  static_cast<Eigen::Index>(m));
    const Inverse inverse = invert(block);
    result.rank += inverse.rank;
    fill_from(at, inverse.covariance, j, j + 1, j * m, result);
    if (inverse.rank < m) mark_undetermined(at, j, result);
  }
  const double items = table.item_total();
  for (std::size_t y = 0; y < at.classes() && at.prior_size() != 0; ++y) {
    result.prior_votes[y] = items;
  }
}

// The share of doubt in the votes of each judge, 1 - sum q^2 over its items, turns its
// expected votes into fewer sure ones.
void count_votes(const VoteCoordinates& at, const VoteTable& table, std::span<const double> statistics,
                 const RunContext& run, Uncertainty& result) {
  const std::size_t k = at.classes();
  result.judges_apart = true;
  result.rank = at.size();
  const RowInference inference(at.weighted(), k);
  const std::vector<double> sums =
      sum_over_tasks(table.leaf_count(), 2 * at.judges(), run.threads, [&](std::size_t leaf, std::span<double> sum) {
        std::vector<double> q(k);
        for (std::size_t row = table.leaves[leaf]; row < table.leaves[leaf + 1]; ++row) {
          inference.infer(table.of_row(row), table.known_class(row), q);
          double sure = 0.0;
          for (const double p : q) sure += p * p;
          for (const std::uint32_t code : table.of_row(row)) {
            sum[2 * (code / k)] += table.weight(row);
            sum[2 * (code / k) + 1] += table.weight(row) * sure;
          }
        }
      });
  for (std::size_t j = 0; j < at.judges(); ++j) {
    const double votes = sums[2 * j];
    const double sure = votes > 0.0 ? at.vote_weight() * sums[2 * j + 1] / votes : 0.0;
    result.accuracy_votes[j] = sure * votes;
    if (votes == 0.0) mark_undetermined(at, j, result);
    for (std::size_t y = 0; y < k; ++y) {
      double row_votes = 0.0;
      for (std::size_t c = 0; c < k; ++c) row_votes += statistics[1 + k + (j * k + c) * k + y];
      for (std::size_t c = 0; c < k; ++c) result.confusion_votes[(j * k + c) * k + y] = sure * row_votes;
    }
  }
  if (at.prior_size() != 0) result.prior_votes.assign(k, table.item_total());
}

}  // namespace

double accuracy_of(std::span<const double> parameters, std::size_t class_count, std::size_t judge) {
  double sum = 0.0;
  for (std::size_t y = 0; y < class_count; ++y) {
    sum += parameters[y] * parameters[class_count + (judge * class_count + y) * class_count + y];
  }
  return sum;
}

Uncertainty uncertainty(const VoteTable& table, const ConfusionSpec& spec, std::span<const double> parameters,
                        InformationKind kind, const RunContext& run, std::size_t limit) {
  const VoteCoordinates at(table, spec, parameters);
  Uncertainty result;
  result.free_parameters = at.size();
  result.accuracy_votes.resize(at.judges());
  result.confusion_votes.resize(at.judges() * at.classes() * at.classes());
  result.prior_votes.assign(at.classes(), infinity);
  const EmProblem problem = confusion_problem(table, spec);
  const std::vector<double> statistics = expect(problem, at.parameters(), 1.0, run.threads);
  if (at.size() <= limit) {
    whole_matrix(at, table, spec, statistics, kind, run, result);
  } else if (at.judge_size() <= block_limit) {
    judge_blocks(at, table, spec, statistics, kind, run, result);
  } else {
    count_votes(at, table, statistics, run, result);
  }
  return result;
}

Interval probability_interval(double estimate, double votes, double confidence) {
  constexpr double half = 0.5;
  constexpr double many = 1e12;  // beyond it the interval is a point
  if (votes > many) return {estimate, estimate};
  const double tail = 0.5 * (1.0 - confidence);
  const double a = estimate * votes + half;
  const double b = (1.0 - estimate) * votes + half;
  // The half votes pull an estimate at the border out of its own interval: let it in.
  return {std::min(estimate, beta_quantile(a, b, tail)), std::max(estimate, beta_quantile(a, b, 1.0 - tail))};
}

double standard_error(double estimate, double votes) {
  if (!(votes > 0.0)) return infinity;
  const double border = 0.5 / (votes + 1.0);  // an estimate at the border is not known exactly: half a vote inside
  const double inside = std::clamp(estimate, border, 1.0 - border);
  return std::sqrt(inside * (1.0 - inside) / votes);
}

}  // namespace motet::judges
