#include "motet/app/discover/carried.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "motet/base/error.h"
#include "motet/data/names.h"
#include "motet/discover/spread/carry.h"
#include "motet/discover/spread/spread.h"
#include "motet/io/json.h"

namespace motet::discover {
namespace {

// Options that say which rows are read and not what their numbers mean.
constexpr std::string_view of_reading[] = {"delimiter", "sequence_column", "item_column", "leave_out"};

void check_columns(const std::string& path, const Features& old, const Features& fresh) {
  if (old.columns != fresh.columns) {
    fail(ErrorKind::usage, fmt::format("{}: its columns are {}, and those of the data {}; examples need the same "
                                       "columns",
                                       path, quoted_list(old.columns, 3), quoted_list(fresh.columns, 3)));
  }
  if (!(old.clock == fresh.clock)) {
    fail(
        ErrorKind::usage,
        fmt::format("{}: its rows are {} s apart and last {} s, and those of the data {} s and {} s; examples need the "
                    "same",
                    path, to_text(old.clock.hop), to_text(old.clock.window), to_text(fresh.clock.hop),
                    to_text(fresh.clock.window)));
  }
}

void check_origins(const std::string& path, const std::string& old_text, const std::string& fresh_text) {
  const Value old = parse_json(old_text, "the origin of the project");
  const Value fresh = parse_json(fresh_text, "the origin of the data");
  if (old.at("kind").as_text() != fresh.at("kind").as_text()) {
    fail(ErrorKind::usage, fmt::format("{}: it began with {}, and the data are {}; examples need the same features",
                                       path, old.at("kind").as_text() == "table" ? "a table" : "recordings",
                                       fresh.at("kind").as_text() == "table" ? "a table" : "recordings"));
  }
  if (old.at("kind").as_text() == "table") return;
  for (const auto& [name, value] : fresh.at("options").as_object()) {
    if (std::find(std::begin(of_reading), std::end(of_reading), name) != std::end(of_reading)) continue;
    const Value* const before = old.at("options").find(name);
    if (before == nullptr || before->as_text() == value.as_text()) continue;
    fail(ErrorKind::usage, fmt::format("{}: its features were made with {} {}, and those of the data with {}; examples "
                                       "need the same features",
                                       path, flag_of(name), before->as_text(), value.as_text()));
  }
}

}  // namespace

Carried carried_from(const std::string& path, const DiscoverData& data, const VerbContext& context) {
  Project old = Project::open(path, context.run, {.use = Project::Use::reading});
  const Discovery& discovery = old.discovery();
  check_origins(path, old.sources().front().origin, data.origin);
  check_columns(path, old.features(), data.features);
  Carried carried =
      carried_answers(old.features(), discovery, std::filesystem::path(path).filename().string(), context.run);
  const bool has_class = std::any_of(carried.examples.begin(), carried.examples.end(),
                                     [](const CarriedExample& example) { return !example.class_name.empty(); });
  if (!has_class)
    fail(ErrorKind::usage, fmt::format("{}: no class was found in it; there is nothing to take along", path));
  return carried;
}

std::vector<CarriedClass> carried_classes(const Features& features, const Discovery& discovery, const RunContext& run) {
  std::vector<CarriedClass> classes;
  for (const std::string& name : with_carried({}, discovery.carried)) classes.push_back({name, 0, 0, 0, 0.0});
  if (classes.empty()) return classes;
  const auto find = [&](const std::string& name) {
    return std::find_if(classes.begin(), classes.end(), [&](const CarriedClass& one) { return one.name == name; });
  };
  for (const CarriedExample& example : discovery.carried.examples) {
    if (!example.class_name.empty()) ++find(example.class_name)->examples;
  }
  const Spread spread = spread_answers(features, discovery, run);
  for (const SpreadStretch& stretch : spread.stretches) {
    const auto found = find(spread.classes[static_cast<std::size_t>(stretch.of_class)]);
    if (found == classes.end()) continue;
    found->best = std::max(found->best, stretch.probability);
    found->segments += stretch.probability >= usual_threshold ? 1 : 0;
    found->confirmed += stretch.is_answered ? 1 : 0;
  }
  return classes;
}

}  // namespace motet::discover
