#include "motet/app/audio/study_document.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "motet/base/numeric.h"
#include "motet/base/quantile.h"
#include "motet/report/bar_plot.h"
#include "motet/report/box_plot.h"
#include "motet/report/heat_map.h"

namespace motet::audio {
namespace {

Listing way_listing(const Study& study, bool is_class) {
  const std::string error = is_class ? "balanced error" : "mean |residual|";
  Listing listing{{{"held out by", "held_out_by"},
                   {"learned from", "learned_from", 1},
                   {"held out", "held_out", 1},
                   {error, "error"},
                   {"+-", "standard_error"},
                   {is_class ? "commonest class" : "median of those learned from", "reference"}}};
  if (!is_class) {
    for (const auto& [heading, key] :
         {std::pair{"25 %", "residual_25"}, {"median", "residual_50"}, {"75 %", "residual_75"}}) {
      listing.columns.push_back({heading, key});
    }
  }
  for (const HeldOut& way : study.ways) {
    const MeanSd errors = mean_sd(way.errors);
    std::vector<Value>& row = listing.rows.emplace_back();
    row = {way.way,
           way.mean_learned,
           way.mean_held,
           errors.mean,
           way.errors.size() > 1 ? Value(errors.error) : Value(),
           mean_sd(way.references).mean};
    if (is_class) continue;
    const auto quartiles = quartiles_of(way.residuals);
    for (std::size_t q = 1; q <= 3; ++q) row.emplace_back(quartiles[q]);
  }
  return listing;
}

bool has_standard_errors(const Study& study) { return !study.ways.empty() && study.ways.back().errors.size() > 1; }

Listing importance_listing(const Study& study) {
  const bool has_errors = has_standard_errors(study);
  Listing listing{{{"feature", "feature"}, {"increase of the error", "increase"}, {"+-", "standard_error"}}};
  for (const Importance& one : study.importance) {
    listing.rows.push_back({one.column, one.increase, has_errors ? Value(one.standard_error) : Value()});
  }
  return listing;
}

Plot residual_plot(const Study& study) {
  Boxes boxes;
  boxes.name_title = "held out by";
  boxes.value_title = "|residual|";
  boxes.digits = 4;
  for (const HeldOut& way : study.ways) boxes.boxes.push_back({way.way, way.residuals});
  return box_plot({"Residuals", "Of all clips that were held out."}, boxes);
}

// Clips of the class; 0 where none was held out.
double held_of_class(const HeldOut& way, std::size_t classes, std::size_t truth) {
  double sum = 0.0;
  for (std::size_t said = 0; said < classes; ++said) sum += way.confusion[truth * classes + said];
  return sum;
}

// Of the last way, the strictest: shares of the clips of a class.
Plot confusion_plot(const HeldOut& way, const std::vector<std::string>& classes) {
  HeatMap map;
  map.rows = classes;
  map.columns = classes;
  map.row_title = "truth";
  map.column_title = "said";
  map.value_title = "share";
  for (std::size_t truth = 0; truth < classes.size(); ++truth) {
    const double held = held_of_class(way, classes.size(), truth);
    for (std::size_t said = 0; said < classes.size(); ++said) {
      const double count = way.confusion[truth * classes.size() + said];
      map.values.push_back(held > 0.0 ? count / held : no_number);
    }
  }
  return heat_map({"What is taken for what", fmt::format("Clips held out by {}, all splits together: of the clips of "
                                                         "each class, the share said to be of each.",
                                                         way.way)},
                  map);
}

Plot class_error_plot(const Study& study, const std::vector<std::string>& classes) {
  Bars bars;
  bars.name_title = "class";
  bars.value_title = "share that is wrong";
  for (std::size_t truth = 0; truth < classes.size(); ++truth) {
    for (const HeldOut& way : study.ways) {
      const double held = held_of_class(way, classes.size(), truth);
      bars.names.push_back(classes[truth]);
      bars.values.push_back(held > 0.0 ? 1.0 - way.confusion[truth * classes.size() + truth] / held : no_number);
      bars.groups.push_back("held out by " + way.way);
    }
  }
  return bar_plot({"Error by class", "Share of the clips held out that were said to be of another class."}, bars);
}

Listing confusion_listing(const Study& study, const std::vector<std::string>& classes) {
  Listing listing{{{"held out by", "held_out_by"}, {"truth", "truth"}, {"said", "said"}, {"clips", "clips", 0}}};
  for (const HeldOut& way : study.ways) {
    for (std::size_t i = 0; i < way.confusion.size(); ++i) {
      listing.rows.push_back({way.way, classes[i / classes.size()], classes[i % classes.size()],
                              static_cast<std::int64_t>(way.confusion[i])});
    }
  }
  return listing;
}

Plot importance_plot(const Study& study) {
  Bars bars;
  bars.name_title = "feature";
  bars.value_title = "increase of the error";
  const bool has_errors = has_standard_errors(study);
  for (const Importance& one : study.importance) {
    bars.names.push_back(one.column);
    bars.values.push_back(one.increase);
    if (!has_errors) continue;
    bars.low.push_back(one.increase - one.standard_error);
    bars.high.push_back(one.increase + one.standard_error);
  }
  return bar_plot(
      {"Features", "How much the error grows when the values of one feature change places among clips held out."},
      bars);
}

}  // namespace

Document study_document(const Study& study, const Clips& clips, const std::string& target,
                        const WhatAndValue& options) {
  const bool is_class = clips.target.is_class();
  Document document;
  document.title = fmt::format("{} from clips", capitalized(target));
  const Listing ways = way_listing(study, is_class);
  const Listing importance = importance_listing(study);
  document.text =
      fmt::format("{} clips, {} features, {}\n", clips.rows.rows(), clips.columns.size(),
                  is_class ? fmt::format("{} classes", clips.target.classes.size()) : target + " as a number");
  document.show(ways.table());
  if (!study.importance.empty()) document.show(importance.table());
  document.json = Value::object({{"clips", clips.rows.rows()},
                                 {"features", clips.columns.size()},
                                 {"classes", Value::list_of(clips.target.classes)},
                                 {"ways", ways.json()},
                                 {"importance", importance.json()}});
  if (is_class) document.json.set("confusion", confusion_listing(study, clips.target.classes).json());
  Section& errors = document.section("Clips that were held out");
  errors.tables.push_back({"Errors", ways.table()});
  if (is_class) {
    errors.plots.push_back(confusion_plot(study.ways.back(), clips.target.classes));
    errors.plots.push_back(class_error_plot(study, clips.target.classes));
  } else {
    errors.plots.push_back(residual_plot(study));
  }
  if (!study.importance.empty()) document.section("Features").plots.push_back(importance_plot(study));
  document.section("Options").tables.push_back(options_table("Options", options));
  return document;
}

}  // namespace motet::audio
