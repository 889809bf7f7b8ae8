// What a project's answers save the next one: the same classes heard again in another recording of the kind, and one
// class more.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/discover/figures.h"
#include "experiments/discover/recording_studies.h"
#include "experiments/panel.h"
#include "motet/base/numeric.h"
#include "motet/discover/discovery.h"
#include "motet/discover/spread/carry.h"
#include "motet/discover/study/segment_quality.h"

namespace motet::discover {
namespace {

constexpr std::size_t answers_before = 50;
constexpr std::size_t answers_after = 50;

Answer answer_of(const RowTruth& truth, std::size_t row) {
  const std::uint32_t of_class = truth.of_row[row];
  if (of_class == 0) return {row, AnswerKind::nothing, ""};
  return {row, AnswerKind::of_class, truth.classes[of_class]};
}

struct Searched {
  double until_new = 0.0;  // questions until the class that is new in the second recording was met
  double asked_known = 0;  // of the first `answers_after`, about classes of the first recording
  double asked_nothing = 0;
};

Searched search(const StudiedRecording& studied, const std::string& fresh, const Carried& carried,
                const RunContext& run) {
  Searched result;
  Discovery discovery = start_discovery(studied.features, scored_options(Strategy::adaptive), run, carried);
  for (std::size_t question = 1; !discovery.queue.empty(); ++question) {
    const Answer answer = answer_of(studied.truth, discovery.queue.front().row);
    if (answer.class_name == fresh && result.until_new == 0.0) result.until_new = static_cast<double>(question);
    if (question <= answers_after) {
      result.asked_known += answer.kind == AnswerKind::of_class && answer.class_name != fresh ? 1.0 : 0.0;
      result.asked_nothing += answer.kind == AnswerKind::nothing ? 1.0 : 0.0;
    }
    if (result.until_new > 0.0 && question >= answers_after) break;
    take_answer(studied.features, discovery, answer, run);
    if (discovery.queue.empty() && result.until_new == 0.0) result.until_new = static_cast<double>(question);
  }
  return result;
}

// What is recognised before the first answer.
SegmentQuality recognised(const StudiedRecording& studied, const Carried& carried, const RunContext& run) {
  const Discovery discovery = start_discovery(studied.features, scored_options(Strategy::adaptive), run, carried);
  const Spread spread = spread_answers(studied.features, discovery, run);
  std::vector<std::size_t> of_class(spread.classes.size(), 0);
  for (std::size_t c = 1; c < of_class.size(); ++c) {
    const auto place = std::find(studied.truth.classes.begin(), studied.truth.classes.end(), spread.classes[c]);
    if (place != studied.truth.classes.end()) {
      of_class[c] = static_cast<std::size_t>(place - studied.truth.classes.begin());
    }
  }
  return segment_quality(studied.features, studied.truth, 0, spread, of_class, usual_threshold);
}

struct Transferred {
  bool is_there = false;  // the new class found a place, and another class was met before
  Searched anew;
  Searched carried;
  SegmentQuality before;
};

Transferred transferred(const RecordingKind& kind, RecordingOptions options, Rng rng, const RunContext& run) {
  RecordingOptions first_options = options;
  first_options.classes_left_out = 1;
  options.sitting = 1;
  const StudiedRecording first = studied_recording(kind, first_options, rng);
  const StudiedRecording second = studied_recording(kind, options, rng);
  Transferred result;
  std::string fresh;
  for (std::size_t c = 1; c < second.truth.classes.size(); ++c) {
    const std::string& name = second.truth.classes[c];
    const auto known = std::find(first.truth.classes.begin(), first.truth.classes.end(), name);
    if (known == first.truth.classes.end()) fresh = name;
  }
  if (fresh.empty()) return result;
  Discovery old = start_discovery(first.features, scored_options(Strategy::adaptive), run);
  while (!old.queue.empty() && old.answers.size() < answers_before) {
    take_answer(first.features, old, answer_of(first.truth, old.queue.front().row), run);
  }
  const Carried carried = carried_answers(first.features, old, "before", run);
  result.is_there = true;
  result.anew = search(second, fresh, {}, run);
  result.carried = search(second, fresh, carried, run);
  result.before = recognised(second, carried, run);
  return result;
}

void write_half(ExperimentWriter& writer, const std::vector<Transferred>& all) {
  std::vector<std::vector<double>> anew(3);
  std::vector<std::vector<double>> carried(3);
  std::vector<double> saved;
  SegmentQuality sum;
  for (const Transferred& one : all) {
    if (!one.is_there) continue;
    for (const auto& [of, into] : {std::pair(&one.anew, &anew), std::pair(&one.carried, &carried)}) {
      (*into)[0].push_back(of->until_new);
      (*into)[1].push_back(of->asked_known);
      (*into)[2].push_back(of->asked_nothing);
    }
    saved.push_back(one.anew.until_new - one.carried.until_new);
    add(sum, one.before);
  }
  const std::string within = fmt::format("of the first {} questions, about ", answers_after);
  Table table{{{"mean (standard error)"}, {"anew"}, {"with --from"}}, {}};
  table.rows.push_back({"questions until the new class", mean_and_error(anew[0]), mean_and_error(carried[0])});
  table.rows.push_back({within + "known classes", mean_and_error(anew[1]), mean_and_error(carried[1])});
  table.rows.push_back({within + "nothing", mean_and_error(anew[2]), mean_and_error(carried[2])});
  writer.table(fmt::format("{} pairs", saved.size()), std::move(table));
  writer.note(
      fmt::format("with --from the new class was met {} questions sooner; before the first answer {} of {} "
                  "segments were right, and {} of {} events were touched",
                  mean_and_error(saved), sum.right, sum.segments, sum.touched, sum.events));
}

}  // namespace

Outcome run_discover_transfer(const ExperimentContext& context) {
  ExperimentWriter writer("discover-transfer", "A search that starts with what another has taught");
  const RecordingOptions options = study_options(context);
  const std::vector<RecordingKind> kinds = studied_kinds(context, options, "ABC");
  const std::size_t repeats = context.repeats_or(context.quick ? 1 : 4);
  std::vector<Transferred> pairs(kinds.size() * repeats);
  run_grid(context, "searching", kinds.size(), repeats,
           [&](std::size_t kind, std::size_t repeat, const RunContext& run) {
             pairs[kind * repeats + repeat] = transferred(kinds[kind], options, Rng(run.seed).child(800 + kind), run);
           });
  writer.section(
      "Set-up",
      fmt::format(
          "Pairs of recordings of {:.0f} s: the second has the classes of the first again, other occurrences in "
          "another background of the kind, and one class more. The second is searched anew, and with the {} "
          "answers of the first (start --from).",
          options.seconds, answers_before));
  for (const RecordingHalf half : {RecordingHalf::a, RecordingHalf::b, RecordingHalf::c}) {
    std::vector<Transferred> of;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (kinds[i / repeats].half == half) of.push_back(pairs[i]);
    }
    if (of.empty()) continue;
    writer.section(title_of(half), "");
    write_half(writer, of);
  }
  return writer.finish("a search that never meets the new class counts with its last question");
}

}  // namespace motet::discover
