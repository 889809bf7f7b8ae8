// Figure 4.1: how a front cardioid and a hyper-cardioid hear sounds from around.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/audio/figures.h"
#include "experiments/panel.h"
#include "motet/audio/field/self_test.h"
#include "motet/report/document.h"
#include "motet/report/polar_plot.h"

namespace motet::audio {
namespace {

double at_angle(const PolarPattern& pattern, const std::vector<double>& radius, double degrees) {
  const auto found = std::min_element(pattern.degrees.begin(), pattern.degrees.end(), [&](double a, double b) {
    return std::abs(a - degrees) < std::abs(b - degrees);
  });
  return radius[static_cast<std::size_t>(found - pattern.degrees.begin())];
}

const PolarPattern& pattern_of(const FieldTest& test, std::string_view part) {
  return *std::find_if(test.patterns.begin(), test.patterns.end(),
                       [&](const PolarPattern& p) { return p.name.find(part) != std::string::npos; });
}

}  // namespace

Outcome run_polar_patterns(const ExperimentContext& context) {
  ExperimentWriter writer("audio-fig4-1", "Figure 4.1: polar patterns of the front cardioid and the hyper-cardioid");
  FieldTestOptions options;
  if (context.quick) options.seconds = 0.8;
  const FieldTest test = test_fields(options, context.run);
  writer.section("Set-up",
                 fmt::format("White noise of {} s from every 5 degrees at two microphones 1 cm apart, without a head; "
                             "amplitude at {:.0f} Hz by that from ahead, measured with the indicators, and theory.",
                             options.seconds, test.pattern_hertz));
  Table table{{{"angle", 0}}, {}};
  for (const PolarPattern& pattern : test.patterns) {
    table.columns.push_back({pattern.name, 3});
    table.columns.push_back({pattern.name + ", theory", 3});
  }
  for (double degrees = 0.0; degrees <= 180.0; degrees += 30.0) {
    std::vector<Cell> row{degrees};
    for (const PolarPattern& pattern : test.patterns) {
      row.emplace_back(at_angle(pattern, pattern.measured, degrees));
      row.emplace_back(at_angle(pattern, pattern.expected, degrees));
    }
    table.rows.push_back(std::move(row));
  }
  writer.table("Figure 4.1", std::move(table));
  for (const PolarPattern& pattern : test.patterns) {
    writer.plot(polar_plot({capitalized(pattern.name), "Sensitivity by the direction of a sound; marks are theory."},
                           {{pattern.name, pattern.degrees, pattern.measured, false},
                            {pattern.name, pattern.degrees, pattern.expected, true}},
                           "sensitivity"));
  }
  const PolarPattern& front = pattern_of(test, "front");
  const PolarPattern& hyper = pattern_of(test, "hyper");
  const auto told = [](double value) { return fmt::format("{:.3f} of ahead", value); };
  Claims claims;
  const double back = at_angle(front, front.measured, 180.0);
  claims.add("the front cardioid suppresses the back", "drawn as zero", told(back), verdict(back < 0.2));
  const double front_60 = at_angle(front, front.measured, 60.0);
  const double hyper_60 = at_angle(hyper, hyper.measured, 60.0);
  claims.add("the hyper-cardioid has a tighter front", "drawn",
             told(hyper_60) + " at 60 degrees against " + fmt::format("{:.3f}", front_60),
             verdict(hyper_60 < front_60));
  const double lobe = at_angle(hyper, hyper.measured, 180.0);
  claims.add("it has a small lobe at the back", "drawn", told(lobe), verdict(lobe > back && lobe < 0.7));
  double least = 1.0;
  for (std::size_t i = 0; i < hyper.degrees.size(); ++i) {
    const double off = std::abs(std::remainder(hyper.degrees[i], 360.0));
    if (off >= 90.0 && off <= 135.0) least = std::min(least, hyper.measured[i]);
  }
  claims.add("and suppresses the side", "drawn", told(least) + " where it hears least", verdict(least < 0.2));
  claims.write(writer);
  return writer.finish();
}

}  // namespace motet::audio
