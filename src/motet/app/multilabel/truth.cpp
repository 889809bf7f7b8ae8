#include "motet/app/multilabel/truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "motet/app/csv_output.h"
#include "motet/base/error.h"
#include "motet/base/fields.h"
#include "motet/io/csv.h"
#include "motet/io/header.h"
#include "motet/measure/label_sets.h"
#include "motet/sources/family.h"

namespace motet {
namespace {

constexpr const char* shared_by_all = "all sources";

// Variances where sources have no more than those, else the rows of matrices.
void write_spreads(CsvWriter& csv, const Sources& sources, const std::vector<std::string>& names,
                   const std::vector<std::string>& columns) {
  const std::size_t dimensions = sources.dimensions;
  const SourceFamily& family = family_of(sources.family);
  if (family.has_shared()) {
    csv.text(shared_by_all).text(family.shared_word);
    for (const double value : sources.spread) csv.number(value);
    csv.end_row();
  }
  if (!family.has_scatter) return;
  const bool shared = sources.covariance == Covariance::shared;
  const bool matrices = shared || sources.covariance == Covariance::full;
  for (std::size_t k = 0; k < (shared ? 1 : sources.count); ++k) {
    const std::vector<double> covariance = covariance_of(sources, k);
    for (std::size_t i = 0; i < (matrices ? dimensions : 1); ++i) {
      csv.text(shared ? shared_by_all : names[k]).text(matrices ? "covariance " + columns[i] : "variance");
      for (std::size_t d = 0; d < dimensions; ++d) csv.number(covariance[(matrices ? i : d) * dimensions + d]);
      csv.end_row();
    }
  }
}

struct TruthColumns {
  std::size_t source = 0;
  std::size_t parameter = 0;
  std::vector<std::size_t> features;
};

TruthColumns truth_columns(const CsvReader& reader, const std::vector<std::string>& columns) {
  const auto place = [&](const std::string& name) {
    const std::optional<std::size_t> found = column_of(reader.header(), name);
    if (!found) {
      reader.fail_at(reader.header_line(),
                     fmt::format("there is no column '{}'; 'source', 'parameter' and the features of the model are "
                                 "needed, as `multilabel simulate --truth` writes them",
                                 name));
    }
    return *found;
  };
  TruthColumns found{place("source"), place("parameter"), {}};
  for (const std::string& column : columns) found.features.push_back(place(column));
  return found;
}

// Sources x features.
std::vector<double> read_locations(const std::string& path, const std::vector<std::string>& names,
                                   const std::vector<std::string>& columns, std::string_view word) {
  CsvReader reader(path);
  const TruthColumns at = truth_columns(reader, columns);
  std::vector<double> locations(names.size() * columns.size(), std::nan(""));
  for (CsvRows rows = reader.next_rows(); rows.size() != 0; rows = reader.next_rows()) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto name = std::find(names.begin(), names.end(), rows[i][at.source]);
      if (rows[i][at.parameter] != word || name == names.end()) continue;
      const std::size_t first = static_cast<std::size_t>(name - names.begin()) * columns.size();
      for (std::size_t d = 0; d < columns.size(); ++d) {
        const Result<double> number = parse_double(rows[i][at.features[d]]);
        if (!number) {
          reader.fail_at(rows.line(i),
                         fmt::format("column '{}': '{}' is not a number", columns[d], rows[i][at.features[d]]));
        }
        locations[first + d] = number.value();
      }
    }
  }
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (!std::isnan(locations[k * columns.size()])) continue;
    fail(ErrorKind::bad_data, fmt::format("{}: there is no line with the {} of source '{}'", path, word, names[k]));
  }
  return locations;
}

}  // namespace

void write_truth(const std::string& path, const Sources& sources, const LabelledItems& items) {
  CsvOutput out(path);
  CsvWriter& csv = out.csv();
  std::vector<std::string> names = items.labels;
  if (sources.background) names.emplace_back("background");
  csv.text("source").text("parameter");
  csv.row(items.features.columns);
  for (std::size_t k = 0; k < sources.count; ++k) {
    csv.text(names[k]).text(location_word(sources.family));
    for (const double value : sources.location_of(k)) csv.number(value);
    csv.end_row();
  }
  write_spreads(csv, sources, names, items.features.columns);
  out.finish();
}

TruthDistance distance_from_truth(const std::string& path, const MultilabelModel& model, const std::string& model_file,
                                  const Analysis& analysis) {
  if (!model.preparation.centre.empty()) {
    fail(ErrorKind::unanswerable, model_file +
                                      ": its sources are those of prepared features (--standardize, --pca); only a "
                                      "model of features as they come can be compared with --truth");
  }
  if (model.per_set() && analysis.parameters.empty()) {
    fail(ErrorKind::unanswerable,
         model_file + ": a model of method = new has one source a label set; there is nothing to compare with --truth");
  }
  std::vector<std::string> names = model.labels;
  if (model.options.background) names.emplace_back("background");
  std::vector<double> estimate = model.sources.location;
  double variance = analysis.parameters.empty() ? std::nan("") : 0.0;
  if (!analysis.parameters.empty()) {
    estimate.clear();
    for (const ParameterError& parameter : analysis.parameters) {
      estimate.push_back(parameter.value);
      variance += parameter.standard_error[0] * parameter.standard_error[0];
    }
  }
  const std::size_t dimensions = model.sources.dimensions;
  const auto d = static_cast<double>(dimensions);  // (2.12) is a mean over sources of the squares over features
  const std::vector<double> truth =
      read_locations(path, names, model.preparation.columns, location_word(model.sources.family));
  return {.a_1 = parameter_distance(truth, estimate, dimensions, 1.0),
          .a_2 = parameter_distance(truth, estimate, dimensions, 2.0),
          .mean_squared_error = d * mean_squared_error(truth, estimate),
          .root_mean_square = std::sqrt(d) * root_mean_square(truth, estimate),
          .predicted_root_mean_square = std::sqrt(variance * d / static_cast<double>(estimate.size()))};
}

}  // namespace motet
