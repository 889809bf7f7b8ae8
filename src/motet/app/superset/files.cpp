#include "motet/app/superset/files.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/app/comma_names.h"
#include "motet/app/csv_output.h"
#include "motet/app/judges/files.h"
#include "motet/base/error.h"
#include "motet/io/record_file.h"
#include "motet/judges/combine.h"

namespace motet::superset {
namespace {

constexpr std::size_t most_named = 5;

CandidateFormat format_of(const CandidateFileOptions& options) {
  CandidateFormat format;
  format.candidates_column = options.candidates_column;
  format.truth_column = options.truth_column;
  format.item_column = options.item_column;
  format.delimiter = parse_delimiter(options.delimiter);
  format.classes = comma_names(options.classes);
  return format;
}

// Puts what votes say in place of the candidates of items.
void add_votes(CandidateFile& file, const std::string& path, const CandidateFileOptions& options,
               const VoteEvidence& evidence) {
  VotedItems voted = set_candidates(file.items, evidence, comma_names(options.classes));
  file.only_true = std::move(voted.only_true);
  const std::size_t without = voted.without_votes;
  if (without == file.items.features.rows()) {
    fail(ErrorKind::bad_data, fmt::format("{}: no item of {} has a vote; items are matched by name, see --item-column",
                                          options.votes, path));
  }
  if (without > 0) file.warnings.push_back(fmt::format("{} items have no votes and may be anything", without));
  if (file.leaves_candidates) file.warnings.push_back("the votes take the place of the candidates in the file");
}

// `place` is what names the classes: the votes, or the judges' model.
void require_declared(const std::vector<std::string>& classes, const std::string& declared, const std::string& place) {
  const std::vector<std::string> allowed = comma_names(declared);
  for (const std::string& name : classes) {
    if (allowed.empty() || std::find(allowed.begin(), allowed.end(), name) != allowed.end()) continue;
    fail(ErrorKind::bad_data,
         fmt::format("{}: label '{}' is not among the declared classes {}", place, name, quoted_list(allowed)));
  }
}

// What only the truth names became a class all the same, so that it can be scored.
void tell_only_true(CandidateFile& file) {
  if (file.only_true.empty()) return;
  file.warnings.push_back(fmt::format("{} true label{} no candidate of any item and cannot be learnt: {}",
                                      file.only_true.size(), file.only_true.size() == 1 ? " is" : "s are",
                                      quoted_list(file.only_true, most_named)));
}

// A truth that is no candidate is a contradiction, unless the candidates may miss it.
void tell_truth_outside(CandidateFile& file) {
  const CandidateItems& items = file.items;
  std::vector<std::string> names;
  std::size_t count = 0;
  for (std::size_t n = 0; n < items.truth.size(); ++n) {
    if (items.truth[n] < 0) continue;
    const std::span<const std::uint32_t> candidates = items.candidates(n);
    if (candidates.empty() || std::find(candidates.begin(), candidates.end(),
                                        static_cast<std::uint32_t>(items.truth[n])) != candidates.end()) {
      continue;
    }
    ++count;
    if (names.size() < most_named) names.push_back(item_name(items.features, n));
  }
  if (count == 0) return;
  file.warnings.push_back(
      fmt::format("the true label of {} item{} is none of the candidates: {}{}; "
                  "--outside-probability allows for that",
                  count, count == 1 ? "" : "s", quoted_list(names), count > names.size() ? ", ..." : ""));
}

}  // namespace

CandidateFile read_training_items(const std::string& file, const CandidateFileOptions& options, const RunContext& run) {
  CandidateFormat format = format_of(options);
  if (!options.truth_column.empty() && candidate_file_kind(file) != CandidateFileKind::csv) {
    fail(ErrorKind::usage, fmt::format("--truth-column: '{}' goes with a table; {} has no columns with names",
                                       options.truth_column, file));
  }
  CandidateFile read;
  if (options.votes.empty()) {
    if (!options.judges.empty()) fail(ErrorKind::usage, "--judges: needs --votes VOTES.csv, the votes of those judges");
    read = read_candidate_items(file, format, run);
  } else {
    judges::JudgesModel model;
    Votes votes;
    if (options.judges.empty()) {
      votes = read_votes(options.votes, {}, run);
      require_declared(votes.classes.to_vector(), options.classes, options.votes);
      model = with_frame(options.votes, [&] { return judges::estimate_judges(votes, {}, run).model; });
    } else {
      model = judges::read_judges_model(options.judges);
      require_declared(model.classes, options.classes, options.judges);
      std::vector<std::string> unknown;
      votes = match_judges(model, read_votes(options.votes, {}, run, model.classes), unknown);
      if (!unknown.empty()) {
        read.warnings.push_back(
            fmt::format("votes of judges the model does not know were left out: {}", quoted_list(unknown, most_named)));
      }
    }
    format.needs_candidates = false;
    std::vector<std::string> warnings = std::move(read.warnings);
    read = read_candidate_items(file, format, run);
    read.warnings.insert(read.warnings.end(), warnings.begin(), warnings.end());
    add_votes(read, file, options, judges::evidence_of_votes(model, votes));
  }
  with_frame(file, [&] { check_candidates(read.items); });
  tell_only_true(read);
  tell_truth_outside(read);
  return read;
}

CandidateFile read_items_for(const SupersetModel& model, const std::string& file, const CandidateFileOptions& options,
                             bool needs_candidates, const RunContext& run) {
  CandidateFormat format = format_of(options);
  format.classes = model.classes;
  format.needs_candidates = needs_candidates;
  format.known_columns = model.preparation.columns;
  CandidateFile read = read_candidate_items(file, format, run);
  tell_truth_outside(read);
  return read;
}

void require_heeded(const SupersetOptions& options, const VerbContext& context) {
  if (options.method == SupersetMethod::lsb_cmm) return;
  for (const std::string& name : context.given) {
    for (const char* own : {"components", "alpha", "prior_scale", "bias_variance", "restarts", "max_iterations",
                            "tolerance", "smoothing", "batch"}) {
      if (name == own) fail(ErrorKind::usage, fmt::format("{}: goes with --method lsb-cmm", flag_of(name)));
    }
  }
}

SupersetModel read_superset_model(const std::string& path) {
  const Record record = read_record(path);
  return with_frame(path, [&] { return superset_from_record(record); });
}

void write_disambiguated(const std::string& path, const CandidateItems& items, const std::vector<double>& probability) {
  CsvOutput out(path);
  CsvWriter& csv = out.csv();
  const std::size_t classes = items.classes.size();
  for (const char* name : {"item", "label", "probability", "candidates"}) csv.text(name);
  if (!items.truth.empty()) csv.text("truth");
  csv.end_row();
  for (std::size_t n = 0; n < items.rows(); ++n) {
    const double* const p = probability.data() + n * classes;
    const auto best = static_cast<std::size_t>(std::max_element(p, p + classes) - p);
    csv.text(item_name(items.features, n)).text(items.classes[best]).number(p[best]);
    std::string candidates;
    for (const std::uint32_t l : items.candidates(n)) candidates += (candidates.empty() ? "" : "|") + items.classes[l];
    csv.text(candidates);
    if (!items.truth.empty()) {
      csv.text(items.truth[n] < 0 ? "" : items.classes[static_cast<std::size_t>(items.truth[n])]);
    }
    csv.end_row();
  }
  out.finish();
}

}  // namespace motet::superset
