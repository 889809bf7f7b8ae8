// How far the segments of a search can be trusted, on recordings that the program makes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/discover/figures.h"
#include "experiments/discover/recording_studies.h"
#include "experiments/panel.h"
#include "motet/discover/study/simulate.h"

namespace motet::discover {
namespace {

constexpr std::size_t segment_answers[] = {20, 50, 100};
constexpr double aim = 0.8;

using Judged = std::vector<SegmentQuality>;  // by segment_answers

Judged judged_recording(const RecordingKind& kind, const RecordingOptions& options, Rng rng, const RunContext& run) {
  const StudiedRecording studied = studied_recording(kind, options, rng);
  Judged judged;
  for (const std::size_t answers : segment_answers) {
    const DiscoveryComparison played = simulate_discovery(
        studied.features, studied.truth, scored_options(Strategy::adaptive), 1, 0, run, {answers, usual_threshold});
    judged.push_back(played.runs.front().segments.value_or(SegmentQuality{}));
  }
  return judged;
}

double share(std::size_t part, std::size_t whole) { return static_cast<double>(part) / static_cast<double>(whole); }

std::string of_all(std::size_t part, std::size_t whole) {
  return whole == 0 ? "none" : fmt::format("{:.2f} of {}", share(part, whole), whole);
}

void write_half(ExperimentWriter& writer, const std::vector<Judged>& recordings) {
  Table table{{{"answers"}, {"segments"}, {"right", 2}, {"without an answer, right"}, {"events touched", 2}}, {}};
  Table bands{{{"answers"}, {"chance told"}, {"segments"}, {"mean", 2}, {"right", 2}}, {}};
  bool holds = true;
  for (std::size_t i = 0; i < std::size(segment_answers); ++i) {
    SegmentQuality sum;
    for (const Judged& judged : recordings) add(sum, judged[i]);
    const auto answers = static_cast<std::int64_t>(segment_answers[i]);
    table.rows.push_back({answers, static_cast<std::int64_t>(sum.segments), sum.precision(),
                          of_all(sum.right - std::min(sum.right, sum.answered), sum.segments - sum.answered),
                          sum.recall()});
    holds = holds && sum.precision() >= aim;
    for (const SegmentQuality::Band& band : sum.bands) {
      if (band.segments == 0) continue;
      bands.rows.push_back({answers, fmt::format("{:.1f} to {:.1f}", band.from, band.to),
                            static_cast<std::int64_t>(band.segments),
                            band.promised / static_cast<double>(band.segments), share(band.right, band.segments)});
    }
  }
  writer.table(fmt::format("Segments with a chance of {} at least", usual_threshold), std::move(table));
  writer.table("Chances told and true, of segments without an answer", std::move(bands));
  writer.note(fmt::format("at least {:.0f} % touch an event of their class after each number of answers: {}",
                          100.0 * aim, holds ? "holds" : "does not hold"));
}

}  // namespace

Outcome run_discover_segments(const ExperimentContext& context) {
  ExperimentWriter writer("discover-segments", "How far segments can be trusted");
  const RecordingOptions options = study_options(context);
  const std::vector<RecordingKind> kinds = studied_kinds(context, options, "ABC");
  const std::size_t repeats = context.repeats_or(context.quick ? 1 : 4);
  std::vector<Judged> recordings(kinds.size() * repeats);
  run_grid(context, "searching", kinds.size(), repeats,
           [&](std::size_t kind, std::size_t repeat, const RunContext& run) {
             recordings[kind * repeats + repeat] =
                 judged_recording(kinds[kind], options, Rng(run.seed).child(700 + kind), run);
           });
  writer.section("Set-up",
                 fmt::format("{} recordings of {:.0f} s, searched by the default with its features; what it exports "
                             "after so many answers. The chances were learned on other recordings of half A.",
                             recordings.size(), options.seconds));
  for (const RecordingHalf half : {RecordingHalf::a, RecordingHalf::b, RecordingHalf::c}) {
    std::vector<Judged> of;
    for (std::size_t i = 0; i < recordings.size(); ++i) {
      if (kinds[i / repeats].half == half) of.push_back(recordings[i]);
    }
    if (of.empty()) continue;
    writer.section(title_of(half), "");
    write_half(writer, of);
  }
  return writer.finish("a segment that holds an answer of its class is right by that");
}

}  // namespace motet::discover
