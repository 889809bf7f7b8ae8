#include "motet/discover/project/project_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <system_error>

#include "motet/base/available_memory.h"
#include "motet/base/error.h"
#include "motet/discover/project/answer_record.h"

namespace motet::discover {
namespace {

static_assert(std::endian::native == std::endian::little);  // numbers in blobs are as they are in memory

constexpr std::int64_t application_id = 0x4D6F7465;        // "Mote"
constexpr std::int64_t most_rows = std::int64_t{1} << 40;  // so that no sum of them overflows
constexpr std::size_t chunk_bytes = std::size_t{1} << 18;

constexpr std::array<std::string_view, 7> schema = {
    "CREATE TABLE answers(number INTEGER PRIMARY KEY, row INTEGER NOT NULL, kind TEXT NOT NULL, class TEXT NOT NULL, "
    "labeler TEXT NOT NULL, time INTEGER NOT NULL, is_undone INTEGER NOT NULL, checksum INTEGER NOT NULL) STRICT",
    "CREATE TABLE chunks(first_row INTEGER PRIMARY KEY, rows INTEGER NOT NULL, numbers BLOB NOT NULL, checksum INTEGER "
    "NOT NULL) STRICT",
    "CREATE TABLE items(first_row INTEGER PRIMARY KEY, rows INTEGER NOT NULL, names BLOB NOT NULL, checksum INTEGER "
    "NOT NULL) STRICT",
    "CREATE TABLE project(id INTEGER PRIMARY KEY, columns BLOB NOT NULL, hop REAL NOT NULL, window REAL NOT NULL, "
    "checksum INTEGER NOT NULL) STRICT",
    "CREATE TABLE recordings(number INTEGER PRIMARY KEY, name TEXT NOT NULL, first_row INTEGER NOT NULL, rows INTEGER "
    "NOT NULL, checksum INTEGER NOT NULL) STRICT",
    "CREATE TABLE sources(number INTEGER PRIMARY KEY, first_row INTEGER NOT NULL, rows INTEGER NOT NULL, origin TEXT "
    "NOT NULL, checksum INTEGER NOT NULL) STRICT",
    "CREATE TABLE states(number INTEGER PRIMARY KEY, size INTEGER NOT NULL, bytes BLOB NOT NULL, checksum INTEGER NOT "
    "NULL) STRICT",
};

// Sorted by name it comes behind `recordings`.
constexpr std::string_view reservations_table =
    "CREATE TABLE reservations(row INTEGER PRIMARY KEY, labeler TEXT NOT NULL, until INTEGER NOT NULL, checksum "
    "INTEGER "
    "NOT NULL) STRICT";
constexpr std::size_t tables_before_reservations = 5;

// CRC-32 of the fields of a record, one after the other.
class Checksum {
 public:
  Checksum& add(std::string_view bytes) {
    value_ = crc32_z(value_, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    return add(static_cast<std::int64_t>(bytes.size()));
  }
  Checksum& add(std::int64_t whole) {
    value_ = crc32_z(value_, reinterpret_cast<const Bytef*>(&whole), sizeof whole);
    return *this;
  }
  Checksum& add(double real) { return add(std::bit_cast<std::int64_t>(real)); }
  std::int64_t value() const { return static_cast<std::int64_t>(value_); }

 private:
  uLong value_ = crc32_z(0, nullptr, 0);
};

std::int64_t whole(std::size_t value) { return static_cast<std::int64_t>(value); }

// Texts one after the other, each with its length in four bytes before it.
std::string packed_texts(std::span<const std::string> texts) {
  std::string bytes;
  for (const std::string& text : texts) {
    const auto size = static_cast<std::uint32_t>(text.size());
    bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
    bytes += text;
  }
  return bytes;
}

std::vector<std::string> unpacked_texts(std::string_view bytes) {
  std::vector<std::string> texts;
  while (bytes.size() >= sizeof(std::uint32_t)) {
    std::uint32_t size = 0;
    std::memcpy(&size, bytes.data(), sizeof size);
    bytes.remove_prefix(sizeof size);
    texts.emplace_back(bytes.substr(0, size));
    bytes.remove_prefix(std::min<std::size_t>(size, bytes.size()));
  }
  return texts;
}

std::string_view bytes_of(std::span<const double> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

std::int64_t checksum_of(const Reservation& one) {
  return Checksum{}.add(whole(one.row)).add(one.by).add(one.until).value();
}

std::int64_t checksum_of(const AnswerEntry& entry) {
  return Checksum{}
      .add(entry.number)
      .add(whole(entry.answer.row))
      .add(kind_word(entry))
      .add(class_text(entry))
      .add(entry.by)
      .add(entry.time)
      .add(std::int64_t{entry.is_undone})
      .value();
}

void check_sum(const Database& database, const Checksum& found, std::int64_t stored, std::string_view what) {
  if (found.value() != stored) database.fail_damaged(fmt::format("{} do not agree with their checksum", what));
}

void write_rows(const Database& database, std::int64_t number, const Features& features, std::size_t first_row,
                const std::string& origin) {
  const std::size_t rows = features.rows() - first_row;
  database.prepare("INSERT INTO sources VALUES(?, ?, ?, ?, ?)")
      .bind(1, number)
      .bind(2, whole(first_row))
      .bind(3, whole(rows))
      .bind_text(4, origin)
      .bind(5, Checksum{}.add(number).add(whole(first_row)).add(whole(rows)).add(origin).value())
      .run();
  Statement recording = database.prepare("INSERT INTO recordings VALUES(?, ?, ?, ?, ?)");
  for (std::size_t s = 0; s < features.sequences.size(); ++s) {
    const std::size_t begin = features.starts[s];
    const std::size_t size = features.starts[s + 1] - begin;
    if (begin < first_row) continue;
    const std::string& name = features.sequences[s];
    recording.bind(1, whole(s)).bind_text(2, name).bind(3, whole(begin)).bind(4, whole(size));
    recording.bind(5, Checksum{}.add(whole(s)).add(name).add(whole(begin)).add(whole(size)).value()).run();
  }
  Statement chunk = database.prepare("INSERT INTO chunks VALUES(?, ?, ?, ?)");
  Statement names = database.prepare("INSERT INTO items VALUES(?, ?, ?, ?)");
  const std::size_t width = features.dimensions();
  const std::size_t chunk_rows = std::max<std::size_t>(1, chunk_bytes / (std::max<std::size_t>(width, 1) * 8));
  for (std::size_t begin = first_row; begin < features.rows(); begin += chunk_rows) {
    const std::size_t size = std::min(chunk_rows, features.rows() - begin);
    const std::string_view numbers = bytes_of({features.values.data() + begin * width, size * width});
    chunk.bind(1, whole(begin)).bind(2, whole(size)).bind_blob(3, numbers);
    chunk.bind(4, Checksum{}.add(whole(begin)).add(whole(size)).add(numbers).value()).run();
    if (features.items.empty()) continue;
    const std::string texts = packed_texts(std::span(features.items).subspan(begin, size));
    names.bind(1, whole(begin)).bind(2, whole(size)).bind_blob(3, texts);
    names.bind(4, Checksum{}.add(whole(begin)).add(whole(size)).add(texts).value()).run();
  }
}

void write_state(const Database& database, const ProjectStore::State& state) {
  constexpr int fastest = 1;  // an answer waits for it
  uLong size = compressBound(static_cast<uLong>(state.bytes.size()));
  std::string packed(size, '\0');
  const auto* bytes = reinterpret_cast<const Bytef*>(state.bytes.data());
  const auto length = static_cast<uLong>(state.bytes.size());
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size, bytes, length, fastest) != Z_OK) throw std::bad_alloc();
  packed.resize(size);
  database.prepare("INSERT OR REPLACE INTO states VALUES(?, ?, ?, ?)")
      .bind(1, state.number)
      .bind(2, whole(state.bytes.size()))
      .bind_blob(3, packed)
      .bind(4, Checksum{}.add(state.number).add(state.bytes).value())
      .run();
}

// A file that is removed again unless it is kept.
class NewFile {
 public:
  explicit NewFile(const std::string& target) : target_(target) {
    const std::size_t slash = target.rfind('/');
    folder_ = slash == std::string::npos ? "." : slash == 0 ? "/" : target.substr(0, slash);
    int file = -1;
    for (int i = 0; file < 0; ++i) {
      path_ = fmt::format("{}/.motet-{}-{}.tmp", folder_, ::getpid(), i);
      file = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (file < 0 && errno != EEXIST) fail_with(errno);
    }
    ::close(file);
    is_there_ = true;
  }
  ~NewFile() {
    if (is_there_) ::unlink(path_.c_str());
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  const std::string& path() const { return path_; }

  void keep() {
    int code = ::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target_.c_str(), RENAME_NOREPLACE);
    if (code != 0 &&
        (errno == EINVAL || errno == ENOSYS)) {  // a file system that cannot: the check just before must do
      ProjectStore::require_absent(target_);
      code = ::rename(path_.c_str(), target_.c_str());
    }
    if (code != 0 && errno == EEXIST) ProjectStore::require_absent(target_);
    if (code != 0) fail_with(errno);
    is_there_ = false;
    const int folder = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) fail_with(errno);
    const int synced = ::fsync(folder) == 0 ? 0 : errno;
    ::close(folder);
    if (synced != 0 && synced != EINVAL) fail_with(synced);
  }

