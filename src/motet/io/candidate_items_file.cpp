#include "motet/io/candidate_items_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "motet/base/available_memory.h"
#include "motet/base/error.h"
#include "motet/data/dataset.h"
#include "motet/data/names.h"
#include "motet/io/candidate_text.h"
#include "motet/io/csv_writer.h"
#include "motet/io/features_csv.h"
#include "motet/io/file.h"
#include "motet/io/labelled_items_file.h"
#include "motet/io/mat_file.h"
#include "motet/io/words.h"

namespace motet {
namespace {

constexpr double least_weight = std::numeric_limits<double>::min();  // of a candidate, where the largest has 1

// Numbers of class names; declared ones, or those that occur.
class ClassNumbers {
 public:
  ClassNumbers(std::vector<std::string> names, bool declared) : names_(std::move(names)), declared_(declared) {
    for (std::size_t l = 0; l < names_.size(); ++l) {
      if (!number_.emplace(names_[l], static_cast<std::uint32_t>(l)).second) {
        fail(ErrorKind::usage, fmt::format("--classes: '{}' is named twice", names_[l]));
      }
    }
  }
  // `place` tells where the name stands, should it be none of them.
  template <class Place>
  std::uint32_t of(const std::string& name, const Place& place) const {
    const auto found = number_.find(name);
    if (found != number_.end()) return found->second;
    fail(ErrorKind::bad_data, fmt::format("{}: label '{}' is not among the {} classes {}", place(), name,
                                          declared_ ? "declared" : "known", quoted_list(names_)));
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::uint32_t> number_;
  bool declared_;
};

// Only their ratios tell anything; the largest of an item becomes 1, so that no sum of them overflows.
template <class Place>
void add_item(Evidence& evidence, std::vector<std::pair<std::uint32_t, double>> candidates, const Place& place) {
  std::sort(candidates.begin(), candidates.end());
  for (std::size_t i = 0; i + 1 < candidates.size(); ++i) {
    if (candidates[i].first == candidates[i + 1].first) {
      fail(ErrorKind::bad_data,
           fmt::format("{}: candidate '{}' is named twice", place(), evidence.classes[candidates[i].first]));
    }
  }
  double largest = 0.0;
  for (const auto& candidate : candidates) largest = std::max(largest, candidate.second);
  std::vector<std::uint32_t> labels;
  std::vector<double> weights;
  for (const auto& [label, weight] : candidates) {
    labels.push_back(label);
    weights.push_back(std::max(weight / largest, least_weight));
  }
  add_candidates(evidence, labels, weights);
}

// Without candidates, which were not asked for, items are numbers and names of classes.
CandidateItems items_of(Dataset data, const CandidateFormat& format) {
  if (format.needs_candidates) return candidate_items(std::move(data));
  CandidateItems items;
  items.starts.assign(data.features.rows() + 1, 0);
  items.features = std::move(data.features);
  items.classes = std::move(data.evidence.classes);
  items.truth = std::move(data.evidence.truth);
  return items;
}

// Candidates of a column; each different text is parsed once.
std::vector<std::vector<NamedCandidate>> parse_column(const FeaturesFile& file, const LabelColumn& column) {
  std::vector<std::vector<NamedCandidate>> parsed(column.classes.size());
  for (std::size_t n = 0; n < column.of_row.size(); ++n) {
    const std::int32_t set = column.of_row[n];
    if (set < 0) {
      fail(ErrorKind::bad_data, fmt::format("{}: no candidates in column '{}'; write * for an item nobody labelled",
                                            file.place(n), column.name));
    }
    std::vector<NamedCandidate>& candidates = parsed[static_cast<std::size_t>(set)];
    if (candidates.empty()) candidates = parse_candidates(column.classes[static_cast<std::size_t>(set)], file.place(n));
  }
  return parsed;
}

// The true label of each row, "" where it is not known.
std::vector<std::string> true_labels(const FeaturesFile& file, const LabelColumn& column) {
  std::vector<std::string> labels;
  for (std::size_t n = 0; n < column.of_row.size(); ++n) {
    const std::int32_t label = column.of_row[n];
    labels.push_back(label < 0 ? "" : parse_one_label(column.classes[static_cast<std::size_t>(label)], file.place(n)));
  }
  return labels;
}

CandidateFile read_csv(const std::string& path, const CandidateFormat& format, const RunContext& run) {
  FeaturesFormat columns;
  columns.delimiter = format.delimiter;
  columns.item_column = format.item_column;
  columns.only = format.known_columns;
  (format.needs_candidates ? columns.labels : columns.leave_out_if_there).push_back(format.candidates_column);
  if (!format.truth_column.empty()) columns.labels.push_back(format.truth_column);
  FeaturesFile file = read_features_csv(path, columns, run);
  CandidateFile result;
  result.warnings = std::move(file.warnings);
  result.leaves_candidates = !file.left_out.empty();
  const std::size_t rows = file.features.rows();
  Dataset data{std::move(file.features), {}, {}};
  data.features.rows_without_columns = rows;
  Evidence& evidence = data.evidence;
  std::vector<std::vector<NamedCandidate>> parsed;
  if (format.needs_candidates) parsed = parse_column(file, file.labels.front());
  std::set<std::string> names;
  for (const auto& candidates : parsed) {
    for (const NamedCandidate& candidate : candidates) names.insert(candidate.label);
  }
  std::vector<std::string> truth;
  if (!format.truth_column.empty()) truth = true_labels(file, file.labels.back());
  if (format.classes.empty()) {
    for (const std::string& label : truth) {
      if (!label.empty() && names.insert(label).second) result.only_true.push_back(label);
    }
  }
  const ClassNumbers classes(format.classes.empty() ? std::vector(names.begin(), names.end()) : format.classes,
                             !format.classes.empty());
  evidence.classes = classes.names();
  for (std::size_t n = 0; format.needs_candidates && n < rows; ++n) {
    std::vector<std::pair<std::uint32_t, double>> candidates;
    const auto& named = parsed[static_cast<std::size_t>(file.labels[0].of_row[n])];
    for (const auto& [label, weight] : named) {
      candidates.emplace_back(classes.of(label, [&] { return file.place(n); }), weight);
    }
    named.empty() ? add_nothing(evidence) : add_item(evidence, std::move(candidates), [&] { return file.place(n); });
  }
  for (std::size_t n = 0; n < truth.size(); ++n) {
    evidence.truth.push_back(
        truth[n].empty() ? -1 : static_cast<std::int32_t>(classes.of(truth[n], [&] { return file.place(n); })));
  }
  result.items = items_of(std::move(data), format);
  return result;
}

NumberTable numbered_features(const std::string& path, const MatMatrix& data) {
  NumberTable features;
  features.rows_without_columns = data.rows;
  for (std::size_t d = 0; d < data.columns; ++d) features.columns.push_back(fmt::format("x{}", d + 1));
  require_table_memory(path, data.rows, data.columns);
  features.values.resize(data.rows * data.columns);
  for (std::size_t n = 0; n < data.rows; ++n) {
    for (std::size_t d = 0; d < data.columns; ++d) {
      const double value = data.values[d * data.rows + n];
      if (!std::isfinite(value)) {
        fail(ErrorKind::bad_data, fmt::format("{}: data({}, {}) is not a finite number", path, n + 1, d + 1));
      }
      features.values[n * data.columns + d] = value;
    }
  }
  return features;
}

CandidateFile read_mat_layout(const std::string& path, const CandidateFormat& format) {
  const auto matrices = read_mat(path, std::array<std::string_view, 3>{"data", "partial_target", "target"});
  const std::optional<MatMatrix>& data = matrices[0];
  const std::optional<MatMatrix> partial = format.needs_candidates ? matrices[1] : std::nullopt;
  const std::optional<MatMatrix>& target = matrices[2];
  if (!data || (!partial && format.needs_candidates)) {
    fail(ErrorKind::bad_data,
         fmt::format("{}: there is no '{}'; the layout is data (items x features), partial_target and "
                     "target (classes x items)",
                     path, data ? "partial_target" : "data"));
  }
  CandidateFile result;
  result.leaves_candidates = !format.needs_candidates && matrices[1];
  Dataset read{numbered_features(path, *data), {}, {}};
  Evidence& evidence = read.evidence;
  for (const auto* matrix : {&partial, &target}) {
    if (*matrix && (*matrix)->columns != data->rows) {
      fail(ErrorKind::bad_data,
           fmt::format("{}: '{}' has {} columns, but there are {} items", path,
                       matrix == &partial ? "partial_target" : "target", (*matrix)->columns, data->rows));
    }
  }
  if (partial && target && partial->rows != target->rows) {
    fail(ErrorKind::bad_data,
         fmt::format("{}: partial_target has {} classes and target {}", path, partial->rows, target->rows));
  }
  const std::size_t count = partial ? partial->rows : target ? target->rows : format.classes.size();
  if (!format.classes.empty() && format.classes.size() != count) {
    fail(ErrorKind::bad_data,
         fmt::format("{}: has {} classes, but {} are declared", path, count, format.classes.size()));
  }
  evidence.classes = format.classes;
  for (std::size_t l = evidence.classes.size(); l < count; ++l) evidence.classes.push_back(std::to_string(l + 1));
  for (std::size_t n = 0; n < data->rows; ++n) {
    std::vector<std::pair<std::uint32_t, double>> candidates;
    for (std::size_t l = 0; partial && l < count; ++l) {
      const double weight = partial->values[n * count + l];
      if (!(weight >= 0.0) || !std::isfinite(weight)) {
        fail(ErrorKind::bad_data, fmt::format("{}: partial_target({}, {}) = {} is negative or no finite number", path,
                                              l + 1, n + 1, to_text(weight)));
      }
      if (weight > 0.0) candidates.emplace_back(static_cast<std::uint32_t>(l), weight);
    }
    if (partial && candidates.empty()) {
      fail(ErrorKind::bad_data, fmt::format("{}: item {} has no candidates in partial_target", path, n + 1));
    }
    add_item(evidence, std::move(candidates), [&] { return path; });
    if (!target) continue;
    std::int32_t truth = -1;
    for (std::size_t l = 0; l < count; ++l) {
      if (target->values[n * count + l] == 0.0) continue;
      if (truth >= 0) {
        fail(ErrorKind::bad_data, fmt::format("{}: item {} has several true classes in target", path, n + 1));
      }
      truth = static_cast<std::int32_t>(l);
    }
    evidence.truth.push_back(truth);
  }
  result.items = items_of(std::move(read), format);
  return result;
}

CandidateFile read_sparse(const std::string& path, const CandidateFormat& format, const RunContext& run) {
  LabelledFormat rows;
  rows.kind = ItemsKind::libsvm;
  rows.needs_labels = format.needs_candidates;
  rows.are_candidates = format.needs_candidates;
  if (format.needs_candidates) rows.known_labels = format.classes;
  rows.known_columns = format.known_columns;
  LabelledFile file = read_labelled_items(path, rows, run);
  CandidateFile result;
  result.warnings = std::move(file.warnings);
  Dataset data{std::move(file.items.features), {}, {}};
  data.evidence.classes = format.classes;
  if (format.needs_candidates) data.evidence.classes = std::move(file.items.labels);
  result.leaves_candidates = !format.needs_candidates && file.items.sets.rows() > 0;
  std::vector<std::uint32_t> labels;
  for (std::size_t n = 0; format.needs_candidates && n < data.features.rows(); ++n) {
    labels.clear();
    for_each_bit(file.items.sets.row(n), [&](std::size_t l) { labels.push_back(static_cast<std::uint32_t>(l)); });
    add_candidates(data.evidence, labels, {});
  }
  result.items = items_of(std::move(data), format);
  return result;
}

bool ends_with_any(const std::string& name, std::initializer_list<std::string_view> endings) {
  const std::string path = lower(name);
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return path.ends_with(ending); });
}

}  // namespace

