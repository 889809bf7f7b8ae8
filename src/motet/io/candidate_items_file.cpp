#include "motet/io/candidate_items_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "motet/base/error.h"
#include "motet/base/fields.h"
#include "motet/data/names.h"
#include "motet/io/csv_writer.h"
#include "motet/io/features_csv.h"
#include "motet/io/file.h"
#include "motet/io/labelled_items_file.h"
#include "motet/io/mat_file.h"

namespace motet {
namespace {

struct NamedCandidate {
  std::string label;
  double weight = 1.0;
};

// "a|b:0.3" in parts; `place` is "file: item 'x'".
std::vector<NamedCandidate> parse_candidates(const std::string& text, const std::string& place) {
  std::vector<NamedCandidate> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('|', begin), text.size());
    std::string part = text.substr(begin, end - begin);
    begin = end + 1;
    NamedCandidate candidate;
    if (const std::size_t colon = part.rfind(':'); colon != std::string::npos) {
      if (const Result<double> weight = parse_double(part.substr(colon + 1))) {  // else the colon is part of the name
        candidate.weight = weight.value();
        part.resize(colon);
        if (!(candidate.weight > 0.0)) {
          fail(ErrorKind::bad_data, fmt::format("{}: the weight of candidate '{}' is {}; weights must be positive",
                                                place, part, to_text(candidate.weight)));
        }
      }
    }
    if (part.empty()) {
      fail(ErrorKind::bad_data,
           fmt::format("{}: an empty name among the candidates '{}'; write them as a|b|c, or * for any label", place,
                       text));
    }
    candidate.label = std::move(part);
    parts.push_back(std::move(candidate));
  }
  return parts;
}

