#include "motet/app/discover/next.h"

#include <fmt/format.h>

#include <cmath>

#include "motet/app/discover/clips.h"
#include "motet/app/discover/told.h"
#include "motet/app/told.h"
#include "motet/base/error.h"
#include "motet/discover/answers.h"
#include "motet/discover/questions/cover.h"

namespace motet::discover {
namespace {

struct NextOptions {
  std::size_t count = 0;
  std::string by;
  double hold = usual_hold;
  bool finish = false;
  ClipOptions clips;
};

template <class V>
void visit_fields(V& v, NextOptions& o) {
  v("count", o.count, Range<std::size_t>{0, 1'000'000},
    "of items at most; 0: all that are asked before the next update, or one with --by");
  v("by", o.by, Text{"NAME"}, "who asks: others who ask with --by get other questions");
  v("hold", o.hold, Range<double>{0.01, 10'080.0}, "minutes for which --by keeps questions for NAME");
  v("finish", o.finish,
    "the fewest questions that complete the guarantee, in place of those most likely to find something; each may be "
    "answered by itself");
  v("clip", o.clips.clip, Text{"PATH"},
    "write the sound around each question; of several OUT-1.wav, OUT-2.wav ...; or a folder, for row-17.wav ...");
  v("clip_seconds", o.clips.clip_seconds, Range<double>{0.01, 3600.0},
    "of sound, before and after the middle of the question together");
  v("recordings", o.clips.recordings, Text{"FOLDER"}, "where the recordings are now, for --clip");
}

std::string clip_lines(const DiscoverStatus& status) {
  std::string text;
  for (const ToldItem& item : status.next) {
    if (!item.clip.empty()) text += fmt::format("item {} sounds in {}\n", one_line(item.item), item.clip);
  }
  return text.empty() ? "" : "\n" + text;
}

// One question for each range that the least cover needs: the row in its middle.
void finish_questions(Project& project, std::size_t count, DiscoverStatus& status) {
  const Features& features = project.features();
  const Discovery& discovery = project.discovery();
  const auto g = static_cast<std::size_t>(discovery.options.exclusion);
  const std::vector<std::uint8_t> within = rows_within(features.starts, sure_rows(held_answers(discovery)), g);
  status.next.clear();
  for (const RowRange& range : least_cover(features.starts, within, g)) {
    if (status.next.size() == count) break;
    ToldItem item = told_item(features, (range.begin + range.end - 1) / 2);
    item.why = "no answer is near";
    status.next.push_back(std::move(item));
  }
}

Outcome run_next(const NextOptions& options, VerbContext& context) {
  constexpr std::size_t whole_queue = static_cast<std::size_t>(-1);
  const std::string& path = context.files[0];
  const bool reserves = !options.by.empty();
  for (const char* const option : {"clip_seconds", "recordings"}) {
    if (options.clips.clip.empty() && is_given(context, option)) {
      fail(ErrorKind::usage, fmt::format("{}: needs --clip OUT.wav", flag_of(option)));
    }
  }
  if (reserves && options.finish) fail(ErrorKind::usage, "--finish: cannot be combined with --by");
  if (!reserves && is_given(context, "hold")) fail(ErrorKind::usage, "--hold: needs --by NAME");
  Project project = Project::open(path, context.run, {.use = reserves ? Project::Use::writing : Project::Use::reading});
  DiscoverStatus status =
      reserves ? reserved_status(path, project, options.by, options.count == 0 ? 1 : options.count, options.hold)
               : status_of(path, project, options.count == 0 ? whole_queue : options.count);
  if (options.finish) finish_questions(project, options.count == 0 ? whole_queue : options.count, status);
  if (!options.clips.clip.empty()) write_clips(path, project, options.clips, status.next);
  Outcome outcome = told(next_document(status));
  outcome.text += clip_lines(status);
  return outcome;
}

}  // namespace

DiscoverStatus reserved_status(const std::string& path, Project& project, const std::string& by, std::size_t count,
                               double minutes) {
  const auto hold = static_cast<std::int64_t>(std::llround(minutes * 60'000.0));
  const std::vector<OwnQuestion> questions = project.reserve(by, count, hold);
  DiscoverStatus status = status_of(path, project, 0);
  for (const OwnQuestion& question : questions) {
    ToldItem item = told_question(project.features(), project.discovery(), question.nomination);
    if (question.is_from_before) item.why = "asked of you before";
    item.also_of = question.also_of;
    status.next.push_back(std::move(item));
  }
  return status;
}

Verb next_verb() {
  return make_verb("discover", "next", "the item(s) to label now", {{"PROJECT.motet", "the project file"}}, {},
                   run_next, without_page);
}

}  // namespace motet::discover
