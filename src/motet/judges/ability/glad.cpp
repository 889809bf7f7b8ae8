#include "motet/judges/ability/glad.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "motet/base/numeric.h"
#include "motet/engine/newton.h"
#include "motet/judges/confusion/information.h"

namespace motet::judges {
namespace {

constexpr double mean_ability = 1.0;
// Where maxima in b are looked for first; beyond, the prior forbids.
constexpr double first_node = -5.0;
constexpr double node_step = 0.5;
constexpr std::size_t node_count = 17;
constexpr double b_tolerance = 1e-11;
constexpr std::size_t most_polishing = 60;
constexpr double farthest_ability = 3.0;  // of an ability, when a step is extrapolated

// With fewer votes per item the easiness, one number per item, fits their chance as well. In
// simulations with 8, 40 and 160 votes per item accuracies came out 0.05, 0.01 and 0.01 too
// high, 4, 1.8 and 1.1 times their standard errors.
constexpr double many_votes = 100.0;

double node_at(std::size_t node) { return first_node + node_step * static_cast<double>(node); }

double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

double logistic(double x) { return 1.0 / (1.0 + std::exp(-x)); }

double bound_weight(double x) {
  constexpr double nearly_zero = 1e-4;  // where the quotient would lose digits
  return std::abs(x) < nearly_zero ? 0.25 - x * x / 48.0 : std::tanh(0.5 * x) / (2.0 * x);
}

double votes_of(const VoteTable& table) {
  double votes = 0.0;
  for (std::size_t r = 0; r < table.row_count(); ++r) {
    votes += table.weight(r) * static_cast<double>(table.of_row(r).size());
  }
  return votes;
}

// Sums of a row that the M-step needs, and its part of the objective.
void add_row(GladRow& row, std::span<const std::uint32_t> codes, double weight, std::size_t k, std::span<double> q,
             std::span<double> statistics) {
  const GladRow::Best best = row.best();
  row.posterior(best.log_easiness, q);
  const double easiness = std::exp(best.log_easiness);
  const std::size_t judges = (statistics.size() - 2 - k) / 2;
  statistics[0] += weight * best.value;
  for (std::size_t y = 0; y < k; ++y) statistics[1 + y] += weight * q[y];
  for (const std::uint32_t code : codes) {
    const std::size_t at = 1 + k + code / k;
    statistics[at] += weight * easiness * (q[code % k] - 0.5);
    statistics[at + judges] += weight * easiness * easiness * bound_weight(row.ability(code) * easiness);
  }
  statistics.back() += weight * 0.5 * best.log_easiness * best.log_easiness;
}

void project(std::size_t k, bool prior_known, std::span<const double> em_point, std::span<double> candidate) {
  constexpr double share = 1e-3;  // of the EM point that probabilities keep
  double total = 0.0;
  for (std::size_t y = 0; y < k; ++y) {
    candidate[y] = prior_known ? em_point[y] : std::max(candidate[y], share * em_point[y]);
    total += candidate[y];
  }
  for (std::size_t y = 0; y < k && !prior_known; ++y) candidate[y] /= total;
  for (std::size_t i = k; i < candidate.size(); ++i) {
    candidate[i] = std::clamp(candidate[i], em_point[i] - farthest_ability, em_point[i] + farthest_ability);
  }
}

// What the fit says of rows and judges once the abilities are found. Variances of abilities
// are from outer products of the score at the best easiness (the easiness is profiled out);
// with more judges than dense_limit, judge by judge.
class Telling {
 public:
  Telling(const VoteTable& table, std::span<const double> parameters, double confidence)
      : table_(table),
        parameters_(parameters),
        z_(normal_quantile(0.5 + 0.5 * confidence)),
        is_dense_(table.judge_count <= dense_limit),
        information_(is_dense_ ? table.judge_count * table.judge_count : table.judge_count, 0.0),
        class_information_(table.class_count, 0.0) {
    for (std::size_t j = 0; j < table.judge_count; ++j) information_[place(j, j)] = 1.0;  // of the prior
  }

