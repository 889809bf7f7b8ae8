#include "motet/data/features.h"

#include <algorithm>

#include "motet/base/error.h"

namespace motet {

std::size_t sequence_of(const Features& features, std::size_t n) {
  const auto after = std::upper_bound(features.starts.begin(), features.starts.end(), n);
  return static_cast<std::size_t>(after - features.starts.begin()) - 1;
}

std::string item_name(const Features& features, std::size_t n) {
  return features.items.empty() ? std::to_string(n + 1) : features.items[n];
}

Features rows_of(const Features& features, std::span<const std::uint32_t> rows) {
  Features part;
  part.columns = features.columns;
  part.clock = features.clock;
  part.starts = {0, rows.size()};
  part.sequences.assign(1, features.sequences.empty() ? std::string() : features.sequences.front());
  part.values.reserve(rows.size() * features.dimensions());
  for (const std::uint32_t row : rows) {
    const std::span<const double> values = features.row(row);
    part.values.insert(part.values.end(), values.begin(), values.end());
    part.items.push_back(item_name(features, row));
  }
  return part;
}

void append(Features& features, const Features& more) {
  if (features.columns != more.columns) {
    fail(ErrorKind::bad_data, "the features have " + std::to_string(more.dimensions()) + " columns that are not the " +
                                  std::to_string(features.dimensions()) + " of the others; name and order must agree");
  }
  if (features.clock != more.clock) {
    fail(ErrorKind::bad_data, "a row every " + to_text(more.clock.hop) + " s over " + to_text(more.clock.window) +
                                  " s does not fit rows every " + to_text(features.clock.hop) + " s over " +
                                  to_text(features.clock.window) + " s");
  }
  if (features.items.empty() != more.items.empty() && features.rows() > 0 && more.rows() > 0) {
    fail(ErrorKind::bad_data, "some items have names and some have none; name all or none");
  }
  const std::size_t before = features.rows();
  features.values.insert(features.values.end(), more.values.begin(), more.values.end());
  for (std::size_t s = 1; s < more.starts.size(); ++s) features.starts.push_back(before + more.starts[s]);
  features.sequences.insert(features.sequences.end(), more.sequences.begin(), more.sequences.end());
  features.items.insert(features.items.end(), more.items.begin(), more.items.end());
}

}  // namespace motet
