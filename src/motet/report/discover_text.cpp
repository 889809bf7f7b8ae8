#include "motet/report/discover_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/report/text_table.h"

namespace motet {
namespace {

constexpr std::size_t widest_name = 60;

std::int64_t whole(std::size_t value) { return static_cast<std::int64_t>(value); }

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// Times of frames are multiples of the hop: more digits would be noise of the arithmetic.
std::string seconds_text(double seconds) { return fmt::format("{} s", to_text(std::round(seconds * 1e6) / 1e6)); }

std::string length_text(const DiscoverStatus& status, std::size_t rows) {
  if (status.hop == 0.0) return counted(rows, "row");
  return seconds_text(static_cast<double>(rows) * status.hop);
}

// "that lasts 3.7 s or longer", "of 37 rows or more in a row".
std::string reach_text(const DiscoverStatus& status, std::size_t rows) {
  if (status.hop == 0.0) return fmt::format("of {} rows or more in a row", rows);
  return fmt::format("that lasts {} or longer", length_text(status, rows));
}

Value item_json(const ToldItem& item) {
  Value value = Value::object({{"item", item.item}, {"row", item.row + 1}});
  if (!item.recording.empty()) value.set("recording", item.recording);
  if (item.has_time) {
    value.set("begin", item.begin);
    value.set("end", item.end);
  }
  value.set("why", item.why);
  if (item.component >= 0) {
    value.set("component", std::int64_t{item.component} + 1);
    value.set("log_density", item.log_density);
  }
  return value;
}

}  // namespace

std::string place_of(const ToldItem& item) {
  const std::string recording = shortened(item.recording, widest_name);
  if (item.has_time) {
    return fmt::format("{} to {}{}{}", seconds_text(item.begin), seconds_text(item.end),
                       recording.empty() ? "" : " of ", recording);
  }
  return fmt::format("row {}{}{}", item.row_of_recording + 1, recording.empty() ? "" : " of ", recording);
}

Table next_table(const DiscoverStatus& status) {
  Table table{{{"item"}, {"where"}, {"why"}}, {}};
  for (const ToldItem& item : status.next) table.rows.push_back({item.item, place_of(item), item.why});
  return table;
}

std::string certificate_sentence(const DiscoverStatus& status) {
  const Certificate& sure = status.certificate;
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
                            counted(status.certificate.most_left, sure.answered > 0 ? "more question" : "question"),
                            reach_text(status, reach));
}

std::string next_text(const DiscoverStatus& status) {
  if (status.next.empty()) return "Nothing is left to ask. " + certificate_sentence(status) + "\n";
  return to_text(next_table(status), {40, 80});
}

Value next_json(const DiscoverStatus& status) {
  Value::List items;
  for (const ToldItem& item : status.next) items.push_back(item_json(item));
  return Value::object({{"items", std::move(items)},
                        {"questions_left", status.certificate.most_left},
                        {"complete", status.certificate.complete}});
}

Table choices_table(const DiscoverStatus& status) {
  Table table{{{"choice"}, {"value"}, {"why"}}, {}};
  for (const Choice& choice : status.choices) table.rows.push_back({choice.name, choice.value, choice.reason});
  return table;
}

Table classes_table(const DiscoverStatus& status) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  Table table{{{"class"}, {"answers"}, {"first", 0}}, {}};
  for (const DiscoverStatus::OfClass& one : status.classes) {
    table.rows.push_back({one.name, whole(one.answers), one.first > 0 ? static_cast<double>(one.first) : none});
  }
  if (status.unsure > 0) table.rows.push_back({"(not sure)", whole(status.unsure), none});
  return table;
}

Table labelers_table(const DiscoverStatus& status) {
  Table table{{{"by"}, {"answers"}, {"undone"}}, {}};
  for (const DiscoverStatus::Labeler& one : status.labelers) {
    table.rows.push_back({one.name.empty() ? "(no name)" : one.name, whole(one.answers), whole(one.undone)});
  }
  return table;
}

namespace {

std::string data_line(const DiscoverStatus& status) {
  std::string text = fmt::format("{} of {}", counted(status.rows, "row"), counted(status.dimensions, "feature"));
  if (status.recordings.size() > 1) text += fmt::format(" in {} recordings", status.recordings.size());
  double seconds = 0.0;
  for (const Recording& recording : status.recordings) seconds += recording.seconds;
  if (status.hop > 0.0) text += fmt::format(", {}", seconds_text(seconds));
  return text;
}

}  // namespace

std::string start_text(const DiscoverStatus& status) {
  return fmt::format("{}{}: {}; strategy {}\n\n{}\n{}\n\n{}", warning_lines(status.warnings), status.project,
                     data_line(status), status.strategy, to_text(choices_table(status), {40, 120}),
                     certificate_sentence(status), next_text(status));
}

std::string status_text(const DiscoverStatus& status) {
  std::string text = fmt::format("{}{}: {}; strategy {}\n\n", warning_lines(status.warnings), status.project,
                                 data_line(status), status.strategy);
  text += to_text(classes_table(status)) + "\n";
  if (!status.labelers.empty()) text += to_text(labelers_table(status)) + "\n";
  text += fmt::format("{} % of the rows are within reach of an answer.\n{}\n\n",
                      to_text(std::floor(1000.0 * status.certificate.covered) / 10.0), certificate_sentence(status));
  text += to_text(choices_table(status), {40, 120});
  if (!status.next.empty()) text += "\n" + next_text(status);
  return text;
}

