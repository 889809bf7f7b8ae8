// Disks that do not take any more, files and folders that cannot be written, and the statements themselves.
#include "motet/discover/project/sqlite.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "discover/project/project_cases.h"
#include "motet/discover/bytes.h"
#include "support/errors.h"

namespace motet::discover::sqlite_test {
namespace {

// A database with one empty table, made by SQLite alone.
class Statements : public ProjectTest {
 protected:
  Statements() { sql("d.db", "CREATE TABLE t(a, b)"); }
  std::string path(const std::string& name = "d.db") const { return folder / name; }
};

TEST_F(Statements, WhatIsBoundIsReadBackAsItsType) {
  const Database database(path(), 0.0);
  const std::string bytes("\0\xFF\0", 3);
  Statement insert = database.prepare("INSERT INTO t VALUES(?, ?)");
  insert.bind(1, std::int64_t{-9'000'000'000}).bind(2, 0.1).run();
  insert.bind_text(1, "gra\xC5\xBCyna").bind_blob(2, bytes).run();  // run() left it ready
  insert.bind_text(1, {}).bind_blob(2, {}).run();                   // no null pointer becomes NULL
  Statement rows = database.prepare("SELECT a, b, typeof(a), typeof(b) FROM t ORDER BY rowid");
  ASSERT_TRUE(rows.step());
  EXPECT_EQ(rows.whole(0), -9'000'000'000);
  EXPECT_EQ(rows.real(1), 0.1);
  EXPECT_EQ(rows.text(2), "integer");
  EXPECT_EQ(rows.text(3), "real");
  ASSERT_TRUE(rows.step());
  EXPECT_EQ(rows.text(0), "gra\xC5\xBCyna");
  EXPECT_EQ(rows.blob(1), bytes);
  EXPECT_EQ(rows.text(3), "blob");
  ASSERT_TRUE(rows.step());
  EXPECT_EQ(rows.text(0), "");
  EXPECT_EQ(rows.text(2), "text");
  EXPECT_EQ(rows.blob(1), "");
  EXPECT_EQ(rows.text(3), "blob");
  EXPECT_FALSE(rows.step());
}

TEST_F(Statements, OneNumberIsThatOfTheFirstCell) {
  const Database database(path(), 0.0);
  EXPECT_EQ(database.whole("SELECT 7, 8 UNION ALL SELECT 9, 10"), 7);
  EXPECT_EQ(database.whole("SELECT a FROM t"), 0);
  EXPECT_EQ(database.path(), path());
  EXPECT_FALSE(database.is_read_only());
}

TEST_F(Statements, ATransactionThatIsLeftUndoesEverything) {
  Database database(path(), 0.0);
  {
    Transaction transaction(database, Transaction::Kind::writing);
    database.run("INSERT INTO t VALUES(1, 1)");
    EXPECT_EQ(database.whole("SELECT count(*) FROM t"), 1);
  }
  EXPECT_EQ(database.whole("SELECT count(*) FROM t"), 0);
  {
    Transaction transaction(database, Transaction::Kind::writing);
    database.run("INSERT INTO t VALUES(1, 1)");
    transaction.commit();
  }
  EXPECT_EQ(database.whole("SELECT count(*) FROM t"), 1);
  database.roll_back();  // there is none to roll back
}

TEST_F(Statements, AWriterWaitsForAnotherAndThenSaysSo) {
  Database one(path(), 0.0);
  Database two(path(), 0.02);
  const Transaction transaction(one, Transaction::Kind::writing);
  EXPECT_EQ(folder.error_of([&] { Transaction(two, Transaction::Kind::writing); }, ErrorKind::machine_limit),
            "d.db: is in use by another process that did not finish within 0.02 s; try again when it has");
}

TEST_F(Statements, WhatTheFileDoesNotHaveIsTheFilesFault) {
  const Database database(path(), 0.0);
  EXPECT_EQ(folder.error_of([&] { database.run("SELECT x FROM none"); }),
            "d.db: the project file is damaged: no such table: none; go back to a copy, or save what can be read with "
            "`sqlite3 d.db .recover`");
  EXPECT_EQ(folder.error_of([&] { database.fail_damaged("as a test"); }).substr(0, 46),
            "d.db: the project file is damaged: as a test; ");
}

TEST_F(Statements, OnlyFilesThatAreThereAreOpened) {
  std::filesystem::create_directory(folder / "folder");
  EXPECT_EQ(folder.error_of([&] { Database(path("none"), 0.0); }), "none: cannot be opened: No such file or directory");
  EXPECT_EQ(folder.error_of([&] { Database(path("folder"), 0.0); }), "folder: not a motet project");
  EXPECT_EQ(folder.file_count(), 2U);
}

// SQLite takes such names for a database in memory, and for an address.
TEST_F(Statements, NamesThatSqliteWouldReadAsItsOwnAreThoseOfFiles) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder / ".");
  for (const std::string name : {":memory:", "file:d.db?mode=ro"}) {
    std::filesystem::copy_file("d.db", "./" + name);
    EXPECT_EQ(Database(name, 0.0).whole("SELECT count(*) FROM sqlite_schema"), 1) << name;
    EXPECT_FALSE(Database(name, 0.0).is_read_only()) << name;
  }
  std::filesystem::current_path(before);
}

class FullDisk : public ProjectTest {
 protected:
  // No file of this process may grow beyond `bytes` while it lives.
  class Limit {
   public:
    explicit Limit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
      getrlimit(RLIMIT_FSIZE, &before_);
      const rlimit now{bytes, before_.rlim_max};
      setrlimit(RLIMIT_FSIZE, &now);
    }
    ~Limit() {
      setrlimit(RLIMIT_FSIZE, &before_);
      std::signal(SIGXFSZ, handler_);
    }
    Limit(const Limit&) = delete;
    Limit& operator=(const Limit&) = delete;

   private:
    void (*handler_)(int);
    rlimit before_{};
  };
};

TEST_F(FullDisk, AnAnswerThatCannotBeWrittenIsToldAndAllOthersAreThere) {
  Project project = create();
  Project twin = create("twin.motet");
  project.answer(nothing_at(3), "");
  twin.answer(nothing_at(3), "");
  const std::string before = to_bytes(project.discovery());
  {
    const Limit limit(40'000);
    const std::string text = folder.error_of(
        [&] {
          for (std::size_t i = 0; i < 100; ++i) {
            const Answer answer = next_answer(twin, i);
            project.answer(answer, "");
            const Limit none(RLIM_INFINITY);
            twin.answer(answer, "");
          }
        },
        ErrorKind::machine_limit);
    EXPECT_EQ(text, "p.motet: cannot be written: File too large; all that was acknowledged before is safe");
    EXPECT_EQ(to_bytes(project.discovery()), to_bytes(twin.discovery()));
  }
  EXPECT_EQ(to_bytes(open().discovery()), to_bytes(twin.discovery()));
  const Answer answer = next_answer(twin, 1);  // there is room again
  EXPECT_EQ(project.answer(answer, ""), twin.answer(answer, ""));
  EXPECT_EQ(to_bytes(project.discovery()), to_bytes(twin.discovery()));
  EXPECT_NE(to_bytes(project.discovery()), before);
}

TEST_F(FullDisk, AProjectThatCannotBeWrittenLeavesNothing) {
  {
    const Limit limit(20'000);
    EXPECT_EQ(folder.error_of([&] { create("p.motet", small_features(4000)); }, ErrorKind::machine_limit),
              "p.motet: cannot be written: File too large");
  }
  EXPECT_EQ(folder.file_count(), 0U);
}

class ReadOnlyFolder : public ProjectTest {
 protected:
  // Root may write anywhere: be somebody else for a while.
  class Nobody {
   public:
    Nobody() {
      if (geteuid() == 0) is_other_ = seteuid(65534) == 0;
    }
    ~Nobody() {
      if (is_other_ && seteuid(0) != 0) std::terminate();
    }
    Nobody(const Nobody&) = delete;
    Nobody& operator=(const Nobody&) = delete;

   private:
    bool is_other_ = false;
  };
};

TEST_F(ReadOnlyFolder, IsTold) {
  create();
  chmod((folder / ".").c_str(), 0555);
  chmod((folder / "p.motet").c_str(), 0444);
  {
    const Nobody nobody;
    EXPECT_EQ(error_of_opening("p.motet", ErrorKind::machine_limit),
              "p.motet: cannot be written; a project and its folder must be writable");
    EXPECT_EQ(folder.error_of([&] { create("q.motet"); }, ErrorKind::machine_limit),
              "q.motet: cannot be written: Permission denied");
  }
  chmod((folder / "p.motet").c_str(), 0666);
  {
    const Nobody nobody;
    EXPECT_EQ(error_of_opening("p.motet", ErrorKind::machine_limit),
              "p.motet: cannot be written; a project and its folder must be writable");
  }
  chmod((folder / "p.motet").c_str(), 0);
  {
    const Nobody nobody;
    EXPECT_EQ(error_of_opening("p.motet", ErrorKind::machine_limit),
              "p.motet: cannot be written; a project and its folder must be writable");
  }
  chmod((folder / ".").c_str(), 0755);
}

// Answers are in the log as long as nobody moved them into the file.
TEST_F(ReadOnlyFolder, IsReadWithWhatIsStillInTheLog) {
  std::string state;
  {
    Project project = create();
    for (std::size_t i = 0; i < 4; ++i) project.answer(next_answer(project, i), "Ada");
    state = to_bytes(project.discovery());
    std::filesystem::copy_file(folder / "p.motet", folder / "q.motet");
    std::filesystem::copy_file(folder / "p.motet-wal", folder / "q.motet-wal");  // no index: nobody has it open
  }
  ASSERT_GT(std::filesystem::file_size(folder / "q.motet-wal"), 1000U);
  ASSERT_FALSE(std::filesystem::exists(folder / "p.motet-wal"));
  const std::string log = folder.read("q.motet-wal");
  for (const char* name : {"p.motet", "q.motet"}) chmod((folder / name).c_str(), 0444);
  chmod((folder / "q.motet-wal").c_str(), 0444);
  chmod((folder / ".").c_str(), 0555);
  for (const std::string name : {"p.motet", "q.motet"}) {
    const Nobody nobody;
    Project project = open(name, Project::Use::reading);
    EXPECT_EQ(to_bytes(project.discovery()), state) << name;
    EXPECT_EQ(project.history().size(), 4U) << name;
    EXPECT_EQ(folder.error_of([&] { project.answer(nothing_at(3), ""); }, ErrorKind::machine_limit),
              name + ": cannot be written; a project and its folder must be writable");
  }
  chmod((folder / ".").c_str(), 0755);
  EXPECT_EQ(folder.read("q.motet-wal"), log);
  EXPECT_EQ(folder.file_count(), 3U);
}

TEST_F(ReadOnlyFolder, AFileThatMayNotBeReadIsTold) {
  create();
  chmod((folder / ".").c_str(), 0755);
  chmod((folder / "p.motet").c_str(), 0);
  {
    const Nobody nobody;
    const std::string told = folder.error_of([&] { open("p.motet", Project::Use::reading); }, ErrorKind::machine_limit);
    EXPECT_EQ(told, "p.motet: cannot be read: Permission denied");
  }
}

// What a medium that cannot be written comes to, without such a medium.
TEST_F(ReadOnlyFolder, ReadingAloneMakesNoFile) {
  {
    Project project = create();
    project.answer(nothing_at(3), "Ada");
    for (const char* part : {"", "-wal"}) {
      std::filesystem::copy_file(folder / ("p.motet" + std::string(part)),
                                 folder / ("a #1?%.motet" + std::string(part)));
    }
  }
  std::filesystem::remove(folder / "p.motet");
  {
    const Database database(folder / "a #1?%.motet", 0.0, Database::Access::reading_alone);
    EXPECT_EQ(database.whole("SELECT count(*) FROM answers"), 1);
  }
  EXPECT_EQ(folder.file_count(), 2U);
  std::filesystem::remove(folder / "a #1?%.motet-wal");
  {
    const Database database(folder / "a #1?%.motet", 0.0, Database::Access::reading_alone);
    EXPECT_EQ(database.whole("SELECT count(*) FROM answers"), 0);
  }
  EXPECT_EQ(folder.file_count(), 1U);
}

}  // namespace
}  // namespace motet::discover::sqlite_test
