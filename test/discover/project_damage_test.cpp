// Files that are no projects, damaged ones, and disks that do not take any more.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <optional>

#include "discover/project_support.h"
#include "motet/discover/project/sqlite.h"

namespace motet::discover::project_damage_test {
namespace {

class NoProject : public ProjectTest {};

TEST_F(NoProject, NoFile) {
  EXPECT_EQ(error_of_opening("p.motet"), "p.motet: cannot be opened: No such file or directory");
}

TEST_F(NoProject, AnyOtherFile) {
  folder.write("empty.motet", "");
  folder.write("short.motet", "a,b\n1,2\n");
  std::string table = "a,b\n";
  for (int i = 0; i < 5000; ++i) table += "0.25,17\n";
  folder.write("table.motet", table);
  sql("other.motet", "CREATE TABLE t(x); INSERT INTO t VALUES(1);");
  std::filesystem::create_directory(folder / "folder.motet");
  for (const std::string name : {"empty", "short", "table", "other", "folder"}) {
    EXPECT_EQ(error_of_opening(name + ".motet"), name + ".motet: not a motet project");
  }
  EXPECT_EQ(folder.read("empty.motet"), "");
  EXPECT_EQ(folder.read("short.motet"), "a,b\n1,2\n");
  EXPECT_EQ(folder.read("table.motet"), table);
  EXPECT_EQ(folder.file_count(), 5U);
}

TEST_F(NoProject, ANewerVersion) {
  create();
  sql("p.motet", "PRAGMA user_version = 2");
  EXPECT_EQ(error_of_opening("p.motet"),
            "p.motet: the project of version 2 is newer than this program, which reads 1 to 1; use a newer motet");
}

TEST_F(NoProject, AFileThatIsThereIsNotReplaced) {
  folder.write("p.motet", "precious");
  EXPECT_EQ(folder.error_of([&] { create(); }, ErrorKind::usage),
            "p.motet: there is such a file already; choose another name, or go on with it by `motet discover next`");
  EXPECT_EQ(folder.read("p.motet"), "precious");
  EXPECT_EQ(folder.file_count(), 1U);
}

TEST_F(NoProject, WhatADeletedProjectLeftIsNotTakenIn) {
  folder.write("p.motet-wal", "labels of another");
  EXPECT_EQ(folder.error_of([&] { create(); }, ErrorKind::usage),
            "p.motet-wal: belongs to a project of the name p.motet that is gone; remove it, or choose another name");
  EXPECT_EQ(folder.file_count(), 1U);
}

TEST_F(NoProject, AFolderThatIsNotThere) {
  EXPECT_EQ(folder.error_of([&] { create("none/p.motet"); }, ErrorKind::machine_limit),
            "none/p.motet: cannot be written: No such file or directory");
}

class DamagedProject : public ProjectTest {
 protected:
  static std::string told(const std::string& detail) {
    return "p.motet: the project file is damaged: " + detail +
           "; go back to a copy, or save what can be read with `sqlite3 p.motet .recover`";
  }
  void create_with_answers() {
    Project project = create();
    for (std::size_t i = 0; i < 6; ++i) project.answer(next_answer(project, i), "Ada");
  }
};

TEST_F(DamagedProject, WhatWasChangedByHandIsTold) {
  create_with_answers();
  const std::string whole = folder.read("p.motet");
  const auto expect_told = [&](const std::string& statements, const std::string& detail) {
    folder.write("p.motet", whole);
    sql("p.motet", statements);
    EXPECT_EQ(error_of_opening("p.motet"), told(detail)) << statements;
  };
  expect_told("UPDATE answers SET class = 'x' WHERE number = 2", "answer 2 does not agree with its checksum");
  expect_told("UPDATE answers SET kind = 'x' WHERE number = 2", "an answer is of no kind");
  expect_told("DELETE FROM answers WHERE number = 2", "an answer is missing");
  expect_told("DELETE FROM answers WHERE number = 6", "an answer is missing");
  expect_told("DELETE FROM states", "a state is missing");
  expect_told("UPDATE states SET bytes = x'00' WHERE number = 6", "a state does not agree with its checksum");
  expect_told("UPDATE states SET size = 1000000000000 WHERE number = 6", "a state has an impossible size");
  expect_told("UPDATE chunks SET numbers = zeroblob(length(numbers))", "rows do not agree with their checksum");
  expect_told("DELETE FROM chunks", "rows are missing");
  expect_told("DELETE FROM sources", "rows are missing");
  expect_told("UPDATE sources SET origin = ''", "the sources do not agree with their checksum");
  expect_told("UPDATE recordings SET name = 'x'", "the recordings do not agree with their checksum");
  expect_told("DELETE FROM recordings WHERE number = 0", "a recording is missing");
  expect_told("UPDATE project SET hop = 1.0", "the columns do not agree with their checksum");
  expect_told("DELETE FROM project", "it has no columns");
  expect_told("DROP TABLE items", "its tables are not those of a project");
  expect_told("CREATE TRIGGER t AFTER INSERT ON answers BEGIN DELETE FROM answers; END",
              "its tables are not those of a project");
}

TEST_F(DamagedProject, AFileCutShortIsTold) {
  create_with_answers();
  const std::string whole = folder.read("p.motet");
  for (const std::size_t kept : {whole.size() - 4096, whole.size() / 2, std::size_t{5000}}) {
    folder.write("p.motet", whole.substr(0, kept));
    EXPECT_EQ(error_of_opening("p.motet"), told("its pages do not fit together")) << kept;
  }
  folder.write("p.motet", whole.substr(0, 50));
  EXPECT_EQ(error_of_opening("p.motet"), "p.motet: not a motet project");
}

// The header and the tables' definitions: what SQLite itself reads first.
TEST_F(DamagedProject, AFlippedByteOfTheHeaderIsTheFilesFault) {
  create_with_answers();
  const std::string whole = folder.read("p.motet");
  for (std::size_t at = 0; at < whole.size() && at < 4096; at += at < 112 ? 1 : 61) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << (at % 8)));
    for (const Project::Use use : {Project::Use::reading, Project::Use::writing}) {
      for (const char* left : {"p.motet-wal", "p.motet-shm"}) std::filesystem::remove(folder / left);
      folder.write("p.motet", flipped);
      try {
        Project project = open("p.motet", use);
        ASSERT_EQ(project.history().size(), 6U) << at;
        if (use == Project::Use::writing) project.answer(nothing_at(3), "");
      } catch (const Error& error) {
        ASSERT_EQ(error.kind(), ErrorKind::bad_data) << at << " " << error.what();
      }
    }
  }
}

