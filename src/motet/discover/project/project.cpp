#include "motet/discover/project/project.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "motet/base/error.h"
#include "motet/discover/bytes.h"
#include "motet/discover/project/project_store.h"

namespace motet::discover {
namespace {

// States of the last answers are all kept, older ones only now and then: the file grows by the
// answers and not by answers times rows, and undoing is never far from a state.
constexpr std::size_t states_kept = 64;

// Something the state depends on: an answer that holds, or more rows.
struct Event {
  std::int64_t number = 0;
  bool is_rows = false;
  std::size_t index = 0;  // in the answers or the sources
};

std::vector<Event> events_that_hold(const std::vector<ProjectSource>& sources,
                                    const std::vector<AnswerEntry>& answers) {
  std::vector<Event> events;
  for (std::size_t i = 0; i < sources.size(); ++i) events.push_back({sources[i].number, true, i});
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (!answers[i].is_undone) events.push_back({answers[i].number, false, i});
  }
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.number < b.number; });
  return events;
}

Features first_rows(const Features& features, std::size_t rows) {
  Features part;
  part.columns = features.columns;
  part.clock = features.clock;
  const auto end = static_cast<std::ptrdiff_t>(rows);
  const auto numbers = static_cast<std::ptrdiff_t>(rows * features.dimensions());
  part.values.assign(features.values.begin(), features.values.begin() + numbers);
  if (!features.items.empty()) part.items.assign(features.items.begin(), features.items.begin() + end);
  for (std::size_t s = 0; s < features.sequences.size() && features.starts[s + 1] <= rows; ++s) {
    part.sequences.push_back(features.sequences[s]);
    part.starts.push_back(features.starts[s + 1]);
  }
  return part;
}

std::int64_t system_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace

struct Project::Inside {
  Inside(const std::string& path, RunContext run_context, Settings project_settings)
      : store(path, project_settings.wait_seconds,
              project_settings.use == Use::reading ? Database::Access::reading : Database::Access::writing),
        run(std::move(run_context)),
        settings(std::move(project_settings)) {}

  // What a project holds at one version of its file.
  struct Content {
    Features features;
    std::vector<ProjectSource> sources;
    std::vector<AnswerEntry> answers;
    std::vector<Event> events;
    Discovery discovery;
  };

  ProjectStore store;
  RunContext run;
  Settings settings;
  Content content;
  std::optional<std::int64_t> version;  // of the file that `content` is of

  std::int64_t last_number() const {
    return std::max(content.sources.back().number, content.answers.empty() ? 0 : content.answers.back().number);
  }

  // Takes in what others wrote; inside a transaction.
  void refresh() {
    const std::int64_t now = store.version_seen();
    if (version == now) return;
    version.reset();
    store.read_rows(content.features);
    content.sources = store.sources();
    content.answers = store.answers();
    check_numbers();
    content.events = events_that_hold(content.sources, content.answers);
    content.discovery = state_after(content.events);
    version = now;
  }

  void check_numbers() {
    std::size_t rows = 0;
    for (const ProjectSource& source : content.sources) rows += source.first_row == rows ? source.rows : 0;
    if (content.sources.empty() || content.sources[0].number != 0 || rows != content.features.rows()) {
      store.database().fail_damaged("rows are missing");
    }
    // Nothing is ever removed from the count.
    const std::size_t count = content.sources.size() + content.answers.size();
    const bool is_whole =
        static_cast<std::size_t>(last_number()) + 1 == count && store.last_state_number() <= last_number();
    if (!is_whole) store.database().fail_damaged("an answer is missing");
    for (const AnswerEntry& entry : content.answers) {
      if (entry.answer.row >= rows) store.database().fail_damaged("an answer is of a row that is not there");
    }
  }

  // The state that events lead to, from the last one stored.
  Discovery state_after(const std::vector<Event>& events) {
    const std::optional<ProjectStore::State> stored = store.last_state(events.back().number);
    const auto found = std::find_if(events.begin(), events.end(),
                                    [&](const Event& event) { return stored && event.number == stored->number; });
    if (found == events.end()) store.database().fail_damaged("a state is missing");
    Discovery discovery = with_frame(store.database().path(),
                                     [&] { return discovery_from_bytes(stored->bytes, content.features.rows()); });
    run.seed = Seed{discovery.seed};
    replay(discovery, {found + 1, events.end()});
    return discovery;
  }