  void fill(ModelAnswer& answer) {
    const std::size_t k = table_.class_count;
    const std::vector<double> prepared = glad_prepare(parameters_, k);
    GladRow row(prepared, k);
    std::vector<double> q(k);
    std::vector<double> easiness;
    for (std::size_t r = 0; r < table_.row_count(); ++r) {
      row.look_at(table_.of_row(r), table_.known_class(r));
      const GladRow::Best best = row.best();
      row.posterior(best.log_easiness, q);
      easiness.push_back(std::exp(best.log_easiness));
      add_scores(r, easiness.back(), q);
      const double reach = z_ / std::sqrt(std::max(-best.curvature, 1e-12));
      answer.difficulty.push_back(
          {std::exp(-best.log_easiness), {std::exp(-best.log_easiness - reach), std::exp(-best.log_easiness + reach)}});
    }
    tell_classes(answer);
    tell_judges(easiness, answer);
  }

 private:
  std::size_t place(std::size_t a, std::size_t b) const { return is_dense_ ? a * table_.judge_count + b : a; }

  void add_scores(std::size_t r, double easiness, std::span<const double> q) {
    const std::size_t k = table_.class_count;
    const double weight = table_.weight(r);
    const std::span<const std::uint32_t> codes = table_.of_row(r);
    score_.clear();
    for (const std::uint32_t code : codes) {
      score_.push_back(easiness * (q[code % k] - logistic(parameters_[k + code / k] * easiness)));
    }
    for (std::size_t a = 0; a < codes.size(); ++a) {
      for (std::size_t b = is_dense_ ? 0 : a; b < (is_dense_ ? codes.size() : a + 1); ++b) {
        information_[place(codes[a] / k, codes[b] / k)] += weight * score_[a] * score_[b];
      }
    }
    for (std::size_t y = 0; y < k; ++y) {
      class_information_[y] += weight * (q[y] - parameters_[y]) * (q[y] - parameters_[y]);
    }
  }

  void tell_classes(ModelAnswer& answer) const {
    for (std::size_t y = 0; y < table_.class_count; ++y) {
      const double p = parameters_[y];
      answer.prior.push_back(p);
      answer.prior_votes.push_back(p > 0.0 && p < 1.0 ? class_information_[y] / (p * (1.0 - p)) : 0.0);
    }
  }

  // Accuracy is over all items of the table, also those that the judge did not see.
  void tell_judges(std::span<const double> easiness, ModelAnswer& answer) const {
    const std::vector<double> covariance =
        is_dense_ ? inverse_of_information(information_, table_.judge_count) : std::vector<double>{};
    const std::span<const double> ability = parameters_.subspan(table_.class_count);
    answer.by_judge = {{ability.begin(), ability.end()}, {}};
    for (std::size_t j = 0; j < table_.judge_count; ++j) {
      const double variance = covariance.empty() ? 1.0 / information_[place(j, j)] : covariance[place(j, j)];
      answer.by_judge[1].push_back(std::sqrt(variance));
      double right = 0.0;
      double slope = 0.0;
      for (std::size_t r = 0; r < easiness.size(); ++r) {
        const double s = logistic(ability[j] * easiness[r]);
        right += table_.weight(r) * s;
        slope += table_.weight(r) * s * (1.0 - s) * easiness[r];
      }
      right /= table_.item_total();
      slope /= table_.item_total();
      answer.accuracy.push_back(right);
      answer.accuracy_votes.push_back(right * (1.0 - right) / std::max(slope * slope * variance, 1e-300));
    }
  }

