#include "motet/app/discover/search_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/app/discover/findings.h"
#include "motet/app/discover/moments.h"
#include "motet/base/fields.h"
#include "motet/data/names.h"
#include "motet/discover/certificate.h"

namespace motet::discover {
namespace {

constexpr std::size_t widest_name = 60;
constexpr TextTableOptions wide_items{40, 80};
constexpr TextTableOptions wide_choices{40, 120};

// Times of frames are multiples of the hop: more digits would be noise of the arithmetic.
std::string seconds_text(double seconds) { return fmt::format("{} s", to_text(std::round(seconds * 1e6) / 1e6)); }

std::string clock_words(std::string clock) {
  std::replace(clock.begin(), clock.end(), 'T', ' ');
  return clock;
}

// "that lasts 3.7 s or longer", "of 37 rows or more in a row".
std::string reach_text(const DiscoverStatus& status, std::size_t rows) {
  if (status.hop == 0.0) return fmt::format("of {} rows or more in a row", rows);
  return fmt::format("that lasts {} or longer", seconds_text(static_cast<double>(rows) * status.hop));
}

// What can be relied on by now, in a sentence or two.
std::string certificate_sentence(const DiscoverStatus& status) {
  const SearchCertificate& sure = status.certificate;
  const std::size_t reach = 2 * sure.exclusion + 1;
  if (sure.complete) return fmt::format("Nothing {} is left.", reach_text(status, reach));
  if (sure.exclusion == 0) {
    return fmt::format("Without exclusion nothing is guaranteed before all {} rows are answered.", status.rows);
  }
  std::string text;
  if (sure.answered > 0) {
    text = fmt::format("By now nothing {} is left unseen. ", reach_text(status, sure.longest_gap + 1));
  }
  return text + fmt::format("After at most {}, nothing {} is left.",
                            counted(sure.most_left, sure.answered > 0 ? "more question" : "question"),
                            reach_text(status, reach));
}

Value text_or_none(const std::string& text) { return text.empty() ? Value() : Value(text); }

// What the classes met so far say of those nobody met; nothing before there is one.
std::string unseen_sentence(const UnseenClasses& unseen) {
  if (!unseen.can_tell) return "";
  return fmt::format(
      "{} met: {:.1f} more are to be expected, {} at most (90 %); the next question finds a new one with a chance of "
      "{:.2g}.\n",
      unseen.seen == 1 ? "1 class was" : fmt::format("{} classes were", unseen.seen), unseen.expected, unseen.most,
      unseen.next_is_new);
}

// The fewest questions that keep the promise, where they are fewer than at most.
std::string finish_sentence(const SearchCertificate& sure) {
  if (sure.complete || sure.exclusion == 0 || sure.least_left >= sure.most_left) return "";
  return fmt::format("With next --finish, {} will do.\n", sure.least_left);
}

Listing next_listing(const DiscoverStatus& status) {
  Listing listing{{{"item", "item"},
                   {"", "row"},
                   {"where"},
                   {"", "recording", 0, true},
                   {"", "begin", 0, true},
                   {"", "end", 0, true},
                   {"", "begin_clock", 0, true},
                   {"why", "why"},
                   {"", "component", 0, true},
                   {"", "log_density", 0, true},
                   {"", "also_of", 0, true},
                   {"", "clip", 0, true}}};
  for (const ToldItem& item : status.next) {
    const bool has_component = item.component >= 0;
    listing.rows.push_back(
        {item.item, item.row + 1, place_of(item), text_or_none(item.recording),
         item.has_time ? Value(item.begin) : Value(), item.has_time ? Value(item.end) : Value(),
         text_or_none(item.begin_clock), item.why, has_component ? Value(std::int64_t{item.component} + 1) : Value(),
         has_component ? Value(item.log_density) : Value(), text_or_none(item.also_of), text_or_none(item.clip)});
  }
  return listing;
}

Listing choice_listing(const DiscoverStatus& status) {
  Listing listing{{{"choice", "name"}, {"value", "value"}, {"why", "reason"}}};
  for (const Choice& choice : status.choices) listing.rows.push_back({choice.name, choice.value, choice.reason});
  return listing;
}

// For people, who give the choice as an option.
Table choice_table(const DiscoverStatus& status) {
  Table table = choice_listing(status).table();
  for (std::vector<Cell>& row : table.rows) row[0] = flag_of(std::get<std::string>(row[0]));
  return table;
}

// By answers that hold; class 0 is the background.
std::size_t classes_found(const AnswerCounts& answers) {
  std::size_t found = 0;
  for (std::size_t c = 1; c < answers.classes.size(); ++c) found += answers.classes[c].answers > 0 ? 1U : 0U;
  return found;
}

Listing class_listing(const AnswerCounts& answers) {
  Listing listing{{{"class", "class"}, {"answers", "answers"}, {"first", "", 0}, {"", "first_answer", 0, true}}};
  for (const AnswerCounts::OfClass& one : answers.classes) {
    listing.rows.push_back({one.name, one.answers, one.first > 0 ? static_cast<double>(one.first) : std::nan(""),
                            one.first > 0 ? Value(one.first) : Value()});
  }
  return listing;
}

// People see also what nobody could tell.
Table class_table(const AnswerCounts& answers) {
  Listing listing = class_listing(answers);
  if (answers.unsure > 0) listing.rows.push_back({"(not sure)", answers.unsure, std::nan("")});
  return listing.table();
}

Listing labeler_listing(const AnswerCounts& answers) {
  Listing listing{{{"by"}, {"", "name"}, {"answers", "answers"}, {"undone", "undone"}}};
  for (const AnswerCounts::Labeler& one : answers.labelers) {
    listing.rows.push_back({one.name.empty() ? "(no name)" : one.name, one.name, one.answers, one.undone});
  }
  return listing;
}

Listing recording_listing(const std::vector<Recording>& recordings) {
  Listing listing{
      {{"", "name"}, {"", "first_row"}, {"", "rows"}, {"", "seconds", 0, true}, {"", "begin_clock", 0, true}}};
  for (const Recording& one : recordings) {
    listing.rows.push_back({one.name, one.first_row + 1, one.rows, one.seconds > 0.0 ? Value(one.seconds) : Value(),
                            text_or_none(one.seconds > 0.0 ? clock_in(one.name, 0.0) : "")});
  }
  return listing;
}

Listing carried_listing(const DiscoverStatus& status) {
  Listing listing{{{"class", "class"},
                   {"examples", "examples"},
                   {"segments", "segments"},
                   {"confirmed", "confirmed"},
                   {"best chance", "best_chance", 2}}};
  for (const CarriedClass& one : status.carried) {
    listing.rows.push_back({one.name, one.examples, one.segments, one.confirmed, one.best});
  }
  return listing;
}

// Nothing where nothing was taken along.
std::string carried_text(const DiscoverStatus& status) {
  if (status.carried.empty()) return "";
  std::vector<std::string> missing;
  for (const CarriedClass& one : status.carried) {
    if (one.segments == 0) missing.push_back(one.name);
  }
  std::string text = fmt::format("\nKnown from {}, as far as the rows show it:\n{}", one_line(status.carried_from),
                                 to_text(carried_listing(status).table()));
  if (!missing.empty()) text += fmt::format("Not met here so far: {}.\n", quoted_list(missing, missing.size()));
  return text;
}

std::string next_text(const DiscoverStatus& status) {
  if (status.next.empty()) return "Nothing is left to ask. " + certificate_sentence(status) + "\n";
  std::string text;
  if (status.certificate.complete && status.certificate.exclusion > 0) {
    text = certificate_sentence(status) + " What is asked now is for shorter events.\n\n";
  }
  text += to_text(next_listing(status).table(), wide_items);
  for (const ToldItem& item : status.next) {
    if (item.also_of.empty()) continue;
    text +=
        fmt::format("item {} is asked of {} too: all others are taken\n", one_line(item.item), one_line(item.also_of));
  }
  return text;
}

std::string head_text(const DiscoverStatus& status) {
  std::string text = fmt::format("{}{}: {} of {}", warning_lines(status.warnings), status.project,
                                 counted(status.rows, "row"), counted(status.dimensions, "feature"));
  if (status.recordings.size() > 1) text += fmt::format(" in {} recordings", status.recordings.size());
  double seconds = 0.0;
  for (const Recording& recording : status.recordings) seconds += recording.seconds;
  if (status.hop > 0.0) text += fmt::format(", {}", seconds_text(seconds));
  return text + fmt::format("; strategy {}\n", status.strategy);
}

Value unseen_value(const UnseenClasses& unseen) {
  if (!unseen.can_tell) return {};
  return Value::object({{"seen", unseen.seen},
                        {"expected", unseen.expected},
                        {"most", unseen.most},
                        {"next_is_new", unseen.next_is_new}});
}

Value json_of(const DiscoverStatus& status) {
  const SearchCertificate& sure = status.certificate;
  Value certificate = Value::object({{"exclusion", sure.exclusion},
                                     {"most_requests", sure.most_requests},
                                     {"questions_left", sure.most_left},
                                     {"least_questions_left", sure.least_left},
                                     {"answered", sure.answered},
                                     {"unsure", sure.unsure},
                                     {"covered", sure.covered},
                                     {"longest_gap", sure.longest_gap},
                                     {"complete", sure.complete},
                                     {"words", certificate_sentence(status)}});
  Value result = Value::object({{"project", status.project},
                                {"strategy", status.strategy},
                                {"rows", status.rows},
                                {"dimensions", status.dimensions},
                                {"recordings", recording_listing(status.recordings).json()},
                                {"classes", class_listing(status.answers).json()},
                                {"labelers", labeler_listing(status.answers).json()},
                                {"undone", status.answers.undone},
                                {"certificate", std::move(certificate)},
                                {"unseen", unseen_value(status.unseen)},
                                {"choices", choice_listing(status).json()},
                                {"next", next_listing(status).json()},
                                {"warnings", Value::list_of(status.warnings)}});
  if (!status.carried.empty()) {
    result.set("carried", Value::object({{"from", status.carried_from}, {"classes", carried_listing(status).json()}}));
  }
  return result;
}

// JSON and page of a search, whatever the terminal shows of it.
Document search_document(const DiscoverStatus& status, const DiscoverFindings* findings) {
  Document document;
  document.json = json_of(status);
  if (findings == nullptr) return document;
  document.title = "Search for rare classes";
  const std::vector<std::string>& recordings = findings->features.sequences;
  document.subtitle = fmt::format("{}: {} rows in {}", status.project, findings->features.rows(),
                                  counted(recordings.size(), "recording"));
  document.facts = {{"classes found", std::to_string(classes_found(status.answers))},
                    {"answers", std::to_string(status.certificate.answered + status.certificate.unsure)},
                    {"covered", fmt::format("{:.0f} %", std::floor(100.0 * status.certificate.covered))},
                    {"questions left at most", std::to_string(status.certificate.most_left)},
                    {"strategy", status.strategy}};
  Section& section = document.section("What was found", certificate_sentence(status));
  section.notes = status.warnings;
  section.tables.push_back({"Classes", with_segments(class_table(status.answers), *findings)});
  const auto add_table = [&](const char* title, const Listing& listing) {
    if (!listing.rows.empty()) section.tables.push_back({title, listing.table()});
  };
  add_table("Who answered", labeler_listing(status.answers));
  add_table("To be looked at next", next_listing(status));
  list_segments(section, findings->segments);
  add_findings(document, *findings, status.certificate, choice_table(status));
  return document;
}

}  // namespace

std::string place_of(const ToldItem& item) {
  const std::string recording = shortened(item.recording, widest_name);
  const std::string of = recording.empty() ? "" : " of ";
  if (item.has_time) {
    const std::string clock = item.begin_clock.empty() ? "" : ", " + clock_words(item.begin_clock);
    return seconds_text(item.begin) + " to " + seconds_text(item.end) + of + recording + clock;
  }
  return fmt::format("row {}{}{}", item.row_of_recording + 1, of, recording);
}

Document next_document(const DiscoverStatus& status) {
  Document document;
  document.text = next_text(status);
  document.json = Value::object({{"items", next_listing(status).json()},
                                 {"questions_left", status.certificate.most_left},
                                 {"complete", status.certificate.complete}});
  return document;
}

Document start_document(const DiscoverStatus& status, const DiscoverFindings* findings) {
  Document document = search_document(status, findings);
  document.text = head_text(status);
  document.show(choice_table(status), wide_choices);
  document.text += carried_text(status) + "\n" + certificate_sentence(status) + "\n\n" + next_text(status);
  return document;
}

Document status_document(const DiscoverStatus& status, const DiscoverFindings* findings) {
  Document document = search_document(status, findings);
  document.text = head_text(status);
  document.show(class_table(status.answers));
  if (const Listing labelers = labeler_listing(status.answers); !labelers.rows.empty()) document.show(labelers.table());
  document.text +=
      fmt::format("\n{} % of the rows are within reach of an answer.\n{}\n",
                  to_text(std::floor(1000.0 * status.certificate.covered) / 10.0), certificate_sentence(status));
  document.text += finish_sentence(status.certificate) + unseen_sentence(status.unseen);
  document.text += carried_text(status);
  document.show(choice_table(status), wide_choices);
  if (!status.next.empty()) document.text += "\n" + next_text(status);
  return document;
}

}  // namespace motet::discover
