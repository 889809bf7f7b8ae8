#include "motet/door/inside.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "motet/base/error.h"
#include "motet/data/names.h"

namespace motet {

Option::Option(std::string_view its_name, double number) : name(its_name), value(to_text(number)) {}

namespace door {

RunContext inside(const Run& run) {
  RunContext context;
  context.seed = Seed{run.seed};
  context.threads.count = run.threads;
  context.observer = run.observer;
  context.cancel = run.cancel;
  return context;
}

void require_size(std::string_view place, std::size_t found, std::size_t wanted) {
  if (found == wanted) return;
  fail(ErrorKind::bad_data, fmt::format("{}: {} values where there must be {}", place, found, wanted));
}

Features inside(const FeatureTable& table) {
  Features features;
  features.columns = table.columns;
  features.values = table.values;
  require_size("features", table.values.size(), table.rows() * table.columns.size());
  const auto odd = std::find_if(table.values.begin(), table.values.end(), [](double x) { return !std::isfinite(x); });
  if (odd != table.values.end()) {
    const auto place = static_cast<std::size_t>(odd - table.values.begin());
    fail(ErrorKind::bad_data,
         fmt::format("features: row {}, column '{}' is not a finite number", place / table.columns.size() + 1,
                     table.columns[place % table.columns.size()]));
  }
  if (table.sequences.empty()) {
    features.starts.push_back(table.rows());
    features.sequences.emplace_back();
  }
  for (const std::size_t rows : table.sequences) {
    features.starts.push_back(features.starts.back() + rows);
    features.sequences.push_back(std::to_string(features.sequences.size() + 1));
  }
  require_size("sequences, rows in all", features.starts.back(), table.rows());
  features.clock = {table.hop, table.window > 0.0 ? table.window : table.hop};
  return features;
}

NumberTable numbers_of(const FeatureTable& table) {
  Features features = inside(table);
  return std::move(static_cast<NumberTable&>(features));
}

Features in_columns(const FeatureTable& table, const std::vector<std::string>& columns) {
  Features features = inside(table);
  select_columns(features, columns, "features");
  return features;
}

void set_fields(const std::vector<Field>& fields, const Options& options) {
  for (const Option& option : options) {
    const auto found =
        std::find_if(fields.begin(), fields.end(), [&](const Field& field) { return field.name == option.name; });
    if (found == fields.end()) {
      std::vector<std::string_view> names;
      names.reserve(fields.size());
      for (const Field& field : fields) names.push_back(field.name);
      fail(ErrorKind::usage, fmt::format("there is no option '{}'; there are {}", option.name, joined(names, ", ")));
    }
    found->set(option.value);
  }
}

OptionList described(const std::vector<Field>& fields) {
  OptionList list;
  for (const Field& field : fields) {
    list.push_back({field.name, field.help, field.shape, field.range, field.default_text, field.is_flag});
  }
  return list;
}

bool is_given(const Options& options, std::string_view name) {
  return std::any_of(options.begin(), options.end(), [&](const Option& option) { return option.name == name; });
}

}  // namespace door
}  // namespace motet