// Numbers of class names; declared ones, or those that occur.
class ClassNumbers {
 public:
  ClassNumbers(std::vector<std::string> names, bool declared) : names_(std::move(names)), declared_(declared) {
    for (std::size_t l = 0; l < names_.size(); ++l) {
      if (!number_.emplace(names_[l], static_cast<std::uint32_t>(l)).second) {
        fail(ErrorKind::usage, fmt::format("classes: '{}' is named twice", names_[l]));
      }
    }
  }
  std::uint32_t of(const std::string& name, const std::string& place) const {
    const auto found = number_.find(name);
    if (found != number_.end()) return found->second;
    fail(ErrorKind::bad_data, fmt::format("{}: label '{}' is not among the {} classes {}", place, name,
                                          declared_ ? "declared" : "known", quoted_list(names_)));
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::uint32_t> number_;
  bool declared_;
};

void add_candidates(CandidateItems& items, std::vector<std::pair<std::uint32_t, double>> candidates,
                    const std::string& place) {
  std::sort(candidates.begin(), candidates.end());
  for (std::size_t i = 0; i + 1 < candidates.size(); ++i) {
    if (candidates[i].first == candidates[i + 1].first) {
      fail(ErrorKind::bad_data,
           fmt::format("{}: candidate '{}' is named twice", place, items.classes[candidates[i].first]));
    }
  }
  for (const auto& [label, weight] : candidates) {
    items.label.push_back(label);
    items.weight.push_back(weight);
  }
  items.starts.push_back(items.label.size());
}

void drop_plain_weights(CandidateItems& items) {
  if (std::all_of(items.weight.begin(), items.weight.end(), [](double weight) { return weight == 1.0; })) {
    items.weight.clear();
  }
}

// What a row's name in messages is.
std::string place_of(const std::string& path, const Features& features, std::size_t n) {
  return fmt::format("{}: item '{}'", path, item_name(features, n));
}

CandidateFile read_csv(const std::string& path, const CandidateFormat& format, const RunContext& run) {
  FeaturesFormat columns;
  columns.delimiter = format.delimiter;
  columns.item_column = format.item_column;
  columns.labels.push_back(format.candidates_column);
  columns.only = format.known_columns;
  if (!format.truth_column.empty()) columns.labels.push_back(format.truth_column);
  FeaturesFile file = read_features_csv(path, columns, run);
  CandidateFile result;
  result.warnings = std::move(file.warnings);
  CandidateItems& items = result.items;
  items.features = std::move(file.features);
  const LabelColumn& sets = file.labels[0];
  // Each different text is parsed once.
  std::vector<std::vector<NamedCandidate>> parsed(sets.classes.size());
  std::vector<std::string> names;
  for (std::size_t n = 0; n < sets.of_row.size(); ++n) {
    if (sets.of_row[n] < 0) {
      fail(ErrorKind::bad_data, fmt::format("{}: no candidates in column '{}'; write * for an item nobody labelled",
                                            place_of(path, items.features, n), sets.name));
    }
    const auto set = static_cast<std::size_t>(sets.of_row[n]);
    if (!parsed[set].empty() || sets.classes[set] == "*") continue;
    parsed[set] = parse_candidates(sets.classes[set], place_of(path, items.features, n));
    for (const NamedCandidate& candidate : parsed[set]) names.push_back(candidate.label);
  }
  if (file.labels.size() > 1) names.insert(names.end(), file.labels[1].classes.begin(), file.labels[1].classes.end());
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const ClassNumbers classes(format.classes.empty() ? names : format.classes, !format.classes.empty());
  items.classes = classes.names();
  for (std::size_t n = 0; n < sets.of_row.size(); ++n) {
    const auto set = static_cast<std::size_t>(sets.of_row[n]);
    const std::string place = place_of(path, items.features, n);
    std::vector<std::pair<std::uint32_t, double>> candidates;
    for (const NamedCandidate& candidate : parsed[set]) {
      candidates.emplace_back(classes.of(candidate.label, place), candidate.weight);
    }
    if (sets.classes[set] == "*") {
      for (std::uint32_t l = 0; l < items.classes.size(); ++l) candidates.emplace_back(l, 1.0);
    }
    add_candidates(items, std::move(candidates), place);
  }
  if (file.labels.size() > 1) {
    const LabelColumn& truth = file.labels[1];
    for (std::size_t n = 0; n < truth.of_row.size(); ++n) {
      items.truth.push_back(truth.of_row[n] < 0 ? -1
                                                : static_cast<std::int32_t>(classes.of(
                                                      truth.classes[static_cast<std::size_t>(truth.of_row[n])],
                                                      place_of(path, items.features, n))));
    }
  }
  drop_plain_weights(items);
  return result;
}

CandidateFile read_csv_without(const std::string& path, const CandidateFormat& format, const RunContext& run) {
  FeaturesFormat columns;
  columns.delimiter = format.delimiter;
  columns.item_column = format.item_column;
  columns.only = format.known_columns;
  if (!format.truth_column.empty()) columns.labels.push_back(format.truth_column);
  FeaturesFile file = read_features_csv(path, columns, run);
  CandidateFile result;
  result.warnings = std::move(file.warnings);
  result.items.features = std::move(file.features);
  result.items.classes = format.classes;
  const std::size_t rows = result.items.features.rows();
  result.items.starts.assign(rows + 1, 0);
  if (!file.labels.empty()) {
    const ClassNumbers classes(format.classes, true);
    for (std::size_t n = 0; n < rows; ++n) {
      const std::int32_t of_row = file.labels[0].of_row[n];
      result.items.truth.push_back(
          of_row < 0 ? -1
                     : static_cast<std::int32_t>(classes.of(file.labels[0].classes[static_cast<std::size_t>(of_row)],
                                                            place_of(path, result.items.features, n))));
    }
  }
  return result;
}

Features numbered_features(const std::string& path, const MatMatrix& data) {
  Features features;
  for (std::size_t d = 0; d < data.columns; ++d) features.columns.push_back(fmt::format("x{}", d + 1));
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
  features.starts = {0, data.rows};
  features.sequences = {""};
  return features;
}

CandidateFile read_mat_layout(const std::string& path, const CandidateFormat& format) {
  const std::optional<MatMatrix> data = read_mat(path, "data");
  const std::optional<MatMatrix> partial = read_mat(path, "partial_target");
  const std::optional<MatMatrix> target = read_mat(path, "target");
  if (!data || (!partial && format.needs_candidates)) {
    fail(ErrorKind::bad_data,
         fmt::format("{}: there is no '{}'; the layout is data (items x features), partial_target and "
                     "target (classes x items)",
                     path, data ? "partial_target" : "data"));
  }
  CandidateFile result;
  CandidateItems& items = result.items;
  items.features = numbered_features(path, *data);
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
  items.classes = format.classes;
  for (std::size_t l = items.classes.size(); l < count; ++l) items.classes.push_back(std::to_string(l + 1));
  for (std::size_t n = 0; n < data->rows; ++n) {
    std::vector<std::pair<std::uint32_t, double>> candidates;
    for (std::size_t l = 0; partial && l < count; ++l) {
      const double weight = partial->values[n * count + l];
      if (!(weight >= 0.0)) {
        fail(ErrorKind::bad_data, fmt::format("{}: partial_target({}, {}) = {} is negative or no number", path, l + 1,
                                              n + 1, to_text(weight)));
      }
      if (weight > 0.0) candidates.emplace_back(static_cast<std::uint32_t>(l), weight);
    }
    if (partial && candidates.empty()) {
      fail(ErrorKind::bad_data, fmt::format("{}: item {} has no candidates in partial_target", path, n + 1));
    }
    add_candidates(items, std::move(candidates), path);
    if (!target) continue;
    std::int32_t truth = -1;
    for (std::size_t l = 0; l < count; ++l) {
      if (target->values[n * count + l] == 0.0) continue;
      if (truth >= 0) {
        fail(ErrorKind::bad_data, fmt::format("{}: item {} has several true classes in target", path, n + 1));
      }
      truth = static_cast<std::int32_t>(l);
    }
    items.truth.push_back(truth);
  }
  drop_plain_weights(items);
  return result;
}

CandidateFile read_sparse(const std::string& path, const CandidateFormat& format, const RunContext& run) {
  LabelledFormat rows;
  rows.needs_labels = format.needs_candidates;
  rows.known_labels = format.classes;
  rows.known_columns = format.known_columns;
  LabelledFile file = read_labelled_items(path, rows, run);
  CandidateFile result;
  result.warnings = std::move(file.warnings);
  CandidateItems& items = result.items;
  items.features = std::move(file.items.features);
  items.classes = std::move(file.items.labels);
  if (file.items.sets.rows() == 0) {
    items.starts.assign(items.features.rows() + 1, 0);
    return result;
  }
  for (std::size_t n = 0; n < items.features.rows(); ++n) {
    for_each_bit(file.items.sets.row(n), [&](std::size_t l) { items.label.push_back(static_cast<std::uint32_t>(l)); });
    items.starts.push_back(items.label.size());
    if (format.needs_candidates && items.candidates(n).empty()) {
      fail(ErrorKind::bad_data,
           fmt::format("{}: no candidates before the features", place_of(path, items.features, n)));
    }
  }
  return result;
}

bool ends_with_any(std::string path, std::initializer_list<std::string_view> endings) {
  if (path.ends_with(".gz")) path.resize(path.size() - 3);
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return path.ends_with(ending); });
}

}  // namespace

CandidateFile read_candidate_items(const std::string& path, const CandidateFormat& format, const RunContext& run) {
  if (path.ends_with(".mat")) return read_mat_layout(path, format);
  if (ends_with_any(path, {".svm", ".libsvm", ".txt"})) return read_sparse(path, format, run);
  return format.needs_candidates ? read_csv(path, format, run) : read_csv_without(path, format, run);
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
      if (!items.weight.empty()) candidates += ':' + to_text(items.weight[i]);
    }
    csv.text(candidates);
    if (!items.truth.empty()) {
      csv.text(items.truth[n] < 0 ? "" : items.classes[static_cast<std::size_t>(items.truth[n])]);
    }
    csv.end_row();
  }
}

}  // namespace motet
