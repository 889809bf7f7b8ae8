// SQLite as the project file needs it: statements that free themselves, and every
// failure an Error with the file's name in words a person can act on.
//
// The file itself is only ever opened by SQLite: POSIX drops all locks of a process on
// a file as soon as any of its descriptors is closed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace motet::discover {

class Database;

// Parameters are numbered from 1, columns from 0. Bound texts and blobs must live until step().
class Statement {
 public:
  Statement(Statement&& other) noexcept;
  ~Statement();

  Statement& bind(int parameter, std::int64_t value);
  Statement& bind(int parameter, double value);
  Statement& bind_text(int parameter, std::string_view value);
  Statement& bind_blob(int parameter, std::string_view value);

  bool step();  // true: there is a row
  void run();   // to the end, and ready to be bound again

  std::int64_t whole(int column) const;
  double real(int column) const;
  std::string_view text(int column) const;  // good until the next step()
  std::string_view blob(int column) const;

 private:
  friend class Database;
  Statement(const Database& database, sqlite3_stmt* statement) : database_(&database), statement_(statement) {}
  void check(int code) const;

  const Database* database_;
  sqlite3_stmt* statement_;
};

class Database {
 public:
  enum class Access {
    writing,
    reading,        // as `reading_alone` where the file and its folder cannot be written
    reading_alone,  // makes no file and takes no lock; what is still in the write-ahead log is read from there
  };

  // The file must be there. Waits up to `wait_seconds` for other processes, here and in every statement.
  Database(std::string path, double wait_seconds, Access access = Access::writing);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  const std::string& path() const { return path_; }
  Statement prepare(std::string_view sql) const;
  void run(std::string_view sql) const;            // one statement without parameters
  std::int64_t whole(std::string_view sql) const;  // the first cell of its first row
  bool is_read_only() const;
  void roll_back() noexcept;  // whatever transaction is open; nothing when there is none

  [[noreturn]] void fail_with(int code) const;  // as SQLite's last complaint asks for
  [[noreturn]] void fail_damaged(std::string_view detail) const;

 private:
  void open(Access access);
  int open_handle(Access access);

  std::string path_;
  double wait_seconds_;
  bool is_for_reading_;
  sqlite3* handle_ = nullptr;
};

// From BEGIN IMMEDIATE, or a reader's BEGIN, to commit(); leaving without it undoes everything.
class Transaction {
 public:
  enum class Kind { reading, writing };
  Transaction(Database& database, Kind kind);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool is_open_ = true;
};

}  // namespace motet::discover