CandidateFileKind candidate_file_kind(const std::string& path) {
  if (ends_with_any(path, {".mat", ".mat.gz"})) return CandidateFileKind::mat;
  if (ends_with_any(path, {".svm", ".libsvm", ".txt", ".svm.gz", ".libsvm.gz", ".txt.gz"})) {
    return CandidateFileKind::libsvm;
  }
  return CandidateFileKind::csv;
}

CandidateFile read_candidate_items(const std::string& path, const CandidateFormat& format, const RunContext& run) {
  switch (candidate_file_kind(path)) {
    case CandidateFileKind::mat:
      if (ends_with_any(path, {".gz"})) {
        fail(ErrorKind::bad_data, fmt::format("{}: a packed .mat file is not read; unpack it with gunzip", path));
      }
      return read_mat_layout(path, format);
    case CandidateFileKind::libsvm: return read_sparse(path, format, run);
    default: return read_csv(path, format, run);
  }
}

void write_candidate_csv(CsvWriter& csv, const CandidateItems& items) {
  csv.text("item");
  for (const std::string& column : items.features.columns) csv.text(column);
  csv.text("candidates");
  if (!items.truth.empty()) csv.text("truth");
  csv.end_row();
  for (std::size_t n = 0; n < items.rows(); ++n) {
    csv.text(item_name(items.features, n));
    for (const double value : items.features.row(n)) csv.number(value);
    std::string candidates;
    for (std::size_t i = items.starts[n]; i < items.starts[n + 1]; ++i) {
      if (!candidates.empty()) candidates += '|';
      candidates += items.classes[items.label[i]];
      // A colon of its own would be taken for that of a weight.
      const bool needs_weight = items.classes[items.label[i]].find(':') != std::string::npos;
      if (!items.weight.empty() || needs_weight) candidates += ':' + to_text(items.weight_at(i));
    }
    csv.text(candidates);
    if (!items.truth.empty()) {
      csv.text(items.truth[n] < 0 ? "" : items.classes[static_cast<std::size_t>(items.truth[n])]);
    }
    csv.end_row();
  }
}

}  // namespace motet
