#include "motet/app/discover/confirm.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/app/comma_names.h"
#include "motet/app/discover/told.h"
#include "motet/app/told.h"
#include "motet/base/error.h"
#include "motet/data/names.h"
#include "motet/discover/spread/spread.h"
#include "motet/report/document.h"

namespace motet::discover {
namespace {

constexpr TextTableOptions wide_places{40, 80};

enum class ConfirmOrder { useful, likely };

struct ConfirmOptions {
  std::size_t count = 10;
  ConfirmOrder order = ConfirmOrder::useful;
  std::string yes;
  std::string no;
  std::size_t as_of = 0;
  std::string by;
};

template <class V>
void visit_fields(V& v, ConfirmOptions& o) {
  v("count", o.count, Range<std::size_t>{1, 1'000'000}, "of segments to list at most");
  v("order", o.order, Choices{{"useful", "likely"}},
    "useful: those first that an answer tells most about, long ones whose chance is near a half; likely: those with "
    "the "
    "largest chance");
  v("yes", o.yes, Text{"ITEM,ITEM,...|all"}, "these are of the class; all: those that are listed, but for --no");
  v("no", o.no, Text{"ITEM,ITEM,...|all"}, "nothing is at these; what is of another class is for label");
  v("as_of", o.as_of, Range<std::size_t>{0, 1'000'000'000},
    "the number that came with the list that was looked at; needed for all, so that nothing unseen is confirmed");
  v("by", o.by, Text{"NAME"}, "who says so");
}

// A segment that nobody has spoken of.
struct Unconfirmed {
  SpreadStretch stretch;
  std::size_t row = 0;  // to be answered: the middle

  double use() const {
    return stretch.probability * (1.0 - stretch.probability) * static_cast<double>(stretch.end - stretch.begin);
  }
};

struct Confirmable {
  std::vector<Unconfirmed> listed;
  std::size_t in_all = 0;
};

Confirmable unconfirmed_of(Project& project, const std::string& class_name, const ConfirmOptions& options,
                           const VerbContext& context) {
  const Discovery& discovery = project.discovery();
  const Spread spread = spread_answers(project.features(), discovery, context.run);
  const auto found = std::find(spread.classes.begin(), spread.classes.end(), class_name);
  if (found == spread.classes.end() || found == spread.classes.begin()) {
    const std::vector<std::string> names(spread.classes.begin() + 1, spread.classes.end());
    fail(ErrorKind::usage, fmt::format("{}: class '{}' is not in the project; it has {}", context.files[0], class_name,
                                       names.empty() ? "none yet" : quoted_list(names, 5)));
  }
  Confirmable result;
  for (const SpreadStretch& stretch : spread.stretches) {
    if (stretch.is_answered || spread.classes[static_cast<std::size_t>(stretch.of_class)] != class_name) continue;
    result.listed.push_back({stretch, stretch.begin + (stretch.end - stretch.begin) / 2});
  }
  std::stable_sort(result.listed.begin(), result.listed.end(), [&](const Unconfirmed& a, const Unconfirmed& b) {
    if (options.order == ConfirmOrder::useful) return a.use() > b.use();
    return a.stretch.probability > b.stretch.probability;
  });
  result.in_all = result.listed.size();
  result.listed.resize(std::min(result.listed.size(), options.count));
  return result;
}

// Where a stretch is, told as an item that lasts.
ToldItem told_stretch(const Features& features, const Unconfirmed& one) {
  ToldItem item = told_item(features, one.row);
  const ToldItem first = told_item(features, one.stretch.begin);
  item.row_of_recording = first.row_of_recording;
  item.begin = first.begin;
  item.end = told_item(features, one.stretch.end - 1).end;
  return item;
}

std::int64_t last_number(const Project& project) {
  return project.history().empty() ? 0 : project.history().back().number;
}

Outcome told_list(Project& project, const std::string& class_name, const ConfirmOptions& options,
                  const VerbContext& context) {
  const Confirmable found = unconfirmed_of(project, class_name, options, context);
  Listing listing{{{"item", "item"},
                   {"", "row"},
                   {"where"},
                   {"", "recording", 0, true},
                   {"", "begin"},
                   {"", "end"},
                   {"rows", "rows"},
                   {"chance", "probability", 2}}};
  for (const Unconfirmed& one : found.listed) {
    const ToldItem item = told_stretch(project.features(), one);
    const std::size_t rows = one.stretch.end - one.stretch.begin;
    const double begin = item.has_time ? item.begin : static_cast<double>(item.row_of_recording);
    listing.rows.push_back(
        {item.item, one.row + 1, place_of(item), item.recording.empty() ? Value() : Value(item.recording), begin,
         item.has_time ? item.end : begin + static_cast<double>(rows), rows, one.stretch.probability});
  }
  const std::int64_t as_of = last_number(project);
  const std::string name = one_line(class_name);
  Outcome outcome;
  outcome.text = found.listed.empty()
                     ? fmt::format("No segment of '{}' is left to confirm.\n", name)
                     : fmt::format("Is this '{}' too? {} of {}, as of answer {}\n\n{}", name, found.listed.size(),
                                   counted(found.in_all, "segment"), as_of, to_text(listing.table(), wide_places));
  outcome.json = Value::object(
      {{"class", class_name}, {"as_of", as_of}, {"unconfirmed", found.in_all}, {"items", listing.json()}});
  return outcome;
}

std::vector<std::size_t> named_rows(const Project& project, const std::string& list, const VerbContext& context) {
  std::vector<std::size_t> rows;
  if (list == "all") return rows;
  for (const std::string& item : comma_names(list)) {
    rows.push_back(with_frame(context.files[0], [&] { return row_of(project.features(), item); }));
  }
  return rows;
}

// Adds what `all` stands for but for the rows named on the other side.
void add_listed(const Confirmable& found, const std::vector<std::size_t>& others, std::vector<std::size_t>& rows) {
  for (const Unconfirmed& one : found.listed) {
    // A row of the segment says the same as its middle.
    const bool is_other = std::any_of(others.begin(), others.end(), [&](std::size_t row) {
      return row >= one.stretch.begin && row < one.stretch.end;
    });
    if (!is_other) rows.push_back(one.row);
  }
}

std::vector<Answer> answers_of(Project& project, const std::string& class_name, const ConfirmOptions& options,
                               const VerbContext& context) {
  if (options.yes == "all" && options.no == "all")
    fail(ErrorKind::usage, "confirm: only one of --yes and --no can be all");
  std::vector<std::size_t> yes = named_rows(project, options.yes, context);
  std::vector<std::size_t> no = named_rows(project, options.no, context);
  if (options.yes == "all" || options.no == "all") {
    if (!is_given(context, "as_of")) {
      fail(ErrorKind::usage,
           "confirm: all needs --as-of, the number that came with the list, so that nothing unseen is "
           "confirmed");
    }
    const Confirmable found = unconfirmed_of(project, class_name, options, context);
    if (options.yes == "all") add_listed(found, no, yes);
    if (options.no == "all") add_listed(found, yes, no);
  }
  std::vector<Answer> answers;
  answers.reserve(yes.size() + no.size());
  for (const std::size_t row : yes) answers.push_back({row, AnswerKind::of_class, class_name});
  for (const std::size_t row : no) answers.push_back({row, AnswerKind::nothing, ""});
  std::vector<std::size_t> rows;
  for (const Answer& answer : answers) {
    if (std::find(rows.begin(), rows.end(), answer.row) != rows.end()) {
      fail(ErrorKind::usage,
           fmt::format("confirm: item '{}' is named twice", one_line(item_name(project.features(), answer.row))));
    }
    rows.push_back(answer.row);
  }
  return answers;
}

Outcome run_confirm(const ConfirmOptions& options, VerbContext& context) {
  const std::string& path = context.files[0];
  const std::string& class_name = context.files[1];
  const bool records = is_given(context, "yes") || is_given(context, "no");
  Project project = Project::open(path, context.run, {.use = records ? Project::Use::writing : Project::Use::reading});
  if (!records) return told_list(project, class_name, options, context);
  if (is_given(context, "as_of") && last_number(project) != static_cast<std::int64_t>(options.as_of)) {
    fail(ErrorKind::usage, fmt::format("{}: the last answer is {} and not {} any more; look at the list again", path,
                                       last_number(project), options.as_of));
  }
  const std::vector<Answer> answers = answers_of(project, class_name, options, context);
  const std::vector<std::int64_t> numbers = project.answer(answers, options.by);
  const auto yes = static_cast<std::size_t>(std::count_if(
      answers.begin(), answers.end(), [](const Answer& answer) { return answer.kind == AnswerKind::of_class; }));
  Outcome outcome = told_list(project, class_name, options, context);
  outcome.text = fmt::format("{} on the disk: {} '{}', {} nothing\n\n{}",
                             answers.size() == 1 ? "1 answer is" : fmt::format("{} answers are", answers.size()), yes,
                             one_line(class_name), answers.size() - yes, outcome.text);
  outcome.json.set("answers", Value::list_of(numbers));
  return outcome;
}

}  // namespace

Verb confirm_verb() {
  return make_verb("discover", "confirm", "segments of a class that nobody has spoken of, and answers to many at once",
                   {{"PROJECT.motet", "the project file"}, {"CLASS", "that they seem to be of", 1, 1, false}}, {},
                   run_confirm, without_page);
}

}  // namespace motet::discover