 private:
  [[noreturn]] void fail_with(int error_number) const {
    fail(ErrorKind::machine_limit,
         fmt::format("{}: cannot be written: {}", target_, std::generic_category().message(error_number)));
  }

  std::string target_;
  std::string folder_;
  std::string path_;
  bool is_there_ = false;
};

void check_kind(Database& database) {
  const std::string& path = database.path();
  if (database.whole("PRAGMA application_id") != application_id) {
    fail(ErrorKind::bad_data, fmt::format("{}: not a motet project", path));
  }
  const std::int64_t version = database.whole("PRAGMA user_version");
  if (version > project_version || version < 1) {
    fail(ErrorKind::bad_data, fmt::format("{}: the project of version {} is newer than this program, which reads 1 to "
                                          "{}; use a newer motet",
                                          path, version, project_version));
  }
}

void check_pages(Database& database) {
  Statement check = database.prepare("PRAGMA quick_check(1)");
  if (!check.step() || check.text(0) != "ok") database.fail_damaged("its pages do not fit together");
  std::vector<std::string_view> tables(schema.begin(), schema.end());
  if (database.whole("PRAGMA user_version") > 1) {
    tables.insert(tables.begin() + tables_before_reservations, reservations_table);
  }
  Statement table = database.prepare("SELECT sql FROM sqlite_schema ORDER BY name");
  for (const std::string_view expected : tables) {
    if (!table.step() || table.text(0) != expected) database.fail_damaged("its tables are not those of a project");
  }
  if (table.step()) database.fail_damaged("its tables are not those of a project");
}

}  // namespace

