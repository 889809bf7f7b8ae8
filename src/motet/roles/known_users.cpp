#include "motet/roles/known_users.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/base/streams.h"
#include "motet/data/split.h"
#include "motet/engine/em.h"
#include "motet/roles/mac/posterior.h"
#include "motet/roles/merge.h"

namespace motet::roles {
namespace {

constexpr std::size_t most_known = 2000;   // their distances are all kept
constexpr double least_copy_level = 1e-5;  // of p0 and 1 - p1
constexpr double pseudo_cells = 1.0;       // of each kind: no level is 0 or 1 by chance
constexpr double negligible_share = 1e-9;
constexpr std::size_t predicted_a_task = 16;

// Cells of a user against those of a known user.
struct CopyCells {
  double kept = 0.0;   // both hold it
  double lost = 0.0;   // the known user alone
  double added = 0.0;  // the user alone
  double neither = 0.0;
};

struct CopyLogs {
  double kept, lost, added, neither;
  double operator()(const CopyCells& cells) const {
    return kept * cells.kept + lost * cells.lost + added * cells.added + neither * cells.neither;
  }
};
CopyLogs logs_of(double p0, double p1) { return {std::log(p1), std::log1p(-p1), std::log(p0), std::log1p(-p0)}; }

CopyCells cells_of(double common, double of_user, double of_known, double all) {
  return {common, of_known - common, of_user - common, all - of_user - of_known + common};
}

// Known users against each other, and the three numbers as an EM problem: role_share, p0, p1.
class CopyFit {
 public:
  CopyFit(const BitMatrix& rows, const std::vector<double>& weight, std::vector<double> by_roles, Threads threads)
      : rows_(rows),
        weight_(weight),
        by_roles_(std::move(by_roles)),
        ones_(rows.rows()),
        common_(rows.rows() * rows.rows()) {
    users_ = std::accumulate(weight.begin(), weight.end(), 0.0);
    for (std::size_t i = 0; i < rows.rows(); ++i) ones_[i] = static_cast<double>(rows.count(i));
    for_each_task(rows.rows(), threads, [&](std::size_t i) {
      for (std::size_t j = 0; j < rows.rows(); ++j) {
        common_[i * rows.rows() + j] = static_cast<std::uint32_t>(bits_in_common(rows.row(i), rows.row(j)));
      }
    });
  }

  EmProblem problem() const {
    EmProblem problem;
    std::vector<std::uint32_t> work(rows_.rows() + 1);
    std::iota(work.begin(), work.end(), 0U);
    const std::vector<std::size_t> cuts = cut_leaves(work);
    problem.leaf_count = cuts.size() - 1;
    problem.statistic_count = 2 + 4;
    problem.accumulate = [this, cuts](std::span<const double> parameters, std::size_t leaf, double /*temperature*/,
                                      std::span<double> statistics) {
      for (std::size_t i = cuts[leaf]; i < cuts[leaf + 1]; ++i) expect_user(parameters, i, statistics);
    };
    problem.maximise = [this](std::span<const double> statistics, std::span<const double> /*parameters*/) {
      return maximise(statistics);
    };
    problem.log_prior = [](std::span<const double> parameters) {
      return pseudo_cells * (std::log(parameters[0]) + std::log1p(-parameters[0]) + std::log(parameters[1]) +
                             std::log1p(-parameters[1]) + std::log(parameters[2]) + std::log1p(-parameters[2]));
    };
    return problem;
  }

 private:
  // statistics: objective, users by roles, and cells of users like another: kept, lost, added, neither.
  void expect_user(std::span<const double> parameters, std::size_t i, std::span<double> statistics) const {
    const CopyLogs logs = logs_of(parameters[1], parameters[2]);
    const std::size_t count = rows_.rows();
    std::vector<double> scores(count + 1, -infinity);
    for (std::size_t j = 0; j < count; ++j) {
      const double others = weight_[j] - (i == j ? 1.0 : 0.0);
      if (others > 0.0) {
        scores[j] = std::log1p(-parameters[0]) + std::log(others / (users_ - 1.0)) + logs(cells(i, j));
      }
    }
    scores[count] = std::log(parameters[0]) + by_roles_[i];
    const double log_likelihood = log_sum_exp(scores);
    statistics[0] += weight_[i] * log_likelihood;
    statistics[1] += weight_[i] * std::exp(scores[count] - log_likelihood);
    for (std::size_t j = 0; j < count; ++j) {
      const double share = weight_[i] * std::exp(scores[j] - log_likelihood);
      if (share <= 0.0) continue;
      const CopyCells here = cells(i, j);
      statistics[2] += share * here.kept;
      statistics[3] += share * here.lost;
      statistics[4] += share * here.added;
      statistics[5] += share * here.neither;
    }
  }

  std::vector<double> maximise(std::span<const double> s) const {
    const auto share = [](double yes, double no) { return (yes + pseudo_cells) / (yes + no + 2.0 * pseudo_cells); };
    return {share(s[1], users_ - s[1]), std::clamp(share(s[4], s[5]), least_copy_level, 1.0 - least_copy_level),
            std::clamp(share(s[2], s[3]), least_copy_level, 1.0 - least_copy_level)};
  }

