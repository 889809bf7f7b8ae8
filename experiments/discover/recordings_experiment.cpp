// The searches on recordings that the program makes, settings chosen on one half of the kinds and judged on the other.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "experiments/discover/figures.h"
#include "experiments/discover/recordings.h"
#include "experiments/panel.h"
#include "motet/audio/feature_sets.h"
#include "motet/base/numeric.h"
#include "motet/discover/discovery.h"
#include "motet/discover/study/simulate.h"
#include "motet/discover/study/track_truth.h"
#include "motet/discover/unseen.h"

namespace motet::discover {
namespace {

constexpr std::size_t most_requests = 400;
constexpr std::size_t most_literal_requests = 150;  // of a search that takes minutes
constexpr std::size_t judged_answers[] = {20, 50, 100};

struct Contender {
  std::string name;
  Strategy strategy;
  bool is_single = false;           // a baseline of one idea
  std::string_view set = "events";  // of features
};

const std::vector<Contender>& contenders() {
  static const std::vector<Contender> all = {
      {"adaptive (default)", Strategy::adaptive},
      {"farthest-first", Strategy::farthest_first, true},
      {"isolation forest", Strategy::isolation_forest, true},
      {"mixture density", Strategy::density, true},
      {"energy", Strategy::energy, true},
      {"grid", Strategy::grid, true},
      {"temporal", Strategy::temporal},
      {"static", Strategy::static_mixture},
      {"random, exclusion 18", Strategy::random},
      {"literal, 13 MFCC", Strategy::literal, false, "mfcc"},
      {"farthest-first, 13 MFCC", Strategy::farthest_first, false, "mfcc"},
      {"isolation forest, 13 MFCC", Strategy::isolation_forest, false, "mfcc"},
  };
  return all;
}

Features features_of(const MadeRecording& recording, std::string_view set) {
  audio::FeatureOptions options;
  options.set = set;
  options = audio::settled(options, [](std::string_view name) { return name == "set"; });
  const audio::FeatureStream stream = audio::feature_stream(options, {recording.rate, 1});
  Features features;
  features.columns = stream.columns;
  features.clock = stream.clock;
  const std::span<const float> channel(recording.samples);
  stream.push(std::span(&channel, 1), features.values);
  stream.finish(features.values);
  features.starts.push_back(features.values.size() / features.columns.size());
  features.sequences.push_back(recording.name);
  return features;
}

// What is known of a search on one recording.
struct RecordingResult {
  std::string kind;
  RecordingHalf half = RecordingHalf::a;
  std::vector<double> requests;  // by contender
  std::size_t guarantee = 0;
  std::map<std::size_t, bool> held;  // by answers: whether the estimate of unseen classes held the truth
};

double requests_of(const Contender& contender, const MadeRecording& recording, const Features& events,
                   const RowTruth& truth, const RunContext& run) {
  DiscoverOptions options;
  options.strategy = contender.strategy;
  if (contender.strategy == Strategy::random) options.exclusion = 18;
  if (contender.set == "events") {
    return simulate_discovery(events, truth, options, 1, most_requests, run).requests_mean;
  }
  const bool is_literal = contender.strategy == Strategy::literal;
  if (is_literal) options.radius = 18;
  const Features other = features_of(recording, contender.set);
  const RowTruth of_other = truth_of_track(other, recording.truth).truth;
  return simulate_discovery(other, of_other, options, 1, is_literal ? most_literal_requests : most_requests, run)
      .requests_mean;
}

// A search of the default, asked after so many answers how many classes it has not seen.
void judge_unseen(const Features& features, const RowTruth& truth, const RunContext& run, RecordingResult& result) {
  Discovery discovery = start_discovery(features, {}, run);
  std::vector<std::uint8_t> is_met(truth.classes.size(), 0);
  for (std::size_t answers = 1; answers <= judged_answers[2] && !discovery.queue.empty(); ++answers) {
    const std::size_t row = discovery.queue.front().row;
    const std::uint32_t of_class = truth.of_row[row];
    is_met[of_class] = 1;
    const bool is_event = of_class != 0;
    take_answer(features, discovery,
                {row, is_event ? AnswerKind::of_class : AnswerKind::nothing, is_event ? truth.classes[of_class] : ""},
                run);
    if (std::find(std::begin(judged_answers), std::end(judged_answers), answers) == std::end(judged_answers)) continue;
    const UnseenClasses unseen = unseen_classes(features, discovery);
    const auto met = static_cast<std::size_t>(std::count(is_met.begin() + 1, is_met.end(), std::uint8_t{1}));
    if (unseen.can_tell) result.held[answers] = unseen.most >= truth.classes.size() - 1 - met;
  }
}

RecordingResult search_recording(const RecordingKind& kind, const RecordingOptions& options, Rng rng, bool quick,
                                 const RunContext& run) {
  const MadeRecording recording = generate_recording(kind, options, rng);
  const Features events = features_of(recording, "events");
  const RowTruth truth = truth_of_track(events, recording.truth).truth;
  RecordingResult result;
  result.kind = kind.name;
  result.half = kind.half;
  for (const Contender& contender : contenders()) {
    const bool is_left_out = quick && contender.strategy == Strategy::literal;
    result.requests.push_back(is_left_out ? most_literal_requests
                                          : requests_of(contender, recording, events, truth, run));
  }
  DiscoverOptions none;
  result.guarantee = simulate_discovery(events, truth, none, 1, 1, run).most_requests;
  judge_unseen(events, truth, run, result);
  return result;
}

std::vector<double> column(const std::vector<const RecordingResult*>& results, std::size_t contender) {
  std::vector<double> values;
  values.reserve(results.size());
  for (const RecordingResult* one : results) values.push_back(one->requests[contender]);
  return values;
}

void write_half(ExperimentWriter& writer, const std::string& title, const std::vector<const RecordingResult*>& of) {
  Table table{{{"strategy"}, {"questions", 1}, {"standard error", 1}, {"median", 1}, {"most", 0}, {"to random", 2}},
              {}};
  const std::vector<Contender>& all = contenders();
  double random = 0.0;
  double best = std::numeric_limits<double>::infinity();
  double literal = 0.0;
  std::string best_name;
  for (std::size_t c = 0; c < all.size(); ++c) {
    const double mean = mean_sd(column(of, c)).mean;
    if (all[c].strategy == Strategy::random) random = mean;
    if (all[c].strategy == Strategy::literal) literal = mean;
    if (all[c].is_single && mean < best) {
      best = mean;
      best_name = all[c].name;
    }
  }
  for (std::size_t c = 0; c < all.size(); ++c) {
    std::vector<double> values = column(of, c);
    const MeanSd summary = mean_sd(values);
    std::sort(values.begin(), values.end());
    table.rows.push_back({all[c].name, summary.mean, summary.sd / std::sqrt(static_cast<double>(values.size())),
                          values[values.size() / 2], values.back(), summary.mean / random});
  }
  writer.table(title, std::move(table));
  const double ours = mean_sd(column(of, 0)).mean;
  const auto claim = [&](const std::string& what, double other, double aim) {
    writer.note(fmt::format("the default asks {:.2f} of the questions of {}; the aim was {:.2f}: {}", ours / other,
                            what, aim, ours / other <= aim ? "holds" : "does not hold"));
  };
  claim("random with exclusion", random, 0.6);
  claim(fmt::format("the best single baseline, {}", best_name), best, 0.8);
  claim(fmt::format("the literal algorithm (given up after {})", most_literal_requests), literal, 0.35);
  std::size_t above = 0;
  for (const RecordingResult* one : of) {
    above += one->guarantee > 0 && one->requests[0] > static_cast<double>(one->guarantee) ? 1U : 0U;
  }
  writer.note(
      fmt::format("{} of {} searches of the default took more questions than the guarantee says; it speaks of "
                  "events of 3.7 s, and many are shorter",
                  above, of.size()));
}

void write_unseen(ExperimentWriter& writer, const std::vector<const RecordingResult*>& of) {
  Table table{{{"answers", 0}, {"estimates", 0}, {"held the truth", 0}, {"share", 2}}, {}};
  for (const std::size_t answers : judged_answers) {
    std::int64_t told = 0;
    std::int64_t held = 0;
    for (const RecordingResult* one : of) {
      const auto found = one->held.find(answers);
      if (found == one->held.end()) continue;
      ++told;
      held += found->second ? 1 : 0;
    }
    table.rows.push_back({static_cast<std::int64_t>(answers), told, held,
                          told > 0 ? static_cast<double>(held) / static_cast<double>(told) : std::nan("")});
  }
  writer.table("Unseen classes, at most (95 %)", std::move(table));
}

}  // namespace

Outcome run_discover_recordings(const ExperimentContext& context) {
  ExperimentWriter writer("discover-recordings", "Rare events in recordings: every way of asking");
  RecordingOptions options;
  options.seconds = context.quick ? 60.0 : 360.0;
  options.rate = 16000.0;
  if (!context.data.empty()) options.clips = (std::filesystem::path(context.data) / "audio").string();
  std::vector<RecordingKind> kinds = kinds_that_can_be_made(options);
  if (context.quick) kinds.resize(2);
  const std::size_t repeats = context.repeats_or(context.quick ? 1 : 4);
  std::vector<RecordingResult> results(kinds.size() * repeats);
  run_grid(context, "searching", kinds.size(), repeats,
           [&](std::size_t kind, std::size_t repeat, const RunContext& run) {
             results[kind * repeats + repeat] =
                 search_recording(kinds[kind], options, Rng(run.seed).child(kind), context.quick, run);
           });
  std::vector<const RecordingResult*> halves[2];
  for (const RecordingResult& one : results) halves[one.half == RecordingHalf::a ? 0 : 1].push_back(&one);
  writer.section("Set-up",
                 fmt::format("{} recordings of {} kinds, {:.0f} s each, with three to six classes of one to eight "
                             "events of 0.3 to 6 s; a search ends when each class was met, or after {} questions. "
                             "Features and ways of asking were chosen on half A; half B shares neither backgrounds nor "
                             "events with it{}.",
                             results.size(), kinds.size(), options.seconds, most_requests,
                             options.clips.empty() ? " (without the kinds made of public clips, which are not here)"
                                                   : ", and has kinds made of public clips"));
  for (std::size_t h = 0; h < 2; ++h) {
    if (halves[h].empty()) continue;
    writer.section(h == 0 ? "Half A: what choices were made on" : "Half B: judged", "");
    write_half(writer, "Questions until every class was met", halves[h]);
    write_unseen(writer, halves[h]);
  }
  return writer.finish("radius 18 for all; the halves share the style of sounds made by rule, but for the clips");
}

}  // namespace motet::discover