void ProjectStore::require_absent(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) == 0) {
    fail(ErrorKind::usage, fmt::format("{}: there is such a file already; choose another name, or go on with it by "
                                       "`motet discover next`",
                                       path));
  }
  // Left by a project that was deleted: SQLite would take it for a part of the new one.
  for (const std::string_view ending : {"-wal", "-journal"}) {
    const std::string other = path + std::string(ending);
    if (::lstat(other.c_str(), &status) == 0) {
      fail(ErrorKind::usage,
           fmt::format("{}: belongs to a project of the name {} that is gone; remove it, or choose another name", other,
                       path));
    }
  }
}

void ProjectStore::create(const std::string& path, const Features& features, const std::string& origin,
                          const std::string& state) {
  require_absent(path);
  NewFile file(path);
  try {
    Database database(file.path(), 0.0);
    database.run("PRAGMA journal_mode=OFF");  // nobody sees the file before it is whole
    database.run("PRAGMA synchronous=FULL");
    database.run(fmt::format("PRAGMA application_id={}", application_id));
    database.run("PRAGMA user_version=1");
    Transaction transaction(database, Transaction::Kind::writing);
    for (const std::string_view table : schema) database.run(table);
    const std::string columns = packed_texts(features.columns);
    database.prepare("INSERT INTO project VALUES(1, ?, ?, ?, ?)")
        .bind_blob(1, columns)
        .bind(2, features.clock.hop)
        .bind(3, features.clock.window)
        .bind(4, Checksum{}.add(columns).add(features.clock.hop).add(features.clock.window).value())
        .run();
    write_rows(database, 0, features, 0, origin);
    write_state(database, {0, state});
    transaction.commit();
    database.run("PRAGMA journal_mode=WAL");
  } catch (const Error& error) {  // tell it of the name the person knows
    std::string text = error.what();
    if (text.starts_with(file.path())) text.replace(0, file.path().size(), path);
    throw Error(error.kind(), text.substr(0, text.find("; all that was")));
  }
  file.keep();
}

ProjectStore::ProjectStore(const std::string& path, double wait_seconds, Database::Access access)
    : database_(path, wait_seconds, access) {
  check_kind(database_);
  if (access == Database::Access::writing && database_.is_read_only()) {
    // A version of the file format that SQLite does not write.
    if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0)
      database_.fail_damaged("its header is not that of a project");
    fail(ErrorKind::machine_limit,
         fmt::format("{}: cannot be written; a project and its folder must be writable", path));
  }
  database_.run("PRAGMA synchronous=FULL");
  database_.run("PRAGMA cell_size_check=ON");
  database_.run("PRAGMA wal_autocheckpoint=4000");  // pages: an answer that has to wait for it is rare
  check_pages(database_);
}

