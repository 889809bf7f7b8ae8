#include "motet/app/judges_verbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "motet/app/checkpoint.h"
#include "motet/app/judges_files.h"
#include "motet/base/error.h"
#include "motet/io/csv_writer.h"
#include "motet/io/gold_csv.h"
#include "motet/io/json.h"
#include "motet/io/predictions_csv.h"
#include "motet/io/votes_csv.h"
#include "motet/judges/combine.h"
#include "motet/judges/estimate.h"
#include "motet/judges/regression.h"
#include "motet/judges/simulate.h"
#include "motet/judges/two_populations.h"
#include "motet/judges/update.h"
#include "motet/report/judges_report.h"
#include "motet/report/regression_report.h"

namespace motet {
namespace {

// --- estimate ---------------------------------------------------------------------

struct EstimateOptions {
  VotesFileOptions votes;
  JudgesOptions fit;
  std::string gold;
  std::string update;
  std::string combined;
  std::string model;
  CheckpointOptions checkpoint;
};

template <class V>
void visit_fields(V& v, EstimateOptions& o) {
  visit_fields(v, o.votes);
  visit_fields(v, o.fit);
  v("gold", o.gold, Text{"GOLD.csv"}, "known labels of some items, columns item,label");
  v("update", o.update, Text{"NEW.csv"}, "add these votes to the model named by --model instead of fitting anew");
  v("combined", o.combined, Text{"LABELS.csv"}, "write the best label of every item and its probability");
  v("model", o.model, Text{"MODEL.json"}, "write the model here; with --update it is read first");
  visit_fields(v, o.checkpoint);
}

Outcome report_estimate(const JudgesReport& report, const VerbContext& context) {
  Outcome outcome{judges_text(report), judges_json(report), {}};
  if (context.wants_page()) outcome.page = judges_page(report);
  return outcome;
}

Outcome run_update(const EstimateOptions& options, VerbContext& context) {
  if (!context.files.empty()) {
    fail(ErrorKind::usage, "update: adds to the model named by --model; leave out " + context.files[0]);
  }
  if (options.model.empty()) fail(ErrorKind::usage, "update: needs --model MODEL.json");
  if (!options.gold.empty()) fail(ErrorKind::usage, "update: cannot be used with --gold");
  check_outputs({options.update}, {options.model, options.combined, context.common.json, context.common.report});
  JudgesModel model = read_judges_model(options.model);
  const Votes votes = read_votes(options.update, votes_format(options.votes), context.run, model.classes);
  JudgesUpdate updated = absorb_votes(std::move(model), votes, context.run);
  JudgesFit fit = fit_from_model(std::move(updated.model), options.fit.confidence);
  fit.summary = std::move(updated.summary);
  fit.warnings.emplace_back(
      "the items of the update count as new ones; votes on items the model has seen before need a fit "
      "of all votes together");
  if (!updated.new_judges.empty()) {
    fit.warnings.push_back(fmt::format("{} judge{} new to the model", updated.new_judges.size(),
                                       updated.new_judges.size() == 1 ? " is" : "s are"));
  }
  JudgesReport report{fit, options.update, votes.item_count(), votes.vote_count(), 0, options.fit.confidence, {}, 0.0,
                      {}};
  if (!options.combined.empty() || context.wants_page()) {
    std::vector<std::string> unknown;
    look_at_items(fit.model, match_judges(fit.model, votes, unknown), options.combined, report);
  }
  write_record(options.model, to_record(fit.model));
  return report_estimate(report, context);
}

Outcome run_estimate(const EstimateOptions& options, VerbContext& context) {
  if (!options.update.empty()) return run_update(options, context);
  if (context.files.empty()) fail(ErrorKind::usage, "a file of votes is needed (or --update)");
  const std::string& file = context.files[0];
  check_outputs({file, options.gold}, {options.model, options.combined, context.common.json, context.common.report,
                                       options.checkpoint.checkpoint});
  Votes votes = read_votes(file, votes_format(options.votes), context.run);
  std::vector<std::string> gold_warnings;
  GoldCounts gold;
  if (!options.gold.empty()) {
    gold = read_gold(options.gold, votes, parse_delimiter(options.votes.delimiter));
    gold_warnings = warn_of_gold(votes, gold, options.gold);
  }
  EstimateOptions shaping = options;  // what shapes the answer: the fit's options and the data
  CheckpointFile checkpoint(options.checkpoint, fingerprint(votes, fields_of(shaping.fit), context.common.seed));
  checkpoint.attach(context.run);
  JudgesFit fit;
  try {
    fit = estimate_judges(votes, options.fit, context.run);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::interrupted || checkpoint.how_to_go_on().empty()) throw;
    fail(ErrorKind::interrupted, fmt::format("{}; {}", error.what(), checkpoint.how_to_go_on()));
  }
  fit.warnings.insert(fit.warnings.begin(), gold_warnings.begin(), gold_warnings.end());
  if (votes.repeats_left_out > 0) {
    fit.warnings.push_back(
        fmt::format("{} repeated votes of a judge on one item were left out", votes.repeats_left_out));
  }
  JudgesReport report{fit, file, votes.item_count(),    votes.vote_count(), gold.used, options.fit.confidence,
                      {},  0.0,  gold_accuracies(votes)};
  if (!options.combined.empty() || context.wants_page()) look_at_items(fit.model, votes, options.combined, report);
  if (!options.model.empty()) write_record(options.model, to_record(fit.model));
  checkpoint.remove();
  return report_estimate(report, context);
}

// --- combine ----------------------------------------------------------------------

struct CombineOptions {
  VotesFileOptions votes;
  std::string model;
  std::string combined;
};

template <class V>
void visit_fields(V& v, CombineOptions& o) {
  visit_fields(v, o.votes);
  v("model", o.model, Text{"MODEL.json"}, "the model that `estimate` wrote");
  v("combined", o.combined, Text{"LABELS.csv"}, "write the best label of every item and its probability");
}

Outcome run_combine(const CombineOptions& options, VerbContext& context) {
  if (options.model.empty()) fail(ErrorKind::usage, "combine: needs --model MODEL.json");
  if (options.combined.empty()) fail(ErrorKind::usage, "combine: needs --combined LABELS.csv");
  check_outputs({context.files[0], options.model}, {options.combined, context.common.json});
  const JudgesModel model = read_judges_model(options.model);
  const Votes votes = read_votes(context.files[0], votes_format(options.votes), context.run, model.classes);
  std::vector<std::string> unknown;
  const Votes matched = match_judges(model, votes, unknown);
  JudgesFit fit;
  JudgesReport report{fit, context.files[0], votes.item_count(), votes.vote_count(), 0, 0.0, {}, 0.0, {}};
  const std::vector<std::size_t> counts = look_at_items(model, matched, options.combined, report);
  Outcome outcome;
  outcome.text = fmt::format("{} items labelled, {:.1f} % of them with less than 0.9 for the best class\n",
                             votes.item_count(), 100.0 * report.disputed_share);
  Value shares;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    outcome.text += fmt::format("  {}: {}\n", model.classes[c], counts[c]);
    shares.set(model.classes[c], counts[c]);
  }
  Value::List warnings;
  if (!unknown.empty()) {
    const std::string names = fmt::format("{}", fmt::join(unknown, ", "));
    warnings.emplace_back(fmt::format("votes of judges the model does not know were left out: {}", names));
    outcome.text += "warning: " + warnings.back().as_text() + "\n";
  }
  outcome.json = Value::object({{"items", votes.item_count()},
                                {"labels", std::move(shares)},
                                {"disputed_share", report.disputed_share},
                                {"warnings", std::move(warnings)}});
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
  v("out", o.out, Text{"VOTES.csv"}, "write the votes here; '-' or nothing: standard output");
  v("truth", o.truth, Text{"GOLD.csv"}, "write the true label of every item here");
}

