#include "motet/judges/update.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "motet/base/error.h"
#include "motet/engine/em.h"
#include "motet/judges/confusion/identifiability.h"

namespace motet::judges {
namespace {

constexpr std::size_t most_steps = 200;
constexpr double step_tolerance = 1e-6;  // far below any standard error
constexpr double least_start = 1e-6;     // EM never leaves 0, but what was never seen may come with new votes

// The part of the model that a batch touches: its judges only.
struct Batch {
  std::vector<std::uint32_t> judge;  // model's number of each judge of the batch
  std::vector<double> parameters;
  std::vector<double> old_statistics;  // counts behind those parameters; they stand still
};

void add_new_judges(JudgesModel& model, const Votes& votes, std::vector<std::string>& added) {
  const std::size_t k = model.class_count();
  NameTable names{NameList(model.judges)};
  const std::size_t before = model.judge_count();
  for (std::size_t j = 0; j < votes.judge_count(); ++j) names.id_of(votes.judges[j]);
  model.judges = names.take_names().to_vector();
  // A new judge starts at the centre of the prior; without one, as good as the average.
  std::vector<double> table(k * k);
  for (std::size_t y = 0; y < k; ++y) {
    double pseudo = 0.0;
    for (std::size_t c = 0; c < k; ++c) pseudo += model.pseudo.cells[y * k + c];
    for (std::size_t c = 0; c < k; ++c) {
      double mean = 0.0;
      for (std::size_t j = 0; j < before; ++j) mean += model.cell(j, c, y) / static_cast<double>(before);
      const bool centred = pseudo > 0.0 && model.noise == JudgeNoise::confusion;
      table[c * k + y] = centred ? model.pseudo.cells[y * k + c] / pseudo : mean;
    }
  }
  for (std::size_t j = before; j < model.judge_count(); ++j) {
    added.push_back(model.judges[j]);
    model.parameters.insert(model.parameters.end(), table.begin(), table.end());
    model.statistics.insert(model.statistics.end(), k * k, 0.0);
    model.judge_votes.push_back(0.0);
    model.accuracy_votes.push_back(0.0);
  }
}

// Every `step`-th number, `count` of them: probabilities that sum to 1.
void lift_from_zero(std::span<double> numbers, std::size_t count, std::size_t step) {
  double total = 0.0;
  for (std::size_t c = 0; c < count; ++c) total += numbers[c * step] = std::max(numbers[c * step], least_start);
  for (std::size_t c = 0; c < count; ++c) numbers[c * step] /= total;
}

Batch take_batch(const JudgesModel& model, const Votes& votes) {
  const std::size_t k = model.class_count();
  const std::size_t block = k * k;
  const NameTable names{NameList(model.judges)};
  Batch batch;
  batch.parameters.assign(model.parameters.begin(), model.parameters.begin() + static_cast<std::ptrdiff_t>(k));
  batch.old_statistics.assign(model.statistics.begin(), model.statistics.begin() + static_cast<std::ptrdiff_t>(1 + k));
  for (std::size_t j = 0; j < votes.judge_count(); ++j) {
    batch.judge.push_back(names.find(votes.judges[j]));
    const auto at = static_cast<std::ptrdiff_t>(k + batch.judge.back() * block);
    const auto end = at + static_cast<std::ptrdiff_t>(block);
    batch.parameters.insert(batch.parameters.end(), model.parameters.begin() + at, model.parameters.begin() + end);
    batch.old_statistics.insert(batch.old_statistics.end(), model.statistics.begin() + at + 1,
                                model.statistics.begin() + end + 1);
  }
  if (!model.prior_known) lift_from_zero(batch.parameters, k, 1);
  for (std::size_t row = k; row < batch.parameters.size(); row += block) {
    for (std::size_t y = 0; y < k; ++y) lift_from_zero(std::span(batch.parameters).subspan(row + y), k, k);
  }
  return batch;
}

// The batch's own problem with the old counts as a prior that weighs what they weigh.
EmProblem with_old_counts(EmProblem problem, const std::vector<double>& old_statistics, const ConfusionSpec& spec) {
  const auto inner_maximise = problem.maximise;
  const auto inner_log_prior = problem.log_prior;
  const bool prior_free = spec.known_prior.empty();
  problem.maximise = [=](std::span<const double> statistics, std::span<const double> parameters) {
    std::vector<double> sum(statistics.begin(), statistics.end());
    for (std::size_t i = 1; i < sum.size(); ++i) sum[i] += old_statistics[i];
    return inner_maximise(sum, parameters);
  };
  problem.log_prior = [=, weight = spec.vote_weight,
                       k = spec.prior.class_mass.size()](std::span<const double> parameters) {
    double sum = inner_log_prior(parameters);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const double count = i < k ? (prior_free ? old_statistics[1 + i] : 0.0) : weight * old_statistics[1 + i];
      if (count > 0.0) sum += count * std::log(parameters[i]);
    }
    return sum;
  };
  return problem;
}

}  // namespace

