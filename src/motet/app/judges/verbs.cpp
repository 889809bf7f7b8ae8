#include "motet/app/judges/verbs.h"

#include <fmt/format.h>

#include "motet/app/answers.h"
#include "motet/app/csv_output.h"
#include "motet/app/judges/document.h"
#include "motet/app/judges/estimate.h"
#include "motet/app/judges/files.h"
#include "motet/app/judges/regression_document.h"
#include "motet/app/told.h"
#include "motet/base/error.h"
#include "motet/io/gold_csv.h"
#include "motet/io/json.h"
#include "motet/io/predictions_csv.h"
#include "motet/io/record_file.h"
#include "motet/io/votes_csv.h"
#include "motet/judges/combine.h"
#include "motet/judges/confusion/two_populations.h"
#include "motet/judges/numeric/regression.h"
#include "motet/judges/numeric/regression_record.h"
#include "motet/judges/simulate.h"

namespace motet::judges {
namespace {

// --- combine ----------------------------------------------------------------------

struct CombineOptions {
  VotesFileOptions votes;
  std::string model;
  std::string combined;
};

template <class V>
void visit_fields(V& v, CombineOptions& o) {
  visit_fields(v, o.votes);
  v("model", o.model, Reads{"MODEL.json"}, "the model that `estimate` or `regression` wrote");
  v("combined", o.combined, Writes{"LABELS.csv"},
    "write the best label of every item and its probability; '-' is standard output");
}

void write_values_csv(const CombinedValues& values, const Predictions& predictions, const std::string& path) {
  CsvOutput out(path);
  CsvWriter& csv = out.csv();
  csv.text("item").text("value").text("sd").end_row();
  for (std::size_t i = 0; i < predictions.item_count(); ++i) {
    csv.text(predictions.items[i]).number(values.mean[i]).number(values.sd[i]).end_row();
  }
  out.finish();
}

Outcome combine_numbers(const RegressionModel& model, const CombineOptions& options, const VerbContext& context) {
  const Predictions predictions = read_predictions(context.files[0], parse_delimiter(options.votes.delimiter));
  const CombinedValues values = combine(model, predictions);
  require_answers(options.model, values.mean);
  require_answers(options.model, values.sd);
  write_values_csv(values, predictions, options.combined);
  return {fmt::format("{} items valued\n", predictions.item_count()),
          Value::object({{"items", predictions.item_count()}})};
}

Outcome run_combine(const CombineOptions& options, VerbContext& context) {
  const Record record = read_record(options.model);
  if (record.kind == RegressionModel::kind) {
    if (context.wants_page()) fail(ErrorKind::usage, "--report: there is no page for numbers; leave out --report");
    return combine_numbers(with_frame(options.model, [&] { return regression_from_record(record); }), options, context);
  }
  const JudgesModel model = with_frame(options.model, [&] { return judges_from_record(record); });
  const Votes votes = read_votes(context.files[0], votes_format(options.votes), context.run, model.classes);
  std::vector<std::string> unknown;
  const Votes matched = match_judges(model, votes, unknown);
  JudgesFit fit;
  JudgesReport report{fit, context.files[0], votes.item_count(), votes.vote_count(), 0, 0.0, {}, 0.0, {}};
  const std::vector<std::size_t> label_counts = look_at_items(model, matched, options.combined, report);
  Listing labels{{{"label"}, {"items"}}};
  for (std::size_t c = 0; c < label_counts.size(); ++c) labels.rows.push_back({model.classes[c], label_counts[c]});
  std::vector<std::string> warnings;
  if (!unknown.empty()) {
    warnings.push_back(
        fmt::format("votes of judges the model does not know were left out: {}", fmt::join(unknown, ", ")));
  }
  Outcome outcome = told(labels_document(report, warnings, labels));
  // Told on standard error where standard output is taken; JSON tells them itself.
  if (context.common.json != "-") outcome.warnings = warnings;
  return outcome;
}

// --- simulate ---------------------------------------------------------------------

struct SimulateVerbOptions {
  SimulateOptions simulate;
  std::string out;
  std::string truth;
};

template <class V>
void visit_fields(V& v, SimulateVerbOptions& o) {
  visit_fields(v, o.simulate);
  v("out", o.out, Writes{"VOTES.csv", "-"}, "write the votes here; '-' or nothing: standard output");
  v("truth", o.truth, Writes{"GOLD.csv"}, "write the true label of every item here");
}

Outcome run_simulate(const SimulateVerbOptions& options, VerbContext& context) {
  const SimulatedVotes simulated = simulate_votes(options.simulate, Seed{context.common.seed}, context.run);
  const Votes& votes = simulated.votes;
  write_votes_csv(votes, options.out);
  if (!options.truth.empty()) write_truth_csv(votes, simulated.truth, options.truth);
  Outcome outcome;
  outcome.text = fmt::format("{} votes of {} judges on {} items written to {}\n", votes.vote_count(),
                             votes.judge_count(), votes.item_count(), options.out);
  Value::List judges;
  for (std::size_t j = 0; j < votes.judge_count(); ++j) {
    judges.push_back(Value::object({{"name", votes.judges[j]}, {"accuracy", simulated.accuracy[j]}}));
  }
  outcome.json = Value::object({{"items", votes.item_count()},
                                {"votes", votes.vote_count()},
                                {"classes", Value::list_of(votes.classes.to_vector())},
                                {"judges", std::move(judges)}});
  return outcome;
}

// --- regression -------------------------------------------------------------------

struct RegressionVerbOptions {
  RegressionOptions fit;
  std::string delimiter = ",";
  std::string combined;
  std::string model;
};

template <class V>
void visit_fields(V& v, RegressionVerbOptions& o) {
  visit_fields(v, o.fit);
  v("delimiter", o.delimiter, Text{"CHARACTER"}, "between fields; 'tab' is possible");
  v("combined", o.combined, Writes{"VALUES.csv"},
    "write the best guess of every item's value and its standard deviation; '-' is standard output");
  v("model", o.model, Writes{"MODEL.json"}, "write the model here");
}

Outcome run_regression(const RegressionVerbOptions& options, VerbContext& context) {
  std::vector<std::string_view> needed = {"mean", "variance"};
  const RegressionNoise noise = options.fit.noise;
  if (noise == RegressionNoise::proportional || noise == RegressionNoise::deterministic) {
    needed.emplace_back("noise_variance");
  }
  require_given("regression", context, needed);
  const std::string& file = context.files[0];
  const Predictions predictions = read_predictions(file, parse_delimiter(options.delimiter));
  const RegressionFit fit = fit_regression(predictions, options.fit, context.run);
  if (!options.combined.empty()) write_values_csv(combine(fit.model, predictions), predictions, options.combined);
  if (!options.model.empty()) write_record(options.model, to_record(fit.model));
  return told(regression_document(fit, file, predictions.item_count()));
}

// --- two populations --------------------------------------------------------------

struct TwoPopulationsVerbOptions {
  VotesFileOptions votes;
  std::string prior_a;
  std::string prior_b;
  double confidence = 0.95;
};

template <class V>
void visit_fields(V& v, TwoPopulationsVerbOptions& o) {
  visit_fields(v, o.votes);
  v("prior_a", o.prior_a, Text{"PRIOR"}, "known shares of the classes in A.csv, such as yes=0.8,no=0.2");
  v("prior_b", o.prior_b, Text{"PRIOR"}, "known shares of the classes in B.csv");
  v("confidence", o.confidence, Range<double>{0.5, 0.9999}, "of the intervals");
}

Outcome run_two_populations(const TwoPopulationsVerbOptions& options, VerbContext& context) {
  const VotesFormat format = votes_format(options.votes);
  const Votes a = read_votes(context.files[0], format, context.run);
  const Votes b = read_votes(context.files[1], format, context.run, a.classes.to_vector());
  const auto shares = [&](std::string_view name, const std::string& text) {
    std::vector<double> prior = parse_prior(text, a.classes, name);
    if (prior.empty()) fail(ErrorKind::usage, fmt::format("{}: must be given; it cannot be estimated here", name));
    return prior;
  };
  if (a.class_count() != 2) {
    fail(ErrorKind::bad_data,
         fmt::format("{}: {} classes; two-populations needs exactly two", context.files[0], a.class_count()));
  }
  const TwoPopulationsOptions fit_options{shares("--prior-a", options.prior_a)[0],
                                          shares("--prior-b", options.prior_b)[0], options.confidence};
  const TwoPopulationsResult result = rate_two_populations(a, b, fit_options);
  return told(two_populations_document(result, fmt::format("{} and {}", context.files[0], context.files[1]),
                                       options.confidence));
}

}  // namespace

std::vector<Verb> judges_verbs() {
  const Argument votes{"VOTES.csv",
                       "votes, long (item,judge,label) or wide (one column per judge); '-' is standard input"};
  return {
      judges_estimate_verb(),
      make_verb("judges", "combine", "label items with a model that `estimate` or `regression` wrote", {votes},
                {{"model"}, {"combined"}}, run_combine),
      make_verb("judges", "regression", "the errors of judges who give numbers",
                {{"PREDICTIONS.csv", "one column per judge, one row per item; '-' is standard input"}},
                {{"mean"}, {"variance"}, {"noise_variance", "required for proportional and deterministic"}},
                run_regression),
      make_verb("judges", "two-populations",
                "one judge's two error rates from two sets of items with known, unlike shares",
                {{"A.csv", "votes on the first set"}, {"B.csv", "votes on the second set"}}, {{"prior_a"}, {"prior_b"}},
                run_two_populations),
      make_verb("judges", "simulate", "votes with known truth, to try things with", {}, {}, run_simulate, without_page),
  };
}

}  // namespace motet::judges
