// The tables of a project file: rows in chunks, recordings, answers and states.
//
// Every record carries a CRC-32 of its content, because SQLite itself notices damage
// only in how pages fit together. States are packed with zlib. What belongs to one
// version of the project is read and written inside one transaction of the caller.
//
// Answers and lots of rows share one count: number 0 are the rows the project started
// with, and whatever is added next, an answer or more rows, gets the next number. The
// state of number i is what all that holds up to i leads to.
//
// Version 2 has changes of classes among the answers, and a table of reservations. A project
// is of version 1, which older programs read too, until it needs one of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "motet/discover/project/project.h"
#include "motet/discover/project/sqlite.h"

namespace motet::discover {

class ProjectStore {
 public:
  // Writes the whole file under another name and then gives it its own, so that there is a project or
  // none. Throws Error{usage} when there is a file already.
  static void create(const std::string& path, const Features& features, const std::string& origin,
                     const std::string& state);
  static void require_absent(const std::string& path);

  // Throws when it is no project, of a newer version, or damaged.
  ProjectStore(const std::string& path, double wait_seconds, Database::Access access);

  Database& database() { return database_; }
  std::int64_t version_seen();  // changes when another process or object wrote

  void read_rows(Features& features) const;  // those after features.rows()
  std::vector<ProjectSource> sources() const;
  std::vector<AnswerEntry> answers() const;

  struct State {
    std::int64_t number = 0;
    std::string bytes;
  };
  std::optional<State> last_state(std::int64_t most) const;  // the last with a number of `most` at most

  std::int64_t last_state_number() const;

  void put_rows(std::int64_t number, const Features& features, std::size_t first_row, const std::string& origin);
  void put_answer(const AnswerEntry& entry);  // in place of the one with its number, if there is one
  std::vector<Reservation> reservations() const;
  void put_reservations(const std::vector<Reservation>& reservations);  // in place of all
  void drop_reservation(std::size_t row);
  void put_state(const State& state);
  void drop_states(std::int64_t first, std::int64_t last);

 private:
  bool is_of_version_1() const;
  void need_version_2();

  Database database_;
};

}  // namespace motet::discover