std::int64_t ProjectStore::version_seen() { return database_.whole("PRAGMA data_version"); }

void ProjectStore::read_rows(Features& features) const {
  if (features.columns.empty()) {
    Statement project = database_.prepare("SELECT columns, hop, window, checksum FROM project");
    if (!project.step()) database_.fail_damaged("it has no columns");
    const Checksum found = Checksum{}.add(project.blob(0)).add(project.real(1)).add(project.real(2));
    check_sum(database_, found, project.whole(3), "the columns");
    features.columns = unpacked_texts(project.blob(0));
    features.clock = {project.real(1), project.real(2)};
  }
  Statement recording = database_.prepare(
      "SELECT number, name, first_row, rows, checksum FROM recordings WHERE number >= ? ORDER BY number");
  recording.bind(1, whole(features.sequences.size()));
  const std::size_t before = features.rows();
  while (recording.step()) {
    const Checksum found =
        Checksum{}.add(recording.whole(0)).add(recording.text(1)).add(recording.whole(2)).add(recording.whole(3));
    check_sum(database_, found, recording.whole(4), "the recordings");
    if (recording.whole(0) != whole(features.sequences.size()) || recording.whole(2) != whole(features.rows())) {
      database_.fail_damaged("a recording is missing");
    }
    features.sequences.emplace_back(recording.text(1));
    if (recording.whole(3) < 0 || recording.whole(3) > most_rows) database_.fail_damaged("a recording is too long");
    features.starts.push_back(features.rows() + static_cast<std::size_t>(recording.whole(3)));
  }
  const std::int64_t stored = database_.whole("SELECT total(length(numbers)) FROM chunks");
  if (static_cast<double>(features.rows()) * static_cast<double>(features.dimensions()) * 8.0 !=
      static_cast<double>(stored)) {
    database_.fail_damaged("rows are missing");
  }
  require_table_memory(database_.path(), features.rows() - before, features.dimensions());
  features.values.reserve(features.rows() * features.dimensions());
  Statement chunk = database_.prepare(
      "SELECT first_row, rows, numbers, checksum FROM chunks WHERE first_row >= ? ORDER BY first_row");
  chunk.bind(1, whole(before));
  while (chunk.step()) {
    const std::string_view numbers = chunk.blob(2);
    check_sum(database_, Checksum{}.add(chunk.whole(0)).add(chunk.whole(1)).add(numbers), chunk.whole(3), "rows");
    if (numbers.size() % sizeof(double) != 0) database_.fail_damaged("rows are missing");
    const std::size_t old = features.values.size();
    features.values.resize(old + numbers.size() / sizeof(double));
    std::memcpy(features.values.data() + old, numbers.data(), numbers.size());
  }
  if (features.values.size() != features.rows() * features.dimensions()) database_.fail_damaged("rows are missing");
  Statement names =
      database_.prepare("SELECT first_row, rows, names, checksum FROM items WHERE first_row >= ? ORDER BY first_row");
  names.bind(1, whole(before));
  while (names.step()) {
    const std::string_view texts = names.blob(2);
    check_sum(database_, Checksum{}.add(names.whole(0)).add(names.whole(1)).add(texts), names.whole(3), "item names");
    for (std::string& name : unpacked_texts(texts)) features.items.push_back(std::move(name));
  }
  if (!features.items.empty() && features.items.size() != features.rows()) {
    database_.fail_damaged("item names are missing");
  }
}

std::vector<ProjectSource> ProjectStore::sources() const {
  std::vector<ProjectSource> sources;
  Statement row = database_.prepare("SELECT number, first_row, rows, origin, checksum FROM sources ORDER BY number");
  while (row.step()) {
    const Checksum found = Checksum{}.add(row.whole(0)).add(row.whole(1)).add(row.whole(2)).add(row.text(3));
    check_sum(database_, found, row.whole(4), "the sources");
    sources.push_back({row.whole(0), static_cast<std::size_t>(row.whole(1)), static_cast<std::size_t>(row.whole(2)),
                       std::string(row.text(3))});
  }
  return sources;
}

std::vector<AnswerEntry> ProjectStore::answers() const {
  std::vector<AnswerEntry> answers;
  Statement row = database_.prepare(
      "SELECT number, row, kind, class, labeler, time, is_undone, checksum FROM answers ORDER BY number");
  while (row.step()) {
    AnswerEntry& entry = answers.emplace_back();
    entry.number = row.whole(0);
    entry.by = std::string(row.text(4));
    entry.time = row.whole(5);
    entry.is_undone = row.whole(6) != 0;
    const std::string_view problem = read_said(row.text(2), static_cast<std::size_t>(row.whole(1)), row.text(3), entry);
    if (!problem.empty()) database_.fail_damaged(problem);
    if (checksum_of(answers.back()) != row.whole(7)) {
      database_.fail_damaged(fmt::format("answer {} does not agree with its checksum", row.whole(0)));
    }
  }
  return answers;
}

