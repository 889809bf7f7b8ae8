#include "motet/data/features.h"

#include <string>
#include <utility>

#include "motet/base/error.h"
#include "motet/data/names.h"

namespace motet {

Features rows_of(const Features& features, std::span<const std::uint32_t> rows) {
  Features part{rows_of(static_cast<const NumberTable&>(features), rows), {}};
  part.clock = features.clock;
  part.starts = {0, rows.size()};
  part.sequences.assign(1, features.sequences.empty() ? std::string() : features.sequences.front());
  return part;
}

Features sequences_of(const Features& features, std::span<const std::uint32_t> sequences) {
  Features part;
  part.columns = features.columns;
  part.clock = features.clock;
  const std::size_t width = features.dimensions();
  for (const std::uint32_t number : sequences) {
    const std::size_t begin = features.starts[number];
    const std::size_t rows = features.starts[number + 1] - begin;
    const std::span<const double> values = std::span(features.values).subspan(begin * width, rows * width);
    part.values.insert(part.values.end(), values.begin(), values.end());
    part.starts.push_back(part.starts.back() + rows);
    part.sequences.push_back(features.sequences[number]);
  }
  return part;
}

void select_columns(Features& features, const std::vector<std::string>& columns, std::string_view place) {
  if (features.columns == columns) return;
  std::vector<std::size_t> source;
  for (const std::string& name : columns) {
    const auto found = std::find(features.columns.begin(), features.columns.end(), name);
    if (found == features.columns.end()) {
      fail(ErrorKind::bad_data, fmt::format("{}: there is no column '{}', which the model was fitted to; found {}",
                                            place, name, quoted_list(features.columns)));
    }
    source.push_back(static_cast<std::size_t>(found - features.columns.begin()));
  }
  std::vector<double> values;
  values.reserve(features.rows() * source.size());
  for (std::size_t n = 0; n < features.rows(); ++n) {
    for (const std::size_t c : source) values.push_back(features.row(n)[c]);
  }
  features.values = std::move(values);
  features.columns = columns;
}

void append(Features& features, const Features& more) {
  if (features.columns != more.columns) {
    fail(ErrorKind::bad_data, "the features have " + std::to_string(more.dimensions()) + " columns that are not the " +
                                  std::to_string(features.dimensions()) + " of the others; name and order must agree");
  }
  // Clocks are looked at before names of items, and nothing is added before all is known to fit.
  Sequences cut = static_cast<const Sequences&>(features);
  append(cut, static_cast<const Sequences&>(more));
  if (features.items.empty() != more.items.empty() && features.rows() > 0 && more.rows() > 0) {
    fail(ErrorKind::bad_data, "some items have names and some have none; name all or none");
  }
  static_cast<Sequences&>(features) = std::move(cut);
  features.values.insert(features.values.end(), more.values.begin(), more.values.end());
  features.items.insert(features.items.end(), more.items.begin(), more.items.end());
}

}  // namespace motet
