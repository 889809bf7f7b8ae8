// The project file of a search: recordings, answers and states in SQLite.
//
// Write-ahead log and synchronous=FULL: an answer that was acknowledged is on the disk
// and survives kill -9 and a power cut. An answer and the state it leads to are one
// transaction, computed first and then written with one fsync: whoever is killed in
// between loses an answer that nobody was told of, and the file never holds an answer
// without its state. States of long ago are thinned out and computed again, to the same
// bytes, from the last one stored before them. Undo marks the last answer as undone (it
// stays in the history) and goes back to the state before it.
//
// Several processes may use one project: a writer waits for another (up to
// `wait_seconds`), and takes in what others wrote before it adds to it. Not for several
// threads at once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/features.h"
#include "motet/discover/class_change.h"
#include "motet/discover/discovery.h"
#include "motet/discover/project/reservations.h"

namespace motet::discover {

constexpr int project_version = 2;  // 1 until classes are changed or questions reserved

// An answer, or a change of classes, as it was given, for the history.
struct AnswerEntry {
  std::int64_t number = 0;
  Answer answer;          // nothing of row 0 where there is a change
  std::string by;         // who; may be empty
  std::int64_t time = 0;  // milliseconds since 1970, UTC
  bool is_undone = false;
  std::optional<ClassChange> change = {};  // in place of an answer
};

struct Recording {
  std::string name;  // as given on the command line
  std::size_t first_row = 0;
  std::size_t rows = 0;
  double seconds = 0.0;  // to the end of its last row; 0: rows have no time
};

// Rows that came in together, and where from.
struct ProjectSource {
  std::int64_t number = 0;  // 0: what the project started with; it shares its count with the answers
  std::size_t first_row = 0;
  std::size_t rows = 0;
  std::string origin;  // told by whoever brought the rows; the project only keeps it
};

class Project {
 public:
  enum class Use { writing, reading };  // reading: also where nothing can be written; answers are refused
  struct Settings {
    double wait_seconds = 10.0;
    std::function<std::int64_t()> now = {};  // milliseconds since 1970; tests pass a counter. Empty: the system's clock
    Use use = Use::writing;
  };

  // Throws Error{usage} when there is such a file: to be asked before reading hours of recordings.
  static void require_absent(const std::string& path);
  // A new file; throws Error{usage} when there is one already, before any work.
  static Project create(const std::string& path, const Features& features, const std::string& origin,
                        const DiscoverOptions& options, const RunContext& run, const Settings& settings,
                        Carried carried = {});
  static Project open(const std::string& path, const RunContext& run, const Settings& settings);
  ~Project();
  Project(Project&&) noexcept;

  const Discovery& discovery();  // up to date with the file, and with it all below
  const Features& features() const;
  std::vector<Recording> recordings() const;
  const std::vector<ProjectSource>& sources() const;
  const std::vector<AnswerEntry>& history() const;  // undone ones too, oldest first

  // On the disk when it returns. Returns its number. Whatever is thrown, nothing has changed.
  std::int64_t answer(const Answer& answer, const std::string& by);
  std::vector<std::int64_t> answer(const std::vector<Answer>& answers, const std::string& by);  // all or none
  // A class renamed or merged, as durable as an answer. Returns its number.
  std::int64_t change_class(const ClassChange& change, const std::string& by);
  AnswerEntry undo();                                // the last that holds; throws Error{usage} when there is none
  std::vector<AnswerEntry> undo(std::size_t steps);  // all or none, the last first
  void add_rows(const Features& more, const std::string& origin);

  // Questions for one person, kept from others who ask in this way for `hold` milliseconds or until they are answered:
  // those this person has already, then others, beyond the queue where it does not suffice. Changes nothing in the
  // search.
  std::vector<OwnQuestion> reserve(const std::string& by, std::size_t count, std::int64_t hold);
  bool has_reservations();  // anybody's, also past ones

 private:
  struct Inside;
  explicit Project(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace motet::discover
