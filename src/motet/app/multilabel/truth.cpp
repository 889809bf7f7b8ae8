#include "motet/app/multilabel/truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/app/csv_output.h"
#include "motet/base/error.h"
#include "motet/base/fields.h"
#include "motet/io/table_reader.h"
#include "motet/multilabel/naming.h"
#include "motet/sources/family.h"

namespace motet::multilabel {
namespace {

constexpr const char* shared_by_all = "all sources";

// Variances where sources have no more than those, else the rows of matrices.
void write_spreads(CsvWriter& csv, const Sources& sources, const std::vector<std::string>& names,
                   const std::vector<std::string>& columns) {
  const std::size_t dimensions = sources.dimensions;
  const SourceFamily& family = family_of(sources.family);
  if (family.has_shared()) {
    csv.text(shared_by_all).text(family.shared.word);
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

std::size_t truth_column(const TableReader& table, std::string_view name) {
  const FoundColumn found = table.find({name});
  if (!found.is_there()) {
    table.fail_header(
        fmt::format("there is no column '{}'; 'source', 'parameter' and the features of the model are needed, as "
                    "`multilabel simulate --truth` writes them",
                    name));
  }
  return found.place;
}

// Sources x features.
std::vector<double> read_locations(const std::string& path, const std::vector<std::string>& names,
                                   const std::vector<std::string>& columns, std::string_view word) {
  TableReader table(path);
  const std::size_t source = truth_column(table, "source");
  const std::size_t parameter = truth_column(table, "parameter");
  std::vector<std::size_t> features;
  features.reserve(columns.size());
  for (const std::string& column : columns) features.push_back(truth_column(table, column));
  std::vector<double> locations(names.size() * columns.size(), std::nan(""));
  table.for_each_row([&](const TableRow& row) {
    const auto name = std::find(names.begin(), names.end(), row[source]);
    if (row[parameter] != word || name == names.end()) return;
    const std::size_t first = static_cast<std::size_t>(name - names.begin()) * columns.size();
    for (std::size_t d = 0; d < columns.size(); ++d) {
      const Result<double> number = parse_double(row[features[d]]);
      if (!number) row.fail(fmt::format("column '{}': '{}' is not a number", columns[d], row[features[d]]));
      locations[first + d] = number.value();
    }
  });
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
         model_file +
             ": a model of --method new has one source per label set; there is nothing to compare with --truth");
  }
  std::vector<std::string> names = model.labels;
  if (model.options.background) names.emplace_back("background");
  const std::vector<double> truth =
      read_locations(path, names, model.preparation.columns, location_word(model.sources.family));
  return truth_distance(truth, model, analysis.parameters);
}

}  // namespace motet::multilabel