class DamagedProjectSlow : public DamagedProject {};

// A byte that was flipped is told or is not part of anything; never a crash or another content.
TEST_F(DamagedProjectSlow, AFlippedByteIsNeverTakenForContent) {
  create_with_answers();
  const std::string whole = folder.read("p.motet");
  std::string state;
  std::vector<double> values;
  {
    Project project = open();
    state = to_bytes(project.discovery());
    values = project.features().values;
  }
  std::size_t told_count = 0;
  std::size_t tried = 0;
  for (std::size_t at = 16; at < whole.size(); at += 127, ++tried) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << (at % 8)));
    for (const char* left : {"p.motet-wal", "p.motet-shm"}) std::filesystem::remove(folder / left);
    folder.write("p.motet", flipped);
    try {
      Project project = open();
      ASSERT_EQ(to_bytes(project.discovery()), state) << at;
      ASSERT_EQ(project.features().values, values) << at;
      ASSERT_EQ(project.history().size(), 6U) << at;
      ASSERT_EQ(project.history()[1].by, "Ada") << at;
    } catch (const Error& error) {
      ++told_count;
      ASSERT_TRUE(std::string(error.what()).starts_with(folder / "p.motet")) << error.what();
      ASSERT_EQ(error.kind(), ErrorKind::bad_data) << at << " " << error.what();
    }
  }
  EXPECT_GT(told_count, tried / 10);  // much of a small file is room
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
}  // namespace motet::discover::project_damage_test
