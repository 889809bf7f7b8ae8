#include "experiments/discover/bird_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "experiments/panel.h"
#include "motet/discover/study/random_requests.h"
#include "motet/report/box_plot.h"

namespace motet::discover {

SearchSetting bird_setting(Strategy strategy, Printed printed) {
  SearchSetting made{std::string(name_of(strategy)), {}, printed.mean, printed.sd, {}};
  made.options.strategy = strategy;
  made.options.radius = 18;
  if (strategy != Strategy::interleave) made.options.components = 2;
  return made;
}

std::string told_mean(const SearchResult& result) {
  const MeanSd summary = mean_sd(requests_of(result));
  const auto capped = std::count_if(result.runs.begin(), result.runs.end(), [](const auto& r) { return !r.found_all; });
  return fmt::format("{:.1f} ({:.1f}){}", summary.mean, std::isnan(summary.sd) ? 0.0 : summary.sd,
                     capped > 0 ? fmt::format(", {} not", capped) : "");
}

std::string told_printed(Printed printed) { return fmt::format("{:.1f} ({:.1f})", printed.mean, printed.sd); }

double mean_requests(const SearchResult& result) { return mean_sd(requests_of(result)).mean; }

double BirdStudy::seconds(Background background) const { return context.quick ? 50.0 : published_seconds(background); }

BirdScene BirdStudy::scene(Background background) const {
  const Rng seeds = Rng(context.run.seed).child(0x7B00);
  return bird_scene(background, seconds(background), repeats, seeds.child(static_cast<std::uint64_t>(background)));
}

std::vector<SearchResult> BirdStudy::play(const BirdScene& scene, const std::vector<std::size_t>& songs, double gain,
                                          const std::vector<SearchSetting>& settings, std::size_t limit) const {
  return play_settings(context, settings, repeats, context.quick ? 20 : limit,
                       [&](std::size_t repeat) { return with_songs(scene, repeat, songs, gain); });
}

BirdStudy study_of(const ExperimentContext& context) {
  return {context, context.repeats_or(context.quick ? 2 : published_repeats)};
}

std::string set_up(const BirdStudy& study) {
  return fmt::format(
      "{} places per recording. Backgrounds as long as the published ones ({:.0f}, {:.0f} and {:.0f} s) and five songs "
      "of 3.5 s, all made by the program; 13 MFCC of 0.25 s every 0.1 s; radius 18, two components, labels weigh 0.1. "
      "literal, static-gmm and interleave are as published, temporal and static are ours, with exclusion. Mean number "
      "of questions (standard deviation); 'n not': runs given up at the limit, which count with it.",
      study.repeats, study.seconds(Background::storm), study.seconds(Background::traffic),
      study.seconds(Background::rain));
}

Plot bird_boxes(const std::string& title, const BirdBoxes& boxes) {
  Boxes drawn;
  drawn.name_title = "strategy";
  drawn.value_title = "questions";
  drawn.log_values = true;
  drawn.digits = 1;
  for (std::size_t s = 0; s < boxes.settings.size(); ++s) {
    drawn.boxes.push_back({boxes.settings[s].name, requests_of(boxes.results[s])});
  }
  return box_plot(
      {title + ", " + boxes.recording, "Questions until all songs were found, over the places of the songs."}, drawn);
}

GainCurves gain_curves(const BirdStudy& study, const BirdScene& scene, std::size_t song,
                       std::vector<SearchSetting> settings, std::vector<double> gains) {
  GainCurves curves{std::move(settings), std::move(gains), {}, 0.0};
  curves.random = random_requests(with_songs(scene, 0, {song}, 1.0).truth);
  curves.requests.resize(curves.settings.size());
  for (const double gain : curves.gains) {
    const std::vector<SearchResult> results = study.play(scene, {song}, gain, curves.settings, binary_limit);
    for (std::size_t s = 0; s < curves.settings.size(); ++s) curves.requests[s].push_back(requests_of(results[s]));
  }
  return curves;
}

void write_curves(ExperimentWriter& writer, const std::string& title, const GainCurves& curves) {
  Panel panel(title, "amplification rate", "questions", curves.gains);
  for (std::size_t s = 0; s < curves.settings.size(); ++s) panel.add(curves.settings[s].name, curves.requests[s]);
  panel.add("at random", std::vector<std::vector<double>>(curves.gains.size(), {curves.random}));
  panel.write(writer, 1);
}

}  // namespace motet::discover
