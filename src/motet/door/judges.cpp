#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include "motet/base/error.h"
#include "motet/data/names.h"
#include "motet/data/predictions.h"
#include "motet/data/votes.h"
#include "motet/door/inside.h"
#include "motet/io/record_text.h"
#include "motet/judges/combine.h"
#include "motet/judges/confusion/two_populations.h"
#include "motet/judges/estimate.h"
#include "motet/judges/numeric/regression.h"
#include "motet/judges/numeric/regression_record.h"
#include "motet/judges/simulate.h"
#include "motet/judges/update.h"

// Last: a name at the door, such as Votes, may have another meaning inside.
#include "motet/judges.h"

namespace motet::judges {
namespace {

void check(const Votes& votes) {
  for (const Vote& vote : votes.votes) {
    if (vote.item >= votes.items.size() || vote.judge >= votes.judges.size() || vote.label >= votes.classes.size()) {
      fail(ErrorKind::usage, "votes: an item, judge or label has a number beyond the list of names");
    }
  }
  if (!votes.known.empty()) door::require_size("votes: known", votes.known.size(), votes.items.size());
  for (const std::int32_t known : votes.known) {
    if (known >= static_cast<std::int32_t>(votes.classes.size())) {
      fail(ErrorKind::usage, "votes: a known class has a number beyond the list of names");
    }
  }
}

// With `classes`, those of a model, labels are found there by name.
motet::Votes inside(const Votes& votes, const std::vector<std::string>& classes) {
  check(votes);
  const NameTable known{NameList(classes)};
  std::vector<std::uint32_t> class_of(votes.classes.size());
  for (std::size_t c = 0; c < class_of.size(); ++c) {
    class_of[c] = known.find(votes.classes[c]);
    if (class_of[c] == NameTable::absent) {
      fail(ErrorKind::bad_data, "label '" + votes.classes[c] + "' is not one of {" + quoted_list(classes) + "}");
    }
  }
  std::vector<motet::Vote> list;
  list.reserve(votes.votes.size());
  for (const Vote& vote : votes.votes) list.push_back({vote.item, vote.judge, class_of[vote.label]});
  motet::Votes result = make_votes(NameList(votes.items), NameList(votes.judges), NameList(classes), list);
  for (const std::int32_t c : votes.known) {
    result.known.push_back(c < 0 ? motet::Votes::unknown
                                 : static_cast<std::int32_t>(class_of[static_cast<std::size_t>(c)]));
  }
  return result;
}

Judge told(const JudgesFit& fit, std::size_t j) {
  const JudgesModel& model = fit.model;
  const JudgeEstimate& estimate = fit.judges[j];
  Judge judge{model.judges[j],   static_cast<std::size_t>(model.judge_votes[j]),
              estimate.accuracy, estimate.standard_error,
              estimate.interval, {},
              estimate.cells,    estimate.determined,
              estimate.constant, estimate.worse_than_chance};
  for (std::size_t truth = 0; truth < model.class_count(); ++truth) {
    for (std::size_t said = 0; said < model.class_count(); ++said) {
      judge.confusion.push_back(model.cell(j, said, truth));
    }
  }
  return judge;
}

Estimate told(JudgesFit fit) {
  std::vector<Judge> judges;
  for (std::size_t j = 0; j < fit.judges.size(); ++j) judges.push_back(told(fit, j));
  std::vector<Difficulty> difficulty;
  for (const ItemDifficulty& item : fit.difficulty) difficulty.push_back({item.difficulty, item.interval});
  std::vector<double> prior;
  for (std::size_t y = 0; y < fit.model.class_count(); ++y) prior.push_back(fit.model.prior(y));
  std::optional<double> effective_judges;
  if (fit.model.dependence) effective_judges = fit.model.dependence->effective_judges;
  return {door::outside<Model>(std::move(fit.model)),
          std::move(judges),
          std::move(prior),
          std::move(fit.prior),
          std::move(difficulty),
          std::move(fit.summary),
          fit.log_likelihood,
          std::move(fit.warnings),
          effective_judges};
}

Rate told(const ProbabilityEstimate& estimate) { return {estimate.value, estimate.error, estimate.interval}; }

Predictions inside(const Numbers& numbers) {
  door::require_size("numbers: values", numbers.values.size(), numbers.items.size() * numbers.judges.size());
  if (std::any_of(numbers.values.begin(), numbers.values.end(), [](double x) { return std::isinf(x); })) {
    fail(ErrorKind::bad_data, "numbers: a value is infinite");
  }
  return {NameList(numbers.items), NameList(numbers.judges), numbers.values};
}

NumericEstimate told(RegressionFit fit) {
  std::vector<NumericJudge> judges;
  for (const RegressionJudge& one : fit.model.judges) {
    judges.push_back({one.name, one.predictions, one.theta, one.theta_error, one.theta_interval, one.mse, one.mse_error,
                      one.mse_interval, one.at_boundary});
  }
  return {door::outside<NumericModel>(std::move(fit.model)), std::move(judges), std::move(fit.summary),
          fit.log_likelihood};
}

void require_given(const Options& options, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (!door::is_given(options, name)) fail(ErrorKind::usage, flag_of(name) + ": must be given");
  }
}

}  // namespace