std::optional<ProjectStore::State> ProjectStore::last_state(std::int64_t most) const {
  Statement row = database_.prepare(
      "SELECT number, size, bytes, checksum FROM states WHERE number <= ? ORDER BY number DESC LIMIT 1");
  row.bind(1, most);
  if (!row.step()) return std::nullopt;
  constexpr std::int64_t most_bytes = std::int64_t{1} << 40;
  const std::string_view packed = row.blob(2);
  // zlib never shrinks below a thousandth: a size beyond that is not worth the memory.
  const std::int64_t size = row.whole(1);
  const bool is_possible = size >= 0 && size <= std::min(most_bytes, 2000 * whole(packed.size()) + 2000);
  if (!is_possible) database_.fail_damaged("a state has an impossible size");
  require_memory(database_.path(), "a state", static_cast<double>(size), "use a larger machine");
  State state{row.whole(0), std::string(static_cast<std::size_t>(size), '\0')};
  auto length = static_cast<uLong>(size);
  const int code = uncompress(reinterpret_cast<Bytef*>(state.bytes.data()), &length,
                              reinterpret_cast<const Bytef*>(packed.data()), static_cast<uLong>(packed.size()));
  if (code != Z_OK || whole(length) != size || Checksum{}.add(state.number).add(state.bytes).value() != row.whole(3)) {
    database_.fail_damaged("a state does not agree with its checksum");
  }
  return state;
}

std::int64_t ProjectStore::last_state_number() const { return database_.whole("SELECT max(number) FROM states"); }

void ProjectStore::put_rows(std::int64_t number, const Features& features, std::size_t first_row,
                            const std::string& origin) {
  write_rows(database_, number, features, first_row, origin);
}

void ProjectStore::put_answer(const AnswerEntry& entry) {
  if (entry.change) need_version_2();
  const std::string text = class_text(entry);
  database_.prepare("INSERT OR REPLACE INTO answers VALUES(?, ?, ?, ?, ?, ?, ?, ?)")
      .bind(1, entry.number)
      .bind(2, whole(entry.answer.row))
      .bind_text(3, kind_word(entry))
      .bind_text(4, text)
      .bind_text(5, entry.by)
      .bind(6, entry.time)
      .bind(7, std::int64_t{entry.is_undone})
      .bind(8, checksum_of(entry))
      .run();
}

bool ProjectStore::is_of_version_1() const { return database_.whole("PRAGMA user_version") == 1; }

void ProjectStore::need_version_2() {
  if (!is_of_version_1()) return;
  database_.run(reservations_table);
  database_.run("PRAGMA user_version=2");
}

std::vector<Reservation> ProjectStore::reservations() const {
  std::vector<Reservation> reservations;
  if (is_of_version_1()) return reservations;
  Statement row = database_.prepare("SELECT row, labeler, until, checksum FROM reservations ORDER BY row");
  while (row.step()) {
    reservations.push_back({static_cast<std::size_t>(row.whole(0)), std::string(row.text(1)), row.whole(2)});
    if (checksum_of(reservations.back()) != row.whole(3)) {
      database_.fail_damaged("a reservation does not agree with its checksum");
    }
  }
  return reservations;
}

void ProjectStore::put_reservations(const std::vector<Reservation>& reservations) {
  need_version_2();
  database_.run("DELETE FROM reservations");
  Statement insert = database_.prepare("INSERT OR REPLACE INTO reservations VALUES(?, ?, ?, ?)");
  for (const Reservation& one : reservations) {
    insert.bind(1, whole(one.row)).bind_text(2, one.by).bind(3, one.until).bind(4, checksum_of(one)).run();
  }
}

void ProjectStore::drop_reservation(std::size_t row) {
  if (is_of_version_1()) return;
  database_.prepare("DELETE FROM reservations WHERE row = ?").bind(1, whole(row)).run();
}

void ProjectStore::put_state(const State& state) { write_state(database_, state); }

void ProjectStore::drop_states(std::int64_t first, std::int64_t last) {
  database_.prepare("DELETE FROM states WHERE number BETWEEN ? AND ?").bind(1, first).bind(2, last).run();
}

}  // namespace motet::discover