  void replay(Discovery& discovery, std::span<const Event> events) const {
    std::optional<Features> part;  // of the rows that were there then
    for (const Event& event : events) {
      const ProjectSource* source = event.is_rows ? &content.sources[event.index] : nullptr;
      const std::size_t rows = source != nullptr ? source->first_row + source->rows : discovery.states.size();
      if (rows != content.features.rows() && (!part || part->rows() != rows)) part = first_rows(content.features, rows);
      const Features& seen = rows == content.features.rows() ? content.features : *part;
      if (source != nullptr) {
        take_rows(seen, discovery, run);
      } else if (const AnswerEntry& entry = content.answers[event.index]; entry.change) {
        take_class_change(discovery, *entry.change);
      } else {
        take_answer(seen, discovery, entry.answer, run);
      }
    }
  }

  // The densities, by far its largest part, are handed on rather than copied: they only save time.
  Discovery copy_of_discovery() {
    std::vector<double> densities = std::exchange(content.discovery.densities, {});
    Discovery copy = content.discovery;
    copy.densities = std::move(densities);
    return copy;
  }

  std::int64_t now() const { return settings.now ? settings.now() : system_now(); }

  // Adds an event and its state, and thins out states of long ago.
  void put_state(const std::vector<Event>& events, const Discovery& discovery) {
    store.put_state({events.back().number, to_bytes(discovery)});
    if (events.size() <= states_kept) return;
    const std::size_t old = events.size() - 1 - states_kept;
    if (old % states_kept != 0) store.drop_states(events[old].number, events[old].number);
  }
};

