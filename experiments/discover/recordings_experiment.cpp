// The searches on recordings that the program makes, settings chosen on one half of the kinds and judged on the others.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/discover/figures.h"
#include "experiments/discover/recording_studies.h"
#include "experiments/panel.h"
#include "motet/base/numeric.h"
#include "motet/discover/study/simulate.h"
#include "motet/discover/study/track_truth.h"

namespace motet::discover {
namespace {

constexpr std::size_t most_requests = 400;
constexpr std::size_t most_literal_requests = 150;  // of a search that takes minutes

struct Contender {
  std::string name;
  Strategy strategy;
  bool is_single = false;           // a baseline of one idea
  std::string_view set = "events";  // of features
  bool is_slow = false;
};

const std::vector<Contender>& contenders() {
  static const std::vector<Contender> all = {
      {"adaptive (default)", Strategy::adaptive},
      {"farthest-first", Strategy::farthest_first, true},
      {"isolation forest", Strategy::isolation_forest, true},
      {"mixture density", Strategy::density, true},
      {"energy", Strategy::energy, true},
      {"grid", Strategy::grid, true},
      {"temporal", Strategy::temporal, false, "events", true},
      {"static", Strategy::static_mixture, false, "events", true},
      {"random, exclusion 18", Strategy::random},
      {"literal, 13 MFCC", Strategy::literal, false, "mfcc", true},
      {"farthest-first, 13 MFCC", Strategy::farthest_first, false, "mfcc"},
      {"isolation forest, 13 MFCC", Strategy::isolation_forest, false, "mfcc"},
  };
  return all;
}

// What is known of a search on one recording.
struct RecordingResult {
  RecordingHalf half = RecordingHalf::a;
  std::vector<double> requests;  // by contender; NaN: not tried
  std::size_t guarantee = 0;
};

DiscoverOptions options_of(const Contender& contender) {
  if (asks_by_mixture(contender.strategy) || contender.strategy == Strategy::density) {
    DiscoverOptions options;
    options.strategy = contender.strategy;
    if (contender.strategy == Strategy::literal) options.radius = 18;
    return options;
  }
  DiscoverOptions options = scored_options(contender.strategy);
  if (contender.strategy == Strategy::random) options.exclusion = 18;
  return options;
}

RecordingResult search_recording(const RecordingKind& kind, const RecordingOptions& options, Rng rng, bool has_slow,
                                 const RunContext& run) {
  const StudiedRecording studied = studied_recording(kind, options, rng);
  const Features cepstra = recording_features(studied.recording, "mfcc");
  const RowTruth of_cepstra = truth_of_track(cepstra, studied.recording.truth).truth;
  RecordingResult result;
  result.half = kind.half;
  for (const Contender& contender : contenders()) {
    if (contender.is_slow && !has_slow) {
      result.requests.push_back(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    const bool is_of_events = contender.set == "events";
    const std::size_t most = contender.strategy == Strategy::literal ? most_literal_requests : most_requests;
    const DiscoveryComparison found =
        simulate_discovery(is_of_events ? studied.features : cepstra, is_of_events ? studied.truth : of_cepstra,
                           options_of(contender), 1, most, run);
    result.requests.push_back(found.requests_mean);
    if (contender.strategy == Strategy::adaptive) result.guarantee = found.most_requests;
  }
  return result;
}

// Of the recordings that the contender was tried on.
std::vector<double> column(const std::vector<const RecordingResult*>& results, std::size_t contender,
                           std::size_t tried = 0) {
  std::vector<double> values;
  for (const RecordingResult* one : results) {
    if (!std::isnan(one->requests[tried])) values.push_back(one->requests[contender]);
  }
  std::erase_if(values, [](double value) { return std::isnan(value); });
  return values;
}

double mean_of(const std::vector<double>& values) { return mean_sd(values).mean; }

std::size_t place_of(Strategy strategy) {
  const std::vector<Contender>& all = contenders();
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (all[c].strategy == strategy) return c;
  }
  return all.size();
}

std::size_t best_single(const std::vector<const RecordingResult*>& of) {
  std::size_t best = 0;
  for (std::size_t c = 0; c < contenders().size(); ++c) {
    if (!contenders()[c].is_single) continue;
    if (best == 0 || mean_of(column(of, c)) < mean_of(column(of, best))) best = c;
  }
  return best;
}

// What the single ways would have asked had one known of each recording which of them is best there.
std::vector<double> in_hindsight(const std::vector<const RecordingResult*>& of) {
  std::vector<double> least;
  for (const RecordingResult* one : of) {
    double value = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < contenders().size(); ++c) {
      if (contenders()[c].is_single) value = std::min(value, one->requests[c]);
    }
    least.push_back(value);
  }
  return least;
}

void write_claims(ExperimentWriter& writer, const std::vector<const RecordingResult*>& of) {
  const auto claim = [&](const std::string& what, std::size_t other, double aim) {
    if (column(of, other).empty()) return;
    const double ratio = mean_of(column(of, 0, other)) / mean_of(column(of, other));
    writer.note(fmt::format("the default asks {:.2f} of the questions of {}; the aim was {:.2f}: {}", ratio, what, aim,
                            ratio <= aim ? "holds" : "does not hold"));
  };
  const std::size_t best = best_single(of);
  claim("random with exclusion", place_of(Strategy::random), 0.6);
  claim(fmt::format("the best single baseline on its own features, {}", contenders()[best].name), best, 0.8);
  for (std::size_t c = 0; c < contenders().size(); ++c) {
    if (contenders()[c].name == "farthest-first, 13 MFCC") claim(contenders()[c].name, c, 0.8);
  }
  claim(fmt::format("the literal algorithm (given up after {})", most_literal_requests), place_of(Strategy::literal),
        0.35);
  std::size_t above = 0;
  for (const RecordingResult* one : of) {
    above += one->guarantee > 0 && one->requests[0] > static_cast<double>(one->guarantee) ? 1U : 0U;
  }
  writer.note(
      fmt::format("{} of {} searches of the default took more questions than the guarantee says; it speaks of "
                  "events of 3.7 s, and many are shorter",
                  above, of.size()));
}

void write_half(ExperimentWriter& writer, const std::vector<const RecordingResult*>& of) {
  Table table{{{"strategy"},
               {"recordings"},
               {"questions", 1},
               {"standard error", 1},
               {"median", 1},
               {"most", 0},
               {"to random", 2}},
              {}};
  const auto add = [&](const std::string& name, std::vector<double> values, double random) {
    if (values.empty()) return;
    const MeanSd summary = mean_sd(values);
    std::sort(values.begin(), values.end());
    table.rows.push_back({name, static_cast<std::int64_t>(values.size()), summary.mean,
                          summary.sd / std::sqrt(static_cast<double>(values.size())), values[values.size() / 2],
                          values.back(), summary.mean / random});
  };
  const std::size_t random = place_of(Strategy::random);
  for (std::size_t c = 0; c < contenders().size(); ++c) {
    add(contenders()[c].name, column(of, c), mean_of(column(of, random, c)));
  }
  add("the best single way of each, in hindsight", in_hindsight(of), mean_of(column(of, random)));
  writer.table("Questions until every class was met", std::move(table));
  write_claims(writer, of);
}

}  // namespace

Outcome run_discover_recordings(const ExperimentContext& context) {
  ExperimentWriter writer("discover-recordings", "Rare events in recordings: every way of asking");
  const RecordingOptions options = study_options(context);
  const std::vector<RecordingKind> kinds = studied_kinds(context, options, "ABC");
  const std::size_t repeats = context.repeats_or(context.quick ? 1 : 4);
  std::vector<RecordingResult> results(kinds.size() * repeats);
  run_grid(context, "searching", kinds.size(), repeats,
           [&](std::size_t kind, std::size_t repeat, const RunContext& run) {
             const bool has_slow = !context.quick && repeat == 0;
             results[kind * repeats + repeat] =
                 search_recording(kinds[kind], options, Rng(run.seed).child(kind), has_slow, run);
           });
  writer.section(
      "Set-up",
      fmt::format("{} recordings of {} kinds, {:.0f} s each, with three to six classes of one to eight events of 0.3 "
                  "to 6 s; a search ends when each class was met, or after {} questions. Features and ways of asking "
                  "were chosen on half A; the others share neither backgrounds nor events with it{}. Slow ways are "
                  "tried on the first recording of each kind.",
                  results.size(), kinds.size(), options.seconds, most_requests,
                  options.clips.empty() ? " (without the kinds made of public clips, which are not here)"
                                        : ", and B has kinds made of public clips"));
  for (const RecordingHalf half : {RecordingHalf::a, RecordingHalf::b, RecordingHalf::c}) {
    std::vector<const RecordingResult*> of;
    for (const RecordingResult& one : results) {
      if (one.half == half) of.push_back(&one);
    }
    if (of.empty()) continue;
    writer.section(title_of(half), "");
    write_half(writer, of);
  }
  return writer.finish("radius 18 for all; the halves share the style of sounds made by rule, but for the clips");
}

}  // namespace motet::discover