  const VoteTable& table_;
  std::span<const double> parameters_;
  double z_;
  bool is_dense_;
  std::vector<double> information_;
  std::vector<double> class_information_;
  std::vector<double> score_;
};

}  // namespace

std::vector<double> glad_prepare(std::span<const double> parameters, std::size_t class_count) {
  std::vector<double> prepared(parameters.begin(), parameters.end());
  for (const double ability : parameters.subspan(class_count)) {
    for (std::size_t node = 0; node < node_count; ++node) {
      prepared.push_back(softplus(ability * std::exp(node_at(node))));
    }
  }
  return prepared;
}

GladRow::GladRow(std::span<const double> prepared, std::size_t class_count)
    : prepared_(prepared),
      class_count_(class_count),
      log_others_(std::log(static_cast<double>(class_count - 1))),
      softplus_(prepared.subspan(class_count + (prepared.size() - class_count) / (1 + node_count))),
      score_(class_count) {
  for (std::size_t y = 0; y < class_count; ++y) log_prior_.push_back(std::log(prepared[y]));
}

void GladRow::look_at(std::span<const std::uint32_t> codes, std::int32_t known) {
  codes_ = codes;
  support_.assign(class_count_, 0.0);
  offset_ = log_prior_;
  for (const std::uint32_t code : codes) {
    support_[code % class_count_] += ability(code);
    offset_[code % class_count_] += log_others_;
  }
  for (std::size_t y = 0; y < class_count_ && known != Votes::unknown; ++y) {
    if (static_cast<std::int32_t>(y) != known) offset_[y] = -std::numeric_limits<double>::infinity();
  }
}

double GladRow::log_sum(double easiness) {
  for (std::size_t y = 0; y < class_count_; ++y) score_[y] = offset_[y] + support_[y] * easiness;
  return log_sum_exp(score_);
}

double GladRow::value_at_grid(std::size_t node) {
  const double b = node_at(node);
  double value = log_sum(std::exp(b)) - 0.5 * b * b;
  for (const std::uint32_t code : codes_) value -= softplus_[code / class_count_ * node_count + node] + log_others_;
  return value;
}

GladRow::Point GladRow::at(double log_easiness) {
  const double e = std::exp(log_easiness);
  const double sum = log_sum(e);
  Point point{sum - 0.5 * log_easiness * log_easiness, 0.0, 0.0};
  double mean = 0.0;
  double square = 0.0;
  for (std::size_t y = 0; y < class_count_; ++y) {
    const double q = std::exp(score_[y] - sum);
    mean += q * support_[y];
    square += q * support_[y] * support_[y];
  }
  double slope = mean;
  double curvature = square - mean * mean;
  for (const std::uint32_t code : codes_) {
    const double a = ability(code);
    const double s = logistic(a * e);
    point.value -= softplus(a * e) + log_others_;
    slope -= a * s;
    curvature -= a * a * s * (1.0 - s);
  }
  point.slope = e * slope - log_easiness;
  point.curvature = e * slope + e * e * curvature - 1.0;
  return point;
}

// Inside the two cells beside a node.
double GladRow::polish(std::size_t node) {
  const double middle = node_at(node);
  return maximum_within({middle - node_step, middle + node_step, true}, middle, {most_polishing, b_tolerance},
                        [&](double b) {
                          const Point here = at(b);
                          return Slopes{here.slope, here.curvature};
                        });
}

GladRow::Best GladRow::best() {
  Best best;
  best.value = -std::numeric_limits<double>::infinity();
  double before = -std::numeric_limits<double>::infinity();
  double here = value_at_grid(0);
  for (std::size_t node = 0; node < node_count; ++node) {
    const double after = node + 1 < node_count ? value_at_grid(node + 1) : -std::numeric_limits<double>::infinity();
    if (here >= before && here > after) {
      const double b = polish(node);
      const Point found = at(b);
      if (found.value > best.value) best = {b, found.curvature, found.value, found.value + 0.5 * b * b};
    }
    before = here;
    here = after;
  }
  return best;
}

void GladRow::posterior(double log_easiness, std::span<double> q) {
  const double sum = log_sum(std::exp(log_easiness));
  for (std::size_t y = 0; y < class_count_; ++y) q[y] = std::exp(score_[y] - sum);
}

EmProblem glad_problem(const VoteTable& table, std::span<const double> known_prior) {
  const std::size_t k = table.class_count;
  const std::size_t judges = table.judge_count;
  const bool prior_known = !known_prior.empty();
  EmProblem problem;
  problem.leaf_count = table.leaf_count();
  problem.statistic_count = 1 + k + 2 * judges + 1;
  problem.prepare = [k](std::span<const double> parameters) { return glad_prepare(parameters, k); };
  problem.accumulate = [&table, k](std::span<const double> prepared, std::size_t leaf, double,
                                   std::span<double> statistics) {
    GladRow row(prepared, k);
    std::vector<double> q(k);
    for (std::size_t r = table.leaves[leaf]; r < table.leaves[leaf + 1]; ++r) {
      row.look_at(table.of_row(r), table.known_class(r));
      add_row(row, table.of_row(r), table.weight(r), k, q, statistics);
    }
  };
  problem.maximise = [=](std::span<const double> statistics, std::span<const double> old) {
    std::vector<double> next(old.begin(), old.end());
    double total = 0.0;
    for (std::size_t y = 0; y < k; ++y) total += statistics[1 + y];
    for (std::size_t y = 0; y < k && !prior_known; ++y) next[y] = statistics[1 + y] / total;
    for (std::size_t j = 0; j < judges; ++j) {
      next[k + j] = (mean_ability + statistics[1 + k + j]) / (1.0 + statistics[1 + k + judges + j]);
    }
    return next;
  };
  problem.log_prior = [=](std::span<const double> parameters) {
    double sum = 0.0;
    for (const double a : parameters.subspan(k)) sum -= 0.5 * (a - mean_ability) * (a - mean_ability);
    return sum;
  };
  problem.project = [=](std::span<const double> em_point, std::span<double> candidate) {
    project(k, prior_known, em_point, candidate);
  };
  return problem;
}

std::vector<double> glad_start(const VoteTable& table, std::span<const double> known_prior) {
  std::vector<double> start(known_prior.begin(), known_prior.end());
  if (start.empty()) start.assign(table.class_count, 1.0 / static_cast<double>(table.class_count));
  start.resize(table.class_count + table.judge_count, mean_ability);
  return start;
}

ModelAnswer fit_glad(const ModelQuestion& question) {
  EmResult result =
      run_em(glad_problem(question.table, question.known_prior), glad_start(question.table, question.known_prior),
             question.rule, question.run, question.stage);
  ModelAnswer answer;
  Telling(question.table, result.parameters, question.confidence).fill(answer);
  answer.log_likelihood = result.statistics[0] + result.statistics.back();
  answer.summary = std::move(result.summary);
  answer.start = "equal abilities";
  const double votes_per_item = votes_of(question.table) / question.table.item_total();
  if (votes_per_item < many_votes) {
    answer.warnings.push_back(
        fmt::format("items have {:.1f} votes on average; with fewer than {:.0f} per item this model takes judges as "
                    "better than they are, and the intervals are too narrow",
                    votes_per_item, many_votes));
  }
  return answer;
}

JudgeModelKind glad_kind() {
  return {"glad",
          "GLAD: one ability per judge and one difficulty per item",
          {"ability", "ability_error"},
          fit_glad,
          [](std::span<const double> prior, const JudgeNumbers& by_judge) -> RowPosterior {
            std::vector<double> parameters(prior.begin(), prior.end());
            parameters.insert(parameters.end(), by_judge[0].begin(), by_judge[0].end());
            const auto kept = std::make_shared<const std::vector<double>>(glad_prepare(parameters, prior.size()));
            const auto row = std::make_shared<GladRow>(*kept, prior.size());
            return [kept, row](std::span<const std::uint32_t> codes, std::int32_t known, std::span<double> posterior) {
              row->look_at(codes, known);
              const GladRow::Best best = row->best();
              row->posterior(best.log_easiness, posterior);
              return best.log_likelihood;
            };
          }};
}

}  // namespace motet::judges
