#include "motet/app/discover/told.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "motet/app/discover/moments.h"
#include "motet/base/error.h"
#include "motet/data/names.h"
#include "motet/discover/certificate.h"

namespace motet::discover {
namespace {

[[noreturn]] void fail_item(const Features& features, const std::string& item) {
  const std::string range = features.items.empty()
                                ? fmt::format("items are 1 to {}", features.rows())
                                : fmt::format("items are named as in the data, or #1 to #{}", features.rows());
  fail(ErrorKind::usage, fmt::format("item '{}' is not there; {}{}", item, range,
                                     features.clock.has_time() ? ", or RECORDING@SECONDS" : ""));
}

std::string why_asked(Asker asker) {
  switch (asker) {
    case Asker::distance: return "unlike the rest and unlike all that was answered";
    case Asker::farthest: return "farthest from all that was answered";
    case Asker::isolation: return "soon alone when rows are parted at random";
    case Asker::energy: return "far from the mean of all rows";
    case Asker::density: return "few rows are like it";
  }
  return "";
}

std::string why_of(const Discovery& discovery, const Nomination& nomination) {
  if (nomination.component < 0) {
    if (discovery.options.strategy == Strategy::random) return "chosen at random";
    if (discovery.options.strategy == Strategy::nndm) return "the density of rows changes here";
    if (discovery.options.strategy == Strategy::grid) return "rows evenly apart";
    if (nomination.asker >= 0) return why_asked(static_cast<Asker>(nomination.asker));
    return "nobody has looked near here";
  }
  const auto k = static_cast<std::size_t>(nomination.component);
  const std::int32_t of_class = discovery.mixture.components[k].of_class;
  const std::string name =
      of_class < 0 ? "no class yet" : discovery.mixture.classes[static_cast<std::size_t>(of_class)];
  return fmt::format("least like the rest of component {} ({})", k + 1, name);
}

}  // namespace

std::size_t recording_of(const Features& features, const std::string& name) {
  const std::vector<std::string>& names = features.sequences;
  if (name.empty() && names.size() == 1) return 0;
  std::vector<std::size_t> found;
  for (std::size_t s = 0; s < names.size(); ++s) {
    if (names[s] == name) return s;
    if (!name.empty() && (names[s].ends_with("/" + name) || name.ends_with("/" + names[s]))) found.push_back(s);
  }
  if (found.size() == 1) return found[0];
  if (found.size() > 1) {
    fail(ErrorKind::usage, fmt::format("recording '{}' may be '{}' or '{}'; say more of its path", name,
                                       names[found[0]], names[found[1]]));
  }
  fail(ErrorKind::usage, fmt::format("recording '{}' is not in the project; it has {}", name, quoted_list(names, 5)));
}

std::size_t row_of(const Features& features, const std::string& item) {
  if (!features.items.empty()) {
    const auto found = std::find(features.items.begin(), features.items.end(), item);
    if (found != features.items.end()) {
      const auto again = std::find(found + 1, features.items.end(), item);
      const auto first = static_cast<std::size_t>(found - features.items.begin());
      if (again == features.items.end()) return first;
      fail(ErrorKind::usage, fmt::format("item '{}' is there more than once; say #{} or #{}, the number of its row",
                                         item, first + 1, again - features.items.begin() + 1));
    }
  }
  const bool is_row = item.starts_with('#');
  if (is_row || features.items.empty()) {
    const Result<std::size_t> row = parse_size(is_row ? item.substr(1) : item);
    if (row && row.value() >= 1 && row.value() <= features.rows()) return row.value() - 1;
  }
  const std::size_t at = item.rfind('@');
  if (at == std::string::npos) fail_item(features, item);
  const std::optional<std::size_t> row = row_at_time(features, item, at);
  if (!row) fail_item(features, item);
  return *row;
}

ToldItem told_item(const Features& features, std::size_t row) {
  ToldItem told;
  told.row = row;
  told.item = item_name(features, row);
  const std::size_t s = sequence_of(features, row);
  told.recording = features.sequences[s];
  told.row_of_recording = row - features.starts[s];
  told.has_time = features.clock.has_time();
  if (told.has_time) {
    told.begin = features.clock.begin(told.row_of_recording);
    told.end = features.clock.end(told.row_of_recording);
    told.begin_clock = clock_in(told.recording, told.begin);
  }
  return told;
}

ToldItem told_question(const Features& features, const Discovery& discovery, const Nomination& nomination) {
  ToldItem item = told_item(features, nomination.row);
  item.why = why_of(discovery, nomination);
  item.component = nomination.component;
  item.log_density = nomination.log_density;
  return item;
}

DiscoverStatus status_of(const std::string& path, Project& project, std::size_t most_next) {
  const Discovery& discovery = project.discovery();
  const Features& features = project.features();
  DiscoverStatus status;
  status.project = path;
  status.strategy = name_of(discovery.options.strategy);
  status.rows = features.rows();
  status.dimensions = features.dimensions();
  status.hop = features.clock.hop;
  status.recordings = project.recordings();
  status.choices = discovery.choices;
  status.certificate = certificate(features, discovery);
  status.unseen = unseen_classes(discovery);
  status.answers = count_answers(project.history(), discovery.mixture.classes);
  for (std::size_t i = 0; i < std::min(most_next, discovery.queue.size()); ++i) {
    status.next.push_back(told_question(features, discovery, discovery.queue[i]));
  }
  return status;
}

}  // namespace motet::discover
