#include "motet/app/superset/files.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/app/comma_names.h"
#include "motet/app/csv_output.h"
#include "motet/app/judges/files.h"
#include "motet/base/error.h"
#include "motet/io/json.h"
#include "motet/judges/combine.h"

namespace motet {
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

// How likely the votes on each item are if label l is true, p(l | votes) / p(l); the largest is 1.
std::vector<double> evidence_of_votes(const JudgesModel& model, const Votes& votes) {
  const std::size_t classes = model.class_count();
  std::vector<double> evidence(votes.item_count() * classes);
  combine(model, votes, [&](std::size_t item, std::span<const double> posterior) {
    double most = 0.0;
    for (std::size_t l = 0; l < classes; ++l) {
      evidence[item * classes + l] = posterior[l] / model.prior(l);
      most = std::max(most, evidence[item * classes + l]);
    }
    for (std::size_t l = 0; l < classes; ++l) evidence[item * classes + l] /= most;
  });
  return evidence;
}

// Classes of items that have votes: those declared, or those of the votes and, after them, what only
// the truth names.
void join_classes(CandidateFile& file, const std::vector<std::string>& declared, const JudgesModel& model) {
  CandidateItems& items = file.items;
  const std::vector<std::string> old = std::move(items.classes);
  items.classes = declared.empty() ? model.classes : declared;
  file.only_true.clear();
  for (std::int32_t& truth : items.truth) {
    if (truth < 0) continue;
    const std::string& name = old[static_cast<std::size_t>(truth)];
    const auto found = std::find(items.classes.begin(), items.classes.end(), name);
    truth = static_cast<std::int32_t>(found - items.classes.begin());
    if (found != items.classes.end()) continue;
    items.classes.push_back(name);
    file.only_true.push_back(name);
  }
}

// Puts what votes say in place of the candidates of items.
void add_votes(CandidateFile& file, const std::string& path, const CandidateFileOptions& options,
               const JudgesModel& model, const Votes& votes) {
  CandidateItems& items = file.items;
  join_classes(file, comma_names(options.classes), model);
  std::vector<std::size_t> voted_class(items.classes.size());  // its number among the judges' classes, or their count
  for (std::size_t l = 0; l < voted_class.size(); ++l) {
    voted_class[l] = static_cast<std::size_t>(std::find(model.classes.begin(), model.classes.end(), items.classes[l]) -
                                              model.classes.begin());
  }
  const std::size_t judged = model.class_count();
  const std::vector<double> evidence = evidence_of_votes(model, votes);
  const NameTable voted(votes.items);
  std::size_t without = 0;
  items.starts.assign(1, 0);
  for (std::size_t n = 0; n < items.features.rows(); ++n) {
    const std::uint32_t item = voted.find(item_name(items.features, n));
    const bool is_voted = item != NameTable::absent;
    without += is_voted ? 0 : 1;
    for (std::uint32_t l = 0; l < items.classes.size(); ++l) {
      double weight = is_voted ? 0.0 : 1.0;
      if (is_voted && voted_class[l] < judged) weight = evidence[item * judged + voted_class[l]];
      if (weight <= 0.0) continue;
      items.label.push_back(l);
      items.weight.push_back(weight);
    }
    items.starts.push_back(items.label.size());
  }
  if (without == items.features.rows()) {
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
    fail(ErrorKind::usage, fmt::format("truth-column = '{}' goes with a table; {} has no columns with names",
                                       options.truth_column, file));
  }
  CandidateFile read;
  if (options.votes.empty()) {
    if (!options.judges.empty()) fail(ErrorKind::usage, "judges: needs --votes VOTES.csv, the votes of those judges");
    read = read_candidate_items(file, format, run);
  } else {
    JudgesModel model;
    Votes votes;
    if (options.judges.empty()) {
      votes = read_votes(options.votes, {}, run);
      require_declared(votes.classes.to_vector(), options.classes, options.votes);
      model = with_frame(options.votes, [&] { return estimate_judges(votes, {}, run).model; });
    } else {
      model = read_judges_model(options.judges);
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
    add_votes(read, file, options, model, votes);
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
      if (name == own) fail(ErrorKind::usage, fmt::format("{}: goes with --method lsb-cmm", flag_of(name).substr(2)));
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

}  // namespace motet