JudgesUpdate absorb_votes(JudgesModel model, const Votes& votes, const RunContext& run) {
  if (votes.class_count() != model.class_count()) fail(ErrorKind::internal, "absorb_votes: other classes");
  if (model.dependence) {
    fail(ErrorKind::usage, "--update: a model with dependent judges cannot be added to; fit all votes together");
  }
  if (model.states) {  // what is left are the tables by class, to which votes can be added
    model.states.reset();
    model.noise = JudgeNoise::confusion;
  }
  if (!model.is_table()) {
    fail(ErrorKind::usage, fmt::format("--update: a model of --noise {} cannot be added to; fit all votes together",
                                       model.model_kind().name));
  }
  const std::size_t k = model.class_count();
  const std::size_t block = k * k;
  JudgesUpdate result;
  add_new_judges(model, votes, result.new_judges);
  Batch batch = take_batch(model, votes);

  const VoteTable table = make_vote_table(votes);
  ConfusionSpec spec;
  spec.noise = model.noise;
  spec.prior = model.pseudo;
  spec.vote_weight = model.vote_weight;
  if (model.prior_known)
    spec.known_prior.assign(batch.parameters.begin(), batch.parameters.begin() + static_cast<std::ptrdiff_t>(k));
  check_known_classes(votes, spec.known_prior);
  const EmProblem problem = with_old_counts(confusion_problem(table, spec), batch.old_statistics, spec);
  EmResult fitted = run_em(problem, batch.parameters, {most_steps, step_tolerance, 1.0, true}, run);

  std::copy_n(fitted.parameters.begin(), k, model.parameters.begin());
  for (std::size_t i = 0; i <= k; ++i) model.statistics[i] += fitted.statistics[i];
  const std::vector<double> counts = vote_counts(table);
  double old_votes = 0.0;
  double old_precision = 0.0;
  for (std::size_t j = 0; j < model.judge_count(); ++j) {
    old_votes += model.judge_votes[j];
    old_precision += std::min(model.accuracy_votes[j], model.judge_votes[j]);
  }
  for (std::size_t b = 0; b < batch.judge.size(); ++b) {
    const std::size_t j = batch.judge[b];
    std::copy_n(fitted.parameters.begin() + static_cast<std::ptrdiff_t>(k + b * block), block,
                model.parameters.begin() + static_cast<std::ptrdiff_t>(k + j * block));
    for (std::size_t i = 0; i < block; ++i) {
      model.statistics[1 + k + j * block + i] += fitted.statistics[1 + k + b * block + i];
    }
    double added = 0.0;
    for (std::size_t c = 0; c < k; ++c) added += counts[b * k + c];
    // A vote brings as much precision as the votes before it did on average.
    const double each = model.judge_votes[j] > 0.0 ? model.accuracy_votes[j] / model.judge_votes[j]
                                                   : old_precision / std::max(old_votes, 1.0);
    model.accuracy_votes[j] += each * added;
    model.judge_votes[j] += added;
  }
  model.items += table.item_total();
  model.seen_accuracy.clear();  // the items of before are not there to count again
  result.summary = std::move(fitted.summary);
  result.model = std::move(model);
  return result;
}

JudgesFit fit_from_model(JudgesModel model, double confidence) {
  JudgesFit fit;
  const std::size_t k = model.class_count();
  fit.log_likelihood = model.statistics[0];
  fit.interval_source = "the information of the first fit and the votes added since";
  for (std::size_t j = 0; j < model.judge_count(); ++j) {
    JudgeEstimate judge;
    judge.long_run_accuracy = model.accuracy(j);
    judge.seen_accuracy = model.seen_accuracy.empty() ? judge.long_run_accuracy : model.seen_accuracy[j];
    judge.accuracy = judge.seen_accuracy;
    judge.standard_error = standard_error(judge.accuracy, model.accuracy_votes[j]);
    judge.interval = probability_interval(judge.accuracy, model.accuracy_votes[j], confidence);
    for (std::size_t y = 0; y < k; ++y) {
      for (std::size_t c = 0; c < k; ++c) {
        const double votes = model.accuracy_votes[j] * model.prior(y);
        judge.cells.push_back(probability_interval(model.cell(j, c, y), votes, confidence));
      }
    }
    judge.determined = model.accuracy_votes[j] > 0.0;
    fit.judges.push_back(std::move(judge));
  }
  for (std::size_t y = 0; y < k; ++y) {
    const double votes = model.prior_known ? std::numeric_limits<double>::infinity() : model.items;
    fit.prior.push_back(probability_interval(model.prior(y), votes, confidence));
  }
  fit.model = std::move(model);
  return fit;
}

}  // namespace motet::judges
