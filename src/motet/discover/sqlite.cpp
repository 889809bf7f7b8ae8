#include "motet/discover/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <cerrno>
#include <new>
#include <system_error>
#include <utility>

#include "motet/base/error.h"

namespace motet {
namespace {

std::string words_of(int error_number) { return std::generic_category().message(error_number); }

}  // namespace

Statement::Statement(Statement&& other) noexcept
    : database_(other.database_), statement_(std::exchange(other.statement_, nullptr)) {}

Statement::~Statement() { sqlite3_finalize(statement_); }

void Statement::check(int code) const {
  if (code != SQLITE_OK) database_->fail_with(code);
}

Statement& Statement::bind(int parameter, std::int64_t value) {
  check(sqlite3_bind_int64(statement_, parameter, value));
  return *this;
}

Statement& Statement::bind(int parameter, double value) {
  check(sqlite3_bind_double(statement_, parameter, value));
  return *this;
}

Statement& Statement::bind_text(int parameter, std::string_view value) {
  const char* const text = value.data() == nullptr ? "" : value.data();  // a null pointer would be NULL
  check(sqlite3_bind_text64(statement_, parameter, text, value.size(), SQLITE_STATIC, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind_blob(int parameter, std::string_view value) {
  const char* const bytes = value.data() == nullptr ? "" : value.data();
  check(sqlite3_bind_blob64(statement_, parameter, bytes, value.size(), SQLITE_STATIC));
  return *this;
}

bool Statement::step() {
  errno = 0;  // fail_with looks at it
  const int code = sqlite3_step(statement_);
  if (code != SQLITE_ROW && code != SQLITE_DONE) database_->fail_with(code);
  return code == SQLITE_ROW;
}

void Statement::run() {
  while (step()) {
  }
  sqlite3_reset(statement_);
}

std::int64_t Statement::whole(int column) const { return sqlite3_column_int64(statement_, column); }

double Statement::real(int column) const { return sqlite3_column_double(statement_, column); }

std::string_view Statement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  return {text == nullptr ? "" : text, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

std::string_view Statement::blob(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
  return {bytes == nullptr ? "" : bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

Database::Database(std::string path, double wait_seconds) : path_(std::move(path)), wait_seconds_(wait_seconds) {
  struct stat status {};
  if (::stat(path_.c_str(), &status) != 0) {
    fail(ErrorKind::bad_data, fmt::format("{}: cannot be opened: {}", path_, words_of(errno)));
  }
  if (!S_ISREG(status.st_mode)) fail(ErrorKind::bad_data, fmt::format("{}: not a motet project", path_));
  // "./" keeps SQLite from reading names such as ":memory:" or "file:..." as its own.
  const std::string name = path_.starts_with('/') ? path_ : "./" + path_;
  const int code = sqlite3_open_v2(name.c_str(), &handle_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  try {
    if (code != SQLITE_OK) fail_with(code);
    sqlite3_extended_result_codes(handle_, 1);
    sqlite3_busy_timeout(handle_, static_cast<int>(wait_seconds_ * 1000.0));
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  } catch (...) {
    sqlite3_close_v2(handle_);
    throw;
  }
}

Database::~Database() { sqlite3_close_v2(handle_); }

Statement Database::prepare(std::string_view sql) const {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(handle_, sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  if (code != SQLITE_OK) fail_with(code);
  return {*this, statement};
}

void Database::run(std::string_view sql) const { prepare(sql).run(); }

std::int64_t Database::whole(std::string_view sql) const {
  Statement statement = prepare(sql);
  return statement.step() ? statement.whole(0) : 0;
}

bool Database::is_read_only() const { return sqlite3_db_readonly(handle_, "main") == 1; }

void Database::roll_back() noexcept {
  if (sqlite3_get_autocommit(handle_) == 0) sqlite3_exec(handle_, "ROLLBACK", nullptr, nullptr, nullptr);
}

void Database::fail_with(int code) const {
  // SQLite keeps the system's number of most failures, but not of a failed COMMIT.
  const int last = errno;
  const int kept = handle_ == nullptr ? 0 : sqlite3_system_errno(handle_);
  const int system = kept != 0 ? kept : last;
  const auto cannot_be_written = [&](const std::string& why) {
    return fmt::format("{}: cannot be written: {}; all that was acknowledged before is safe", path_, why);
  };
  switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      fail(ErrorKind::machine_limit, fmt::format("{}: is in use by another process that did not finish within {} s; "
                                                 "try again when it has",
                                                 path_, to_text(wait_seconds_)));
    case SQLITE_FULL: fail(ErrorKind::machine_limit, cannot_be_written(words_of(ENOSPC)));
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
      fail(ErrorKind::machine_limit,
           fmt::format("{}: cannot be written; a project and its folder must be writable", path_));
    case SQLITE_IOERR:
      if (code == SQLITE_IOERR_NOMEM) throw std::bad_alloc();
      if (code == SQLITE_IOERR_SHORT_READ || code == SQLITE_IOERR_CORRUPTFS) fail_damaged("it ends too early");
      if (code == SQLITE_IOERR_READ) {
        fail(ErrorKind::machine_limit, fmt::format("{}: cannot be read: {}", path_, words_of(system)));
      }
      fail(ErrorKind::machine_limit,
           cannot_be_written(system == 0 ? std::string(sqlite3_errstr(code)) : words_of(system)));
    case SQLITE_CORRUPT: fail_damaged("its pages do not fit together");
    case SQLITE_NOTADB: fail(ErrorKind::bad_data, fmt::format("{}: not a motet project", path_));
    case SQLITE_NOMEM: throw std::bad_alloc();
    default: break;
  }
  fail(ErrorKind::internal, fmt::format("{}: {}", path_, handle_ == nullptr ? "" : sqlite3_errmsg(handle_)));
}

void Database::fail_damaged(std::string_view detail) const {
  fail(ErrorKind::bad_data, fmt::format("{}: the project file is damaged: {}; go back to a copy, or save what can be "
                                        "read with `sqlite3 {} .recover`",
                                        path_, detail, path_));
}

Transaction::Transaction(Database& database, Kind kind) : database_(database) {
  database_.run(kind == Kind::writing ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
  if (is_open_) database_.roll_back();
}

void Transaction::commit() {
  database_.run("COMMIT");
  is_open_ = false;
}

}  // namespace motet
