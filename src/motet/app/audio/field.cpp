#include "motet/app/audio/field.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "motet/app/told.h"
#include "motet/audio/field/self_test.h"
#include "motet/report/line_plot.h"
#include "motet/report/polar_plot.h"

namespace motet::audio {
namespace {

// The band where theory and measurement are furthest apart.
std::size_t worst_band(const FieldCheck& check) {
  std::size_t worst = 0;
  const auto off = [&](std::size_t b) { return std::abs(check.measured[b] - check.expected[b]); };
  for (std::size_t b = 1; b < check.hertz.size(); ++b) {
    if (off(b) > off(worst)) worst = b;
  }
  return worst;
}

Listing check_listing(const FieldTest& test) {
  Listing listing{{{"field", "field"},
                   {"indicator", "indicator"},
                   {"unit", "unit"},
                   {"at (Hz)", "hertz", 0},
                   {"expected", "expected"},
                   {"measured", "measured"},
                   {"allowed +-", "allowed"},
                   {"holds", "holds"}}};
  for (const FieldCheck& check : test.checks) {
    if (check.hertz.empty()) continue;
    const std::size_t at = worst_band(check);
    listing.rows.push_back({check.field, check.indicator, check.unit, check.hertz[at], check.expected[at],
                            check.measured[at], check.allowed, check.holds() ? "yes" : "no"});
  }
  return listing;
}

Value bands_value(const FieldTest& test) {
  Value::List list;
  for (const FieldCheck& check : test.checks) {
    list.push_back(Value::object({{"field", check.field},
                                  {"indicator", check.indicator},
                                  {"hertz", Value::list_of(check.hertz)},
                                  {"expected", Value::list_of(check.expected)},
                                  {"measured", Value::list_of(check.measured)}}));
  }
  return list;
}

Value patterns_value(const FieldTest& test) {
  Value::List list;
  for (const PolarPattern& pattern : test.patterns) {
    list.push_back(Value::object({{"name", pattern.name},
                                  {"degrees", Value::list_of(pattern.degrees)},
                                  {"measured", Value::list_of(pattern.measured)},
                                  {"expected", Value::list_of(pattern.expected)}}));
  }
  return list;
}

Table pattern_table(const FieldTest& test) {
  Table table{{{"angle (degrees)", 0}}, {}};
  for (const PolarPattern& pattern : test.patterns) table.columns.push_back({pattern.name, 3});
  for (const double angle : {0.0, 60.0, 90.0, 120.0, 180.0}) {
    std::vector<Cell> row = {angle};
    for (const PolarPattern& pattern : test.patterns) {
      const auto found = std::find(pattern.degrees.begin(), pattern.degrees.end(), angle);
      const auto at = static_cast<std::size_t>(found - pattern.degrees.begin());
      row.emplace_back(found == pattern.degrees.end() ? std::numeric_limits<double>::quiet_NaN()
                                                      : pattern.measured[at]);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<Plot> polar_plots(const FieldTest& test) {
  std::vector<Plot> plots;
  for (const PolarPattern& pattern : test.patterns) {
    const std::vector<PolarCurve> curves = {{pattern.name, pattern.degrees, pattern.measured, false},
                                            {pattern.name, pattern.degrees, pattern.expected, true}};
    plots.push_back(
        polar_plot({capitalized(pattern.name),
                    fmt::format("Sensitivity at {:.0f} Hz by the direction of a sound, by that for sounds from "
                                "ahead (up).",
                                test.pattern_hertz)},
                   curves, "sensitivity"));
  }
  return plots;
}

Plot coherence_plot(const FieldTest& test) {
  Lines lines;
  lines.x_title = "frequency (Hz)";
  lines.y_title = "coherence";
  lines.has_points = false;
  lines.reference = "theory";
  for (const CoherenceCurve& curve : test.coherence) {
    const std::string name = fmt::format("{} m apart", to_text(curve.distance));
    lines.series.push_back({name, curve.hertz, curve.measured, {}, {}, false});
    lines.series.push_back({name, curve.hertz, curve.expected, {}, {}, true});
  }
  return line_plot({"Coherence in a diffuse field", "Lines are measured; marks are (sin kd / kd)^2."}, lines);
}

Document field_document(const FieldTest& test, const FieldTestOptions& options) {
  Document document;
  document.title = "Sound field indicators of known fields";
  const Listing checks = check_listing(test);
  const auto held =
      std::count_if(test.checks.begin(), test.checks.end(), [](const FieldCheck& c) { return c.holds(); });
  document.text = fmt::format("{} of {} indicators are what theory says, each in the band where it is furthest off:\n",
                              held, test.checks.size());
  document.show(checks.table());
  document.text +=
      fmt::format("\nsensitivity at {:.0f} Hz by the direction of the sound, 1 from ahead:\n", test.pattern_hertz);
  document.show(pattern_table(test));
  document.json = Value::object({{"holds", test.holds()},
                                 {"checks", checks.json()},
                                 {"bands", bands_value(test)},
                                 {"pattern_hertz", test.pattern_hertz},
                                 {"patterns", patterns_value(test)}});
  document
      .section(
          "What is expected and what is measured",
          "Plane waves from four directions and a field of waves from everywhere, each indicator in the band where "
          "theory and measurement are furthest apart.")
      .tables.push_back({"Indicators", checks.table()});
  Section& patterns =
      document.section("Polar patterns", "Lines are measured with white noise from each direction, marks are theory.");
  patterns.plots = polar_plots(test);
  patterns.small_plots = true;
  document.section("Coherence").plots.push_back(coherence_plot(test));
  document.section("Options").tables.push_back(options_table("Options", told_options(options)));
  return document;
}

Outcome run_field(const FieldTestOptions& options, VerbContext& context) {
  return told(field_document(test_fields(options, context.run), options));
}

}  // namespace

Verb field_verb() {
  return make_verb("audio", "field", "a test of the sound field indicators on fields that are known", {}, {},
                   run_field);
}

}  // namespace motet::audio