const std::vector<std::string>& Model::classes() const { return inside().classes; }
const std::vector<std::string>& Model::judges() const { return inside().judges; }

std::string to_text(const Model& model) { return record_text(to_record(model.inside())); }

Model model_from_text(std::string_view text) { return door::model_of<Model>(text, judges_from_record); }

Votes votes_from(std::span<const NamedVote> votes) {
  NameTable items;
  NameTable judges;
  NameTable labels;
  Votes result;
  for (const NamedVote& vote : votes) {
    result.votes.push_back({items.id_of(vote.item), judges.id_of(vote.judge), labels.id_of(vote.label)});
  }
  const NameList names = labels.take_names();
  std::vector<std::uint32_t> class_of(names.size());
  for (const std::uint32_t label : natural_order(names)) {
    class_of[label] = static_cast<std::uint32_t>(result.classes.size());
    result.classes.emplace_back(names[label]);
  }
  for (Vote& vote : result.votes) vote.label = class_of[vote.label];
  result.items = items.take_names().to_vector();
  result.judges = judges.take_names().to_vector();
  return result;
}

Estimate estimate(const Votes& votes, const Options& options, const Run& run) {
  if (votes.classes.size() < 2) fail(ErrorKind::bad_data, "votes: at least two classes are needed");
  const motet::Votes data = inside(votes, votes.classes);
  return told(estimate_judges(data, door::inside_options<JudgesOptions>(options), door::inside(run)));
}

OptionList estimate_options() { return door::list_of_options<JudgesOptions>(); }

Labels combine(const Model& model, const Votes& votes) {
  Labels labels;
  const motet::Votes matched = match_judges(model.inside(), inside(votes, model.classes()), labels.unknown_judges);
  judges::combine(model.inside(), matched, [&](std::size_t, std::span<const double> posterior) {
    const CombinedLabel best = best_label(posterior);
    labels.label.push_back(static_cast<std::uint32_t>(best.label));
    labels.probability.push_back(best.probability);
    labels.posterior.insert(labels.posterior.end(), posterior.begin(), posterior.end());
  });
  return labels;
}

Model update(const Model& model, const Votes& votes, const Run& run) {
  return door::outside<Model>(absorb_votes(model.inside(), inside(votes, model.classes()), door::inside(run)).model);
}

Estimate estimate_of(const Model& model, double confidence) {
  JudgesOptions options;
  options.confidence = confidence;
  check_ranges(options);
  return told(fit_from_model(model.inside(), confidence));
}

Simulated simulate(const Options& options, const Run& run) {
  SimulatedVotes made =
      simulate_votes(door::inside_options<SimulateOptions>(options), Seed{run.seed}, door::inside(run));
  const motet::Votes& inner = made.votes;
  Votes votes{inner.items.to_vector(), inner.judges.to_vector(), inner.classes.to_vector(), {}};
  const auto classes = static_cast<std::uint32_t>(inner.class_count());
  votes.votes.reserve(inner.vote_count());
  for (std::uint32_t item = 0; item < inner.item_count(); ++item) {
    for (const std::uint32_t code : inner.of_item(item)) votes.votes.push_back({item, code / classes, code % classes});
  }
  return {std::move(votes), std::move(made.truth), std::move(made.accuracy)};
}

OptionList simulate_options() { return door::list_of_options<SimulateOptions>(); }

TwoPopulations two_populations(const Votes& a, const Votes& b, double prior_a, double prior_b, double confidence) {
  if (a.classes.size() != 2) {
    fail(ErrorKind::bad_data,
         "votes: " + std::to_string(a.classes.size()) + " classes; two-populations needs exactly two");
  }
  const TwoPopulationsOptions options{prior_a, prior_b, confidence};
  check_ranges(options);
  TwoPopulationsResult found = rate_two_populations(inside(a, a.classes), inside(b, a.classes), options);
  TwoPopulations result{{}, std::move(found.warnings)};
  for (const TwoPopulationsJudge& one : found.judges) {
    result.judges.push_back({one.name, one.votes_a, one.votes_b, told(one.right_on_first), told(one.right_on_second),
                             told(one.risk_a), told(one.risk_b)});
  }
  return result;
}

std::string to_text(const NumericModel& model) { return record_text(to_record(model.inside())); }

NumericModel numeric_model_from_text(std::string_view text) {
  return door::model_of<NumericModel>(text, regression_from_record);
}

NumericEstimate estimate_numbers(const Numbers& numbers, const Options& options, const Run& run) {
  const auto chosen = door::inside_options<RegressionOptions>(options);
  require_given(options, {"mean", "variance"});
  if (chosen.noise == RegressionNoise::proportional || chosen.noise == RegressionNoise::deterministic) {
    require_given(options, {"noise_variance"});
  }
  return told(fit_regression(inside(numbers), chosen, door::inside(run)));
}

OptionList estimate_numbers_options() { return door::list_of_options<RegressionOptions>(); }

NumericEstimate estimate_of(const NumericModel& model) { return told(RegressionFit{model.inside(), 0.0, {}}); }

Values combine(const NumericModel& model, const Numbers& numbers) {
  CombinedValues found = judges::combine(model.inside(), inside(numbers));
  return {std::move(found.mean), std::move(found.sd)};
}

}  // namespace motet::judges
