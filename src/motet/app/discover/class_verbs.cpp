#include "motet/app/discover/class_verbs.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/app/discover/told.h"
#include "motet/base/error.h"

namespace motet::discover {
namespace {

struct ChangeOptions {
  std::string by;
};

template <class V>
void visit_fields(V& v, ChangeOptions& o) {
  v("by", o.by, Text{"NAME"}, "who says so");
}

Outcome change_class(const ChangeOptions& options, const VerbContext& context, bool is_merge) {
  const std::string& path = context.files[0];
  Project project = Project::open(path, context.run, {});
  const ClassChange change{is_merge, context.files[1], context.files[2]};
  const std::int64_t number = with_frame(path, [&] { return project.change_class(change, options.by); });
  const DiscoverStatus status = status_of(path, project, 0);
  const auto of_class = std::find_if(status.answers.classes.begin(), status.answers.classes.end(),
                                     [&](const AnswerCounts::OfClass& one) { return one.name == change.into; });
  const std::size_t answers = of_class == status.answers.classes.end() ? 0 : of_class->answers;
  Value json = Value::object({{"change", number},
                              {"kind", is_merge ? "merge" : "rename"},
                              {"class", change.from},
                              {"into", change.into},
                              {"answers", answers}});
  return {fmt::format("change {} is on the disk: {}, which has {} now\n", number, change_words(change),
                      counted(answers, "answer")),
          std::move(json)};
}

Outcome run_rename(const ChangeOptions& options, VerbContext& context) { return change_class(options, context, false); }
Outcome run_merge(const ChangeOptions& options, VerbContext& context) { return change_class(options, context, true); }

}  // namespace

std::string change_words(const ClassChange& change) {
  return fmt::format("'{}' was {} '{}'", one_line(change.from), change.is_merge ? "merged into" : "renamed to",
                     one_line(change.into));
}

Verb rename_verb() {
  return make_verb(
      "discover", "rename", "give a class another name; answers given before have it too",
      {{"PROJECT.motet", "the project file"}, {"OLD", "the class", 1, 1, false}, {"NEW", "its new name", 1, 1, false}},
      {}, run_rename, without_page);
}

Verb merge_verb() {
  return make_verb("discover", "merge", "make one class of two; answers of the first become answers of the other",
                   {{"PROJECT.motet", "the project file"},
                    {"FROM", "the class that goes", 1, 1, false},
                    {"INTO", "the class that takes it in", 1, 1, false}},
                   {}, run_merge, without_page);
}

}  // namespace motet::discover
