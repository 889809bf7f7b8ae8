#include "motet/judges/confusion/separate.h"

#include <algorithm>
#include <cmath>

namespace motet::judges {
namespace {

// One judge's votes: a row for every pair of (what is known, label) that occurs.
class OneJudge {
 public:
  explicit OneJudge(std::size_t class_count) : k_(class_count), weight_((class_count + 1) * class_count, 0.0) {}

  void add(std::int32_t known, std::size_t label, double weight) {
    weight_[static_cast<std::size_t>(known + 1) * k_ + label] += weight;
    has_gold_ = has_gold_ || known != Votes::unknown;
  }
  bool has_gold() const { return has_gold_; }
  double votes_for(std::size_t label) const { return weight_[label]; }  // among the items of unknown class

  VoteTable table() const {
    VoteTable table;
    table.judge_count = 1;
    table.class_count = k_;
    table.merged.starts.push_back(0);
    for (std::size_t i = 0; i < weight_.size(); ++i) {
      if (weight_[i] == 0.0) continue;
      table.merged.codes.push_back(static_cast<std::uint32_t>(i % k_));
      table.merged.starts.push_back(static_cast<std::uint32_t>(table.merged.codes.size()));
      table.merged.known.push_back(static_cast<std::int32_t>(i / k_) - 1);
      table.weights.push_back(weight_[i]);
    }
    table.starts = table.merged.starts;
    table.codes = table.merged.codes;
    table.known = table.merged.known;
    table.leaves = cut_leaves(table.starts);
    return table;
  }

 private:
  std::size_t k_;
  std::vector<double> weight_;
  bool has_gold_ = false;
};

bool has_smoothing(const ConfusionSpec& spec) {
  return std::any_of(spec.prior.cells.begin(), spec.prior.cells.end(), [](double cell) { return cell != 0.0; });
}

}  // namespace

double binary_accuracy(double share_of_first, double prior_of_first) {
  const double share_of_second = 1.0 - share_of_first;
  return std::clamp((prior_of_first - share_of_second) / (2.0 * prior_of_first - 1.0), 0.0, 1.0);
}

SeparateFit fit_separately(const VoteTable& table, const ConfusionSpec& spec, const EmRule& rule,
                           InformationKind information, const RunContext& run) {
  const std::size_t k = table.class_count;
  const std::size_t block = k * k;
  std::vector<OneJudge> judges(table.judge_count, OneJudge(k));
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    for (const std::uint32_t code : table.of_row(row)) {
      judges[code / k].add(table.known_class(row), code % k, table.weight(row));
    }
  }
  SeparateFit fit;
  fit.parameters = spec.known_prior;
  fit.statistics.assign(1 + k, 0.0);
  for (std::size_t y = 0; y < k; ++y) fit.statistics[1 + y] = table.item_total() * spec.known_prior[y];
  for (const OneJudge& judge : judges) {
    const VoteTable own = judge.table();
    std::vector<double> start = equal_accuracy_start(own, spec, 0.5 + 0.5 / static_cast<double>(k));
    std::vector<double> parameters;
    if (own.row_count() == 0) {
      parameters = std::move(start);
    } else if (spec.noise == JudgeNoise::symmetric && k == 2 && !judge.has_gold() && !has_smoothing(spec)) {
      const double share = judge.votes_for(0) / (judge.votes_for(0) + judge.votes_for(1));
      parameters = equal_accuracy_start(own, spec, binary_accuracy(share, spec.known_prior[0]));
    } else {
      EmResult result = run_em(confusion_problem(own, spec), std::move(start), rule, run);
      fit.iterations = std::max(fit.iterations, result.summary.iterations());
      parameters = std::move(result.parameters);
    }
    const std::vector<double> statistics = expect(confusion_problem(own, spec), parameters, 1.0, run.threads);
    const Uncertainty found = uncertainty(own, spec, parameters, information, run);
    fit.log_likelihood += statistics[0];
    fit.parameters.insert(fit.parameters.end(), parameters.end() - static_cast<std::ptrdiff_t>(block),
                          parameters.end());
    fit.statistics.insert(fit.statistics.end(), statistics.end() - static_cast<std::ptrdiff_t>(block),
                          statistics.end());
    fit.accuracy_votes.push_back(found.accuracy_votes[0]);
    fit.confusion_votes.insert(fit.confusion_votes.end(), found.confusion_votes.begin(), found.confusion_votes.end());
  }
  fit.statistics[0] = fit.log_likelihood;
  return fit;
}

}  // namespace motet::judges
