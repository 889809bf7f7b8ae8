// How often the bound on the number of unseen classes holds, and how much it says.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/discover/figures.h"
#include "experiments/discover/recording_studies.h"
#include "experiments/discover/tables.h"
#include "experiments/panel.h"
#include "motet/base/numeric.h"
#include "motet/discover/discovery.h"
#include "motet/discover/study/generate.h"
#include "motet/discover/unseen.h"

namespace motet::discover {
namespace {

constexpr std::size_t unseen_answers[] = {3, 5, 10, 20, 50, 100, 200};

// After so many answers.
struct UnseenJudged {
  std::size_t answers = 0;
  UnseenClasses told;
  std::size_t unseen = 0;
  bool next_is_new = false;
};

std::vector<UnseenJudged> judged_search(const Features& features, const RowTruth& truth, const RunContext& run) {
  std::vector<UnseenJudged> judged;
  std::vector<std::uint8_t> is_met(truth.classes.size(), 0);
  std::vector<std::uint8_t> is_there(truth.classes.size(), 0);
  for (const std::uint32_t of_class : truth.of_row) is_there[of_class] = 1;
  const auto classes = static_cast<std::size_t>(std::count(is_there.begin() + 1, is_there.end(), std::uint8_t{1}));
  std::size_t met = 0;
  Discovery discovery = start_discovery(features, scored_options(Strategy::adaptive), run);
  for (std::size_t answers = 0; !discovery.queue.empty(); ++answers) {
    const std::size_t row = discovery.queue.front().row;
    const std::uint32_t of_class = truth.of_row[row];
    const bool is_new = of_class != 0 && is_met[of_class] == 0;
    if (std::find(std::begin(unseen_answers), std::end(unseen_answers), answers) != std::end(unseen_answers)) {
      judged.push_back({answers, unseen_classes(discovery), classes - met, is_new});
    }
    if (answers == *(std::end(unseen_answers) - 1)) break;
    met += is_new ? 1 : 0;
    is_met[of_class] = 1;
    const AnswerKind kind = of_class == 0 ? AnswerKind::nothing : AnswerKind::of_class;
    take_answer(features, discovery, {row, kind, of_class == 0 ? "" : truth.classes[of_class]}, run);
  }
  return judged;
}

void write_judged(ExperimentWriter& writer, const std::string& title,
                  const std::vector<std::vector<UnseenJudged>>& searches) {
  Table table{{{"answers"},
               {"estimates"},
               {"unseen", 2},
               {"expected", 2},
               {"at most", 1},
               {"held", 2},
               {"held, of those with some unseen"},
               {"chance of a new one next", 3},
               {"true", 3}},
              {}};
  std::size_t all = 0;
  std::size_t all_held = 0;
  for (const std::size_t answers : unseen_answers) {
    double unseen = 0.0;
    double expected = 0.0;
    double most = 0.0;
    double chance = 0.0;
    double is_new = 0.0;
    std::size_t count = 0;
    std::size_t held = 0;
    std::size_t some = 0;
    std::size_t some_held = 0;
    for (const std::vector<UnseenJudged>& search : searches) {
      for (const UnseenJudged& one : search) {
        if (one.answers != answers || !one.told.can_tell) continue;
        const bool holds = one.told.most >= one.unseen;
        ++count;
        held += holds ? 1 : 0;
        some += one.unseen > 0 ? 1 : 0;
        some_held += one.unseen > 0 && holds ? 1 : 0;
        unseen += static_cast<double>(one.unseen);
        expected += one.told.expected;
        most += static_cast<double>(one.told.most);
        chance += one.told.next_is_new;
        is_new += one.next_is_new ? 1.0 : 0.0;
      }
    }
    if (count == 0) continue;
    const auto n = static_cast<double>(count);
    all += count;
    all_held += held;
    table.rows.push_back({static_cast<std::int64_t>(answers), static_cast<std::int64_t>(count), unseen / n,
                          expected / n, most / n, static_cast<double>(held) / n,
                          fmt::format("{} of {}", some_held, some), chance / n, is_new / n});
  }
  writer.table(title, std::move(table));
  writer.note(fmt::format("the bound held in {} of {} estimates, {:.3f}", all_held, all,
                          static_cast<double>(all_held) / static_cast<double>(std::max<std::size_t>(1, all))));
}

void judge_recordings(ExperimentWriter& writer, const ExperimentContext& context) {
  const RecordingOptions options = study_options(context);
  const std::vector<RecordingKind> kinds = studied_kinds(context, options, "ABC");
  const std::size_t repeats = context.repeats_or(context.quick ? 1 : 8);
  std::vector<std::vector<UnseenJudged>> searches(kinds.size() * repeats);
  run_grid(context, "recordings", kinds.size(), repeats,
           [&](std::size_t kind, std::size_t repeat, const RunContext& run) {
             const StudiedRecording studied = studied_recording(kinds[kind], options, Rng(run.seed).child(500 + kind));
             searches[kind * repeats + repeat] = judged_search(studied.features, studied.truth, run);
           });
  for (const RecordingHalf half : {RecordingHalf::a, RecordingHalf::b, RecordingHalf::c}) {
    std::vector<std::vector<UnseenJudged>> of;
    for (std::size_t i = 0; i < searches.size(); ++i) {
      if (kinds[i / repeats].half == half) of.push_back(searches[i]);
    }
    if (of.empty()) continue;
    writer.section(title_of(half), "");
    write_judged(writer, "Unseen classes", of);
  }
}

void judge_generated(ExperimentWriter& writer, const ExperimentContext& context) {
  const std::size_t repeats = context.repeats_or(context.quick ? 1 : 20);
  struct Shape {
    std::string title;
    std::function<LabelledFeatures(Rng)> make;
  };
  EventOptions events;
  events.rows = context.quick ? 500 : 3000;
  events.events_per_class = 2;
  if (context.quick) events.dimensions = 4;
  std::vector<Shape> shapes = {{fmt::format("sequences of {} rows with 5 classes", events.rows),
                                [events](Rng rng) { return generate_events(events, static_cast<Seed>(rng.next())); }}};
  for (const MadeTable& shape : made_tables()) {
    shapes.push_back({"tables, " + shape.name, [shape](Rng rng) { return made_table(shape, rng); }});
  }
  std::vector<std::vector<std::vector<UnseenJudged>>> searches(shapes.size());
  for (auto& some : searches) some.resize(repeats);
  run_grid(context, "generated", shapes.size(), repeats,
           [&](std::size_t shape, std::size_t repeat, const RunContext& run) {
             const LabelledFeatures data = shapes[shape].make(Rng(run.seed).child(900 + shape));
             searches[shape][repeat] = judged_search(data.features, data.truth, run);
           });
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    writer.section("Generated: " + shapes[s].title, "");
    write_judged(writer, "Unseen classes", searches[s]);
  }
}

}  // namespace

Outcome run_discover_unseen(const ExperimentContext& context) {
  ExperimentWriter writer("discover-unseen", "How many classes are unseen: told and true");
  writer.section("Set-up",
                 "A search of the default, asked after so many answers how many classes it has not met: the mean of "
                 "what it expects and of the number it says is not exceeded with 90 %, beside the truth. The model was "
                 "settled on half A of the recordings; everything else only judges it.");
  judge_recordings(writer, context);
  judge_generated(writer, context);
  return writer.finish();
}

}  // namespace motet::discover
