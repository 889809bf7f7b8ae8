#include "motet/app/judges/estimate.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/app/checkpoint.h"
#include "motet/app/judges/document.h"
#include "motet/app/judges/files.h"
#include "motet/app/told.h"
#include "motet/base/error.h"
#include "motet/io/gold_csv.h"
#include "motet/io/record_file.h"
#include "motet/io/votes_csv.h"
#include "motet/judges/combine.h"
#include "motet/judges/estimate.h"
#include "motet/judges/update.h"

namespace motet::judges {
namespace {

struct EstimateOptions {
  VotesFileOptions votes;
  JudgesOptions fit;
  std::string gold;
  std::string update;
  std::string combined;
  std::string difficulties;
  std::string model;
  CheckpointOptions checkpoint;
};

template <class V>
void visit_fields(V& v, EstimateOptions& o) {
  visit_fields(v, o.votes);
  visit_fields(v, o.fit);
  v("gold", o.gold, Reads{"GOLD.csv"}, "known labels of some items, columns item,label");
  v("update", o.update, Reads{"NEW.csv"}, "add these votes to the model named by --model instead of fitting anew");
  v("combined", o.combined, Writes{"LABELS.csv"},
    "write the best label of every item and its probability; '-' is standard output");
  v("difficulties", o.difficulties, Writes{"ITEMS.csv"},
    fmt::format("write how hard every item is, with its interval (--noise {}); '-' is standard output",
                models_of_items()));
  v("model", o.model, Writes{"MODEL.json"}, "write the model here; with --update it is read first");
  visit_fields(v, o.checkpoint);
}

// Options that say something about adding votes; the others belong to a new fit.
void check_update(const EstimateOptions& options, const VerbContext& context) {
  if (!context.files.empty()) {
    fail(ErrorKind::usage, "--update: adds to the model named by --model; leave out " + context.files[0]);
  }
  if (options.model.empty()) fail(ErrorKind::usage, "--update: needs --model MODEL.json");
  if (options.model == "-") {
    fail(ErrorKind::usage, "-: the model that is added to is read and written; name a file (./- for one called '-')");
  }
  CommonOptions common;
  VotesFileOptions votes;
  std::vector<std::string> allowed = {"update", "model", "combined", "confidence"};
  for (const Field& field : fields_of(common)) allowed.push_back(field.name);
  for (const Field& field : fields_of(votes)) allowed.push_back(field.name);
  for (const std::string& name : context.given) {
    if (std::find(allowed.begin(), allowed.end(), name) == allowed.end()) {
      fail(ErrorKind::usage, fmt::format("--update: cannot be used with {}", flag_of(name)));
    }
  }
}

Outcome run_update(const EstimateOptions& options, VerbContext& context) {
  check_update(options, context);
  JudgesModel model = read_judges_model(options.model);
  const bool had_states = model.states.has_value();
  const Votes votes = read_votes(options.update, votes_format(options.votes), context.run, model.classes);
  JudgesUpdate updated = absorb_votes(std::move(model), votes, context.run);
  JudgesFit fit = fit_from_model(std::move(updated.model), options.fit.confidence);
  fit.summary = std::move(updated.summary);
  fit.warnings.emplace_back(
      "the items of the update count as new ones; votes on items the model has seen before need a fit "
      "of all votes together");
  if (had_states) {
    fit.warnings.emplace_back(
        "what the model knew of hard items and subtypes is left out from now on: votes are added to tables by class");
  }
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
  Outcome outcome = told(judges_document(report, context.wants_json()));
  // Told on standard error where standard output is taken; JSON tells them itself.
  if (context.common.json != "-") outcome.warnings = fit.warnings;
  // Last of all: a run that failed may be repeated, and the votes must not count twice.
  outcome.finish = [path = options.model, record = to_record(fit.model)] { write_record(path, record); };
  return outcome;
}

Outcome run_estimate(const EstimateOptions& options, VerbContext& context) {
  if (!options.update.empty()) return run_update(options, context);
  if (context.files.empty()) fail(ErrorKind::usage, "a file of votes is needed (or --update)");
  const std::string& file = context.files[0];
  Votes votes = read_votes(file, votes_format(options.votes), context.run);
  std::vector<std::string> gold_warnings;
  GoldCounts gold;
  if (!options.gold.empty()) {
    gold = read_gold(options.gold, votes, parse_delimiter(options.votes.delimiter));
    gold_warnings = warn_of_gold(votes, gold, options.gold);
  }
  if (!options.difficulties.empty() &&
      (options.fit.noise == JudgeNoise::automatic ||
       judge_model_kinds()[static_cast<std::size_t>(options.fit.noise)].fit == nullptr)) {
    fail(ErrorKind::usage, fmt::format("--difficulties: only a model that tells items apart has them; add --noise {}",
                                       models_of_items()));
  }
  const auto checkpoint = keep_checkpoints(options.checkpoint, context.run, [&](Fingerprint& shaping) {
    shaping.add(votes.judge_count()).add(votes.class_count()).add(votes.starts).add(votes.codes).add(votes.known);
    shaping.add_options(options.fit);
  });
  JudgesFit fit = fit_with(*checkpoint, [&] { return estimate_judges(votes, options.fit, context.run); });
  fit.warnings.insert(fit.warnings.begin(), gold_warnings.begin(), gold_warnings.end());
  if (votes.repeats_left_out > 0) {
    fit.warnings.push_back(
        fmt::format("{} repeated votes of a judge on one item were left out", votes.repeats_left_out));
  }
  JudgesReport report{fit, file, votes.item_count(),     votes.vote_count(), gold.used, options.fit.confidence,
                      {},  0.0,  gold_accuracies(votes), &votes.items};
  if (!options.difficulties.empty()) write_difficulties_csv(fit, votes, options.difficulties);
  if (!options.combined.empty() || context.wants_page()) look_at_items(fit.model, votes, options.combined, report);
  if (!options.model.empty()) write_record(options.model, to_record(fit.model));
  Outcome outcome = told(judges_document(report, context.wants_json()));
  // Told on standard error where standard output is taken; JSON tells them itself.
  if (context.common.json != "-") outcome.warnings = fit.warnings;
  outcome.finish = [checkpoint] { checkpoint->remove(); };
  return outcome;
}

}  // namespace

Verb judges_estimate_verb() {
  const Argument votes{"VOTES.csv",
                       "votes, long (item,judge,label) or wide (one column per judge); '-' is standard input", 0};
  return make_verb("judges", "estimate", "how good is each judge, and what is the best combined answer", {votes}, {},
                   run_estimate);
}

}  // namespace motet::judges