  CopyCells cells(std::size_t i, std::size_t j) const {
    return cells_of(static_cast<double>(common_[i * rows_.rows() + j]), ones_[i], ones_[j],
                    static_cast<double>(rows_.columns()));
  }

  const BitMatrix& rows_;
  const std::vector<double>& weight_;
  std::vector<double> by_roles_;
  std::vector<double> ones_;
  std::vector<std::uint32_t> common_;
  double users_ = 0.0;
};

// P(held) of one user, given what is disclosed of them.
class CopyPredictor {
 public:
  CopyPredictor(const RoleModel& model, const KnownUsers& known, std::span<const std::uint32_t> disclosed)
      : model_(model),
        known_(known),
        seen_(known.rows.columns_of(disclosed)),
        all_(static_cast<double>(disclosed.size())) {
    for (std::size_t j = 0; j < seen_.rows(); ++j) ones_.push_back(static_cast<double>(seen_.count(j)));
    users_ = std::accumulate(known.weight.begin(), known.weight.end(), 0.0);
  }

  std::vector<double> held(std::span<const std::uint64_t> user, std::span<const SetShare> sets, double by_roles) const {
    const CopyLogs logs = logs_of(known_.p0, known_.p1);
    const std::size_t count = seen_.rows();
    double ones = 0.0;
    for (const std::uint64_t word : user) ones += static_cast<double>(std::popcount(word));
    std::vector<double> scores(count + 1);
    for (std::size_t j = 0; j < count; ++j) {
      scores[j] = std::log1p(-known_.role_share) + std::log(known_.weight[j] / users_) +
                  logs(cells_of(static_cast<double>(bits_in_common(user, seen_.row(j))), ones, ones_[j], all_));
    }
    scores[count] = std::log(known_.role_share) + by_roles;
    const double total = log_sum_exp(scores);
    const double share = std::exp(scores[count] - total);
    std::vector<double> result = granted(model_, sets);
    for (std::size_t d = 0; d < result.size(); ++d) {
      const double p0 = model_.p0_of(d);
      result[d] = share * (p0 + (model_.p1_of(d) - p0) * result[d]) + (1.0 - share) * known_.p0;
    }
    for (std::size_t j = 0; j < count; ++j) {
      const double of_known = std::exp(scores[j] - total);
      if (of_known < negligible_share) continue;
      for_each_bit(known_.rows.row(j), [&](std::size_t d) { result[d] += of_known * (known_.p1 - known_.p0); });
    }
    return result;
  }

 private:
  const RoleModel& model_;
  const KnownUsers& known_;
  BitMatrix seen_;
  double all_ = 0.0;
  double users_ = 0.0;
  std::vector<double> ones_;
};

}  // namespace

KnownUsers fit_known_users(const RoleModel& model, const BitMatrix& training, const RunContext& run) {
  if (training.columns() != model.permission_count() || training.rows() < 2) {
    fail(ErrorKind::internal, "known users: of other permissions, or fewer than two");
  }
  const std::vector<std::uint32_t> drawn =
      sample_by_lot(training.rows(), most_known, stream(run.seed, Stream::roles_known_users));
  const MergedMatrix merged = merge_equal(training.rows_of(drawn), {.rows = true, .columns = false});
  KnownUsers known;
  known.rows = merged.bits;
  known.weight = merged.row_weight;
  const RunContext quiet = unheard(run);
  const CopyFit fit(known.rows, known.weight, user_posteriors(model, known.rows, {}, quiet).log_likelihood,
                    run.threads);
  EmRule rule;
  rule.tolerance = 1e-6;
  EmResult result = run_em(fit.problem(), {0.5, 0.01, 0.95}, rule, quiet);
  if (result.summary.stop == Stop::interrupted) fail(ErrorKind::interrupted, "interrupted");
  known.role_share = result.parameters[0];
  known.p0 = result.parameters[1];
  known.p1 = result.parameters[2];
  known.summary = std::move(result.summary);
  return known;
}

Guess guess_by_roles_and_users(const RoleModel& model, const KnownUsers& known, const Attributes* attributes,
                               const RunContext& run) {
  return [&model, &known, attributes, run](const BitMatrix& held, std::span<const std::uint32_t> disclosed) {
    BitMatrix mask(held.rows(), held.columns());
    for (std::size_t n = 0; n < held.rows(); ++n) {
      for (const std::uint32_t d : disclosed) mask.set(n, d);
    }
    const UserPosteriors users = user_posteriors(model, held, {&mask, attributes}, unheard(run));
    const CopyPredictor predictor(model, known, disclosed);
    const BitMatrix seen = held.columns_of(disclosed);
    BitMatrix guess(held.rows(), held.columns());
    for_each_task((held.rows() + predicted_a_task - 1) / predicted_a_task, run.threads, [&](std::size_t task) {
      if (run.cancelled()) return;
      for (std::size_t n = task * predicted_a_task; n < std::min(held.rows(), (task + 1) * predicted_a_task); ++n) {
        const std::vector<double> p = predictor.held(seen.row(n), users.of(n), users.log_likelihood[n]);
        for (std::size_t d = 0; d < p.size(); ++d) guess.set(n, d, p[d] > 0.5);
        for (const std::uint32_t d : disclosed) guess.set(n, d, held(n, d));
      }
    });
    if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while predicting by known users");
    return guess;
  };
}

}  // namespace motet::roles