Value status_json(const DiscoverStatus& status) {
  Value::List recordings;
  for (const Recording& one : status.recordings) {
    Value value = Value::object({{"name", one.name}, {"first_row", one.first_row + 1}, {"rows", one.rows}});
    if (one.seconds > 0.0) value.set("seconds", one.seconds);
    recordings.push_back(std::move(value));
  }
  Value::List classes;
  for (const DiscoverStatus::OfClass& one : status.classes) {
    Value value = Value::object({{"class", one.name}, {"answers", one.answers}});
    if (one.first > 0) value.set("first_answer", one.first);
    classes.push_back(std::move(value));
  }
  Value::List labelers;
  for (const DiscoverStatus::Labeler& one : status.labelers) {
    labelers.push_back(Value::object({{"name", one.name}, {"answers", one.answers}, {"undone", one.undone}}));
  }
  Value::List choices;
  for (const Choice& one : status.choices) {
    choices.push_back(Value::object({{"name", one.name}, {"value", one.value}, {"reason", one.reason}}));
  }
  const Certificate& sure = status.certificate;
  Value certificate = Value::object({{"exclusion", sure.exclusion},
                                     {"most_requests", sure.most_requests},
                                     {"questions_left", status.certificate.most_left},
                                     {"answered", sure.answered},
                                     {"unsure", sure.unsure},
                                     {"covered", sure.covered},
                                     {"longest_gap", sure.longest_gap},
                                     {"complete", sure.complete},
                                     {"words", certificate_sentence(status)}});
  const Value next = next_json(status);
  return Value::object({{"project", status.project},
                        {"strategy", status.strategy},
                        {"rows", status.rows},
                        {"dimensions", status.dimensions},
                        {"recordings", std::move(recordings)},
                        {"classes", std::move(classes)},
                        {"labelers", std::move(labelers)},
                        {"undone", status.undone},
                        {"certificate", std::move(certificate)},
                        {"choices", std::move(choices)},
                        {"next", next.at("items")},
                        {"warnings", Value::list_of(status.warnings)}});
}

Table simulate_table(const DiscoveryComparison& comparison) {
  Table table{{{"class"}, {"found in"}, {"mean request", 1}, {"first", 0}, {"last", 0}}, {}};
  for (std::size_t c = 0; c < comparison.classes.size(); ++c) {
    std::vector<double> requests;
    for (const DiscoveryRun& run : comparison.runs) {
      for (const DiscoveryRun::Found& found : run.discoveries) {
        if (found.of_class == c) requests.push_back(static_cast<double>(found.request));
      }
    }
    double sum = 0.0;
    for (const double request : requests) sum += request;
    const double none = std::numeric_limits<double>::quiet_NaN();
    table.rows.push_back({comparison.classes[c], fmt::format("{} of {}", requests.size(), comparison.runs.size()),
                          requests.empty() ? none : sum / static_cast<double>(requests.size()),
                          requests.empty() ? none : *std::min_element(requests.begin(), requests.end()),
                          requests.empty() ? none : *std::max_element(requests.begin(), requests.end())});
  }
  return table;
}

std::string simulate_text(const DiscoveryComparison& comparison, const std::vector<std::string>& warnings) {
  std::string text = warning_lines(warnings);
  text += fmt::format(
      "strategy {}: {:.1f}{} questions until all {} were found, mean{} of {}\n", name_of(comparison.strategy),
      comparison.requests_mean, comparison.runs.size() > 1 ? fmt::format(" ({:.1f})", comparison.requests_sd) : "",
      fmt::format("{} class{}", comparison.classes.size(), comparison.classes.size() == 1 ? "" : "es"),
      comparison.runs.size() > 1 ? " and standard deviation" : "", counted(comparison.runs.size(), "run"));
  if (comparison.capped > 0) {
    text += fmt::format("{} of {} ended before all classes were found and count with their last question\n",
                        comparison.capped, counted(comparison.runs.size(), "run"));
  }
  if (comparison.most_requests > 0) {
    text += fmt::format("the guarantee: {} at most, for classes that last long enough\n",
                        counted(comparison.most_requests, "question"));
  }
  return text + "\n" + to_text(simulate_table(comparison));
}

Value simulate_json(const DiscoveryComparison& comparison, const std::vector<std::string>& warnings) {
  Value::List runs;
  for (const DiscoveryRun& run : comparison.runs) {
    Value::List discoveries;
    for (const DiscoveryRun::Found& found : run.discoveries) {
      discoveries.push_back(Value::object({{"class", comparison.classes[found.of_class]}, {"request", found.request}}));
    }
    runs.push_back(Value::object(
        {{"requests", run.requests}, {"discoveries", std::move(discoveries)}, {"found_all", run.found_all}}));
  }
  return Value::object({{"strategy", name_of(comparison.strategy)},
                        {"classes", Value::list_of(comparison.classes)},
                        {"requests_mean", comparison.requests_mean},
                        {"requests_sd", comparison.requests_sd},
                        {"runs", std::move(runs)},
                        {"capped", comparison.capped},
                        {"most_requests", comparison.most_requests},
                        {"curve", Value::list_of(comparison.curve)},
                        {"warnings", Value::list_of(warnings)}});
}

}  // namespace motet
