#include "motet/discover/project/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <cerrno>
#include <new>
#include <system_error>
#include <utility>

#include "motet/base/error.h"

namespace motet::discover {
namespace {

std::string words_of(int error_number) { return std::generic_category().message(error_number); }

// A path as it stands in an address, where some characters have a meaning.
std::string in_address(std::string_view path) {
  std::string text;
  for (const char c : path) {
    const bool is_plain = c != '%' && c != '?' && c != '#' && static_cast<unsigned char>(c) >= ' ';
    text += is_plain ? std::string(1, c) : fmt::format("%{:02x}", static_cast<unsigned char>(c));
  }
  return text;
}

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

Database::Database(std::string path, double wait_seconds, Access access)
    : path_(std::move(path)), wait_seconds_(wait_seconds), is_for_reading_(access != Access::writing) {
  struct stat status {};
  if (::stat(path_.c_str(), &status) != 0) {
    fail(ErrorKind::bad_data, fmt::format("{}: cannot be opened: {}", path_, words_of(errno)));
  }
  if (!S_ISREG(status.st_mode)) fail(ErrorKind::bad_data, fmt::format("{}: not a motet project", path_));
  try {
    open(access);
  } catch (...) {
    sqlite3_close_v2(handle_);
    throw;
  }
}

void Database::open(Access access) {
  int code = open_handle(access);
  // Whether there is room for the files beside it shows only when a page is read.
  if (code == SQLITE_OK && access == Access::reading) {
    code = sqlite3_exec(handle_, "SELECT count(*) FROM sqlite_schema", nullptr, nullptr, nullptr);
  }
  const bool cannot_write = (code & 0xFF) == SQLITE_CANTOPEN || (code & 0xFF) == SQLITE_READONLY;
  if (access == Access::reading && cannot_write) {
    sqlite3_close_v2(std::exchange(handle_, nullptr));
    errno = 0;
    code = open_handle(Access::reading_alone);
  } else if (access == Access::reading) {
    code = SQLITE_OK;  // whatever else is wrong is told by what is asked of it
  }
  if (code != SQLITE_OK) fail_with(code);
}

// SQLite writes an index of the log beside it, even to read, unless it has the file for itself; where no log is
// left, the file may be taken to stay as it is.
int Database::open_handle(Access access) {
  const bool is_alone = access == Access::reading_alone;
  const bool has_log = ::access((path_ + "-wal").c_str(), F_OK) == 0;
  // "./" keeps SQLite from reading names such as ":memory:" or "file:..." as its own.
  const std::string plain = path_.starts_with('/') ? path_ : "./" + path_;
  const std::string name = is_alone && !has_log ? "file:" + in_address(plain) + "?immutable=1" : plain;
  const int flags = SQLITE_OPEN_NOMUTEX | (is_alone ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) |
                    (is_alone && !has_log ? SQLITE_OPEN_URI : 0);
  const int code = sqlite3_open_v2(name.c_str(), &handle_, flags, is_alone && has_log ? "unix-none" : nullptr);
  if (code != SQLITE_OK) return code;
  sqlite3_extended_result_codes(handle_, 1);
  sqlite3_busy_timeout(handle_, static_cast<int>(wait_seconds_ * 1000.0));
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  if (!is_alone) return SQLITE_OK;
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  return sqlite3_exec(handle_, "PRAGMA locking_mode=EXCLUSIVE", nullptr, nullptr, nullptr);
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
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
      if (is_for_reading_) {
        const std::string why = system == 0 ? "" : ": " + words_of(system);
        fail(ErrorKind::machine_limit, fmt::format("{}: cannot be read{}", path_, why));
      }
      [[fallthrough]];
    case SQLITE_READONLY:
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
    case SQLITE_INTERNAL:
    case SQLITE_MISUSE:
    case SQLITE_RANGE:
      fail(ErrorKind::internal, fmt::format("{}: {}", path_, handle_ == nullptr ? "" : sqlite3_errmsg(handle_)));
    default: break;
  }
  // What is asked of a file never differs: where SQLite cannot make sense of it, the file is to blame.
  fail_damaged(handle_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(handle_));
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

}  // namespace motet::discover