Project::Project(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Project::~Project() = default;
Project::Project(Project&&) noexcept = default;

void Project::require_absent(const std::string& path) { ProjectStore::require_absent(path); }

Project Project::create(const std::string& path, const Features& features, const std::string& origin,
                        const DiscoverOptions& options, const RunContext& run, const Settings& settings,
                        Carried carried) {
  ProjectStore::require_absent(path);
  ProjectStore::create(path, features, origin, to_bytes(start_discovery(features, options, run, std::move(carried))));
  return open(path, run, settings);
}

Project Project::open(const std::string& path, const RunContext& run, const Settings& settings) {
  Project project(std::make_unique<Inside>(path, run, settings));
  project.discovery();
  return project;
}

const Discovery& Project::discovery() {
  Transaction transaction(inside_->store.database(), Transaction::Kind::reading);
  inside_->refresh();
  return inside_->content.discovery;
}

const Features& Project::features() const { return inside_->content.features; }
const std::vector<ProjectSource>& Project::sources() const { return inside_->content.sources; }
const std::vector<AnswerEntry>& Project::history() const { return inside_->content.answers; }

std::vector<Recording> Project::recordings() const {
  const Features& features = inside_->content.features;
  std::vector<Recording> recordings;
  for (std::size_t s = 0; s < features.sequences.size(); ++s) {
    const std::size_t rows = features.starts[s + 1] - features.starts[s];
    const bool has_end = features.clock.has_time() && rows > 0;
    recordings.push_back(
        {features.sequences[s], features.starts[s], rows, has_end ? features.clock.end(rows - 1) : 0.0});
  }
  return recordings;
}

std::int64_t Project::answer(const Answer& answer, const std::string& by) {
  return this->answer(std::vector<Answer>{answer}, by).front();
}

std::vector<std::int64_t> Project::answer(const std::vector<Answer>& answers, const std::string& by) {
  Transaction transaction(inside_->store.database(), Transaction::Kind::writing);
  inside_->refresh();
  Inside::Content& content = inside_->content;
  Discovery discovery = inside_->copy_of_discovery();
  std::vector<AnswerEntry> entries;
  std::vector<Event> events = content.events;
  std::vector<std::int64_t> numbers;
  for (const Answer& given : answers) {
    check_class_name(given.class_name);
    take_answer(content.features, discovery, given, inside_->run);
    const std::int64_t number = inside_->last_number() + 1 + static_cast<std::int64_t>(entries.size());
    events.push_back({number, false, content.answers.size() + entries.size()});
    entries.push_back({number, given, by, inside_->now(), false});
    numbers.push_back(number);
    inside_->store.put_answer(entries.back());
    inside_->store.drop_reservation(given.row);
    inside_->put_state(events, discovery);
  }
  transaction.commit();
  content.answers.insert(content.answers.end(), entries.begin(), entries.end());
  content.events = std::move(events);
  content.discovery = std::move(discovery);
  return numbers;
}

std::int64_t Project::change_class(const ClassChange& change, const std::string& by) {
  check_class_name(change.into);
  Transaction transaction(inside_->store.database(), Transaction::Kind::writing);
  inside_->refresh();
  Inside::Content& content = inside_->content;
  Discovery discovery = content.discovery;
  take_class_change(discovery, change);
  const std::int64_t number = inside_->last_number() + 1;
  std::vector<Event> events = content.events;
  events.push_back({number, false, content.answers.size()});
  AnswerEntry entry;
  entry.number = number;
  entry.by = by;
  entry.time = inside_->now();
  entry.change = change;
  inside_->store.put_answer(entry);
  inside_->put_state(events, discovery);
  transaction.commit();
  content.answers.push_back(entry);
  content.events = std::move(events);
  content.discovery = std::move(discovery);
  return number;
}

std::vector<OwnQuestion> Project::reserve(const std::string& by, std::size_t count, std::int64_t hold) {
  Transaction transaction(inside_->store.database(), Transaction::Kind::writing);
  inside_->refresh();
  const std::int64_t now = inside_->now();
  std::vector<Reservation> held = inside_->store.reservations();
  std::erase_if(held, [&](const Reservation& one) { return one.until <= now; });
  std::vector<OwnQuestion> questions = choose_own_questions(inside_->content.features, inside_->content.discovery, held,
                                                            by, count, inside_->run.threads);
  std::erase_if(held, [&](const Reservation& one) { return one.by == by; });
  for (const OwnQuestion& question : questions) {
    if (question.also_of.empty()) held.push_back({question.nomination.row, by, now + hold});
  }
  inside_->store.put_reservations(held);
  transaction.commit();
  return questions;
}

bool Project::has_reservations() {
  Transaction transaction(inside_->store.database(), Transaction::Kind::reading);
  return !inside_->store.reservations().empty();
}

AnswerEntry Project::undo() { return undo(1).front(); }

std::vector<AnswerEntry> Project::undo(std::size_t steps) {
  Transaction transaction(inside_->store.database(), Transaction::Kind::writing);
  inside_->refresh();
  const auto held =
      static_cast<std::size_t>(std::count_if(inside_->content.answers.begin(), inside_->content.answers.end(),
                                             [](const AnswerEntry& entry) { return !entry.is_undone; }));
  if (held == 0) {
    fail(ErrorKind::usage, fmt::format("{}: there is no answer to undo", inside_->store.database().path()));
  }
  const bool has_changes = std::any_of(inside_->content.answers.begin(), inside_->content.answers.end(),
                                       [](const AnswerEntry& entry) { return !entry.is_undone && entry.change; });
  const char* const what = has_changes ? "answers and change" : "answer";
  if (steps > held) {
    fail(ErrorKind::usage,
         fmt::format("{}: --steps {} is more than the {} {}{} that hold{}", inside_->store.database().path(), steps,
                     held, what, held == 1 ? "" : "s", held == 1 ? "s" : ""));
  }
  Inside::Content& content = inside_->content;
  std::vector<AnswerEntry> answers = content.answers;
  std::vector<AnswerEntry> undone;
  for (std::size_t i = answers.size(); undone.size() < steps; --i) {
    AnswerEntry& entry = answers[i - 1];
    if (entry.is_undone) continue;
    entry.is_undone = true;
    inside_->store.put_answer(entry);
    undone.push_back(entry);
  }
  inside_->store.drop_states(undone.back().number, std::numeric_limits<std::int64_t>::max());
  std::vector<Event> events = events_that_hold(content.sources, answers);
  Discovery discovery = inside_->state_after(events);
  inside_->put_state(events, discovery);
  transaction.commit();
  content.answers = std::move(answers);
  content.events = std::move(events);
  content.discovery = std::move(discovery);
  return undone;
}

void Project::add_rows(const Features& more, const std::string& origin) {
  Transaction transaction(inside_->store.database(), Transaction::Kind::writing);
  inside_->refresh();
  Inside::Content& content = inside_->content;
  for (const std::string& name : more.sequences) {
    if (std::find(content.features.sequences.begin(), content.features.sequences.end(), name) !=
        content.features.sequences.end()) {
      fail(ErrorKind::usage, fmt::format("{}: '{}' is in the project already", inside_->store.database().path(), name));
    }
  }
  Features features = content.features;
  append(features, more);
  Discovery discovery = content.discovery;
  take_rows(features, discovery, inside_->run);
  const std::int64_t number = inside_->last_number() + 1;
  std::vector<Event> events = content.events;
  events.push_back({number, true, content.sources.size()});
  inside_->store.put_rows(number, features, content.features.rows(), origin);
  inside_->put_state(events, discovery);
  transaction.commit();
  content.sources.push_back({number, content.features.rows(), more.rows(), origin});
  content.features = std::move(features);
  content.events = std::move(events);
  content.discovery = std::move(discovery);
}

}  // namespace motet::discover
