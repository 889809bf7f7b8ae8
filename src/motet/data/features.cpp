#include "motet/data/features.h"

#include <string>
#include <utility>

#include "motet/base/error.h"

namespace motet {

Features rows_of(const Features& features, std::span<const std::uint32_t> rows) {
  Features part{rows_of(static_cast<const NumberTable&>(features), rows), {}};
  part.clock = features.clock;
  part.starts = {0, rows.size()};
  part.sequences.assign(1, features.sequences.empty() ? std::string() : features.sequences.front());
  return part;
}

void append(Features& features, const Features& more) {
  if (features.columns != more.columns) {
    fail(ErrorKind::bad_data, "the features have " + std::to_string(more.dimensions()) + " columns that are not the " +
                                  std::to_string(features.dimensions()) + " of the others; name and order must agree");
  }
  // Clocks are looked at before names of items, and nothing is added before all is known to fit.
  Sequences cut = features;
  append(cut, static_cast<const Sequences&>(more));
  if (features.items.empty() != more.items.empty() && features.rows() > 0 && more.rows() > 0) {
    fail(ErrorKind::bad_data, "some items have names and some have none; name all or none");
  }
  static_cast<Sequences&>(features) = std::move(cut);
  features.values.insert(features.values.end(), more.values.begin(), more.values.end());
  features.items.insert(features.items.end(), more.items.begin(), more.items.end());
}

}  // namespace motet