Outcome run_simulate(const SimulateVerbOptions& options, VerbContext& context) {
  check_outputs({}, {options.out, options.truth, context.common.json});
  const SimulatedVotes simulated = simulate_votes(options.simulate, Seed{context.common.seed}, context.run);
  const Votes& votes = simulated.votes;
  const bool to_stdout = options.out.empty() || options.out == "-";
  Outcome outcome;
  const std::string csv = write_votes_csv(votes, to_stdout ? "" : options.out);
  if (!options.truth.empty()) write_truth_csv(votes, simulated.truth, options.truth);
  outcome.text = to_stdout ? csv
                           : fmt::format("{} votes of {} judges on {} items written to {}\n", votes.vote_count(),
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
  v("combined", o.combined, Text{"VALUES.csv"},
    "write the best guess of every item's value and its standard deviation");
  v("model", o.model, Text{"MODEL.json"}, "write the model here");
}

Outcome run_regression(const RegressionVerbOptions& options, VerbContext& context) {
  const std::string& file = context.files[0];
  check_outputs({file}, {options.combined, options.model, context.common.json, context.common.report});
  const Predictions predictions = read_predictions(file, parse_delimiter(options.delimiter));
  const RegressionFit fit = fit_regression(predictions, options.fit, context.run);
  if (!options.combined.empty()) {
    const CombinedValues values = combine(fit.model, predictions);
    AtomicFile out(options.combined);
    CsvWriter csv(out);
    csv.text("item").text("value").text("sd").end_row();
    for (std::size_t i = 0; i < predictions.item_count(); ++i) {
      csv.text(predictions.items[i]).number(values.mean[i]).number(values.sd[i]).end_row();
    }
    csv.finish();
    out.commit();
  }
  if (!options.model.empty()) write_record(options.model, to_record(fit.model));
  Outcome outcome{regression_text(fit), regression_json(fit), {}};
  if (context.wants_page()) outcome.page = regression_page(fit, file, predictions.item_count());
  return outcome;
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
  if (options.prior_a.empty() || options.prior_b.empty()) {
    fail(ErrorKind::usage, "two-populations: needs --prior-a and --prior-b");
  }
  check_outputs(context.files, {context.common.json});
  const VotesFormat format = votes_format(options.votes);
  const Votes a = read_votes(context.files[0], format, context.run);
  const Votes b = read_votes(context.files[1], format, context.run, a.classes.to_vector());
  const auto shares = [&](std::string_view name, const std::string& text) {
    return with_frame(name, [&] {
      std::vector<double> prior = parse_prior(text, a.classes);
      if (prior.empty()) fail(ErrorKind::usage, "must be given; it cannot be estimated here");
      return prior;
    });
  };
  if (a.class_count() != 2) {
    fail(ErrorKind::bad_data,
         fmt::format("{}: {} classes; two-populations needs exactly two", context.files[0], a.class_count()));
  }
  const TwoPopulationsOptions fit_options{shares("prior-a", options.prior_a)[0], shares("prior-b", options.prior_b)[0],
                                          options.confidence};
  const TwoPopulationsResult result = rate_two_populations(a, b, fit_options);
  return {two_populations_text(result, options.confidence), two_populations_json(result), {}};
}

}  // namespace

std::vector<Verb> judges_verbs() {
  const Argument votes{"VOTES.csv", "votes, long (item,judge,label) or wide (a column a judge); '-' is standard input"};
  Argument votes_or_update = votes;
  votes_or_update.at_least = 0;
  return {
      make_verb<EstimateOptions>("judges", "estimate", "how good is each judge, and what is the best combined answer",
                                 {votes_or_update}, run_estimate),
      make_verb<CombineOptions>("judges", "combine", "label items with a model that `estimate` wrote", {votes},
                                run_combine),
      make_verb<RegressionVerbOptions>("judges", "regression", "the errors of judges who give numbers",
                                       {{"PREDICTIONS.csv", "a column a judge, a row an item"}}, run_regression),
      make_verb<TwoPopulationsVerbOptions>(
          "judges", "two-populations", "one judge's two error rates from two sets of items with known, unlike shares",
          {{"A.csv", "votes on the first set"}, {"B.csv", "votes on the second set"}}, run_two_populations),
      make_verb<SimulateVerbOptions>("judges", "simulate", "votes with known truth, to try things with", {},
                                     run_simulate),
  };
}

}  // namespace motet
