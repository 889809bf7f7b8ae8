// What is stored and read back, files that are no projects, and damaged ones.
#include "motet/discover/project/project_store.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "discover/project/project_cases.h"
#include "motet/discover/bytes.h"
#include "support/errors.h"

namespace motet::discover::project_store_test {
namespace {

class StoredProject : public ProjectTest {
 protected:
  StoredProject() { ProjectStore::create(path(), small_features(), "made by a test", "state 0"); }
  std::string path() const { return folder / "p.motet"; }
  ProjectStore opened() const { return {path(), 0.0, Database::Access::writing}; }
};

TEST_F(StoredProject, RowsAreReadFromWhereTheReaderIs) {
  const Features features = small_features();
  Features first;
  ProjectStore store = opened();
  store.read_rows(first);
  EXPECT_EQ(first.columns, features.columns);
  EXPECT_EQ(first.values, features.values);
  EXPECT_EQ(first.clock, features.clock);
  Features all = features;
  append(all, more_features());
  store.put_rows(3, all, 240, "later");
  store.read_rows(first);
  EXPECT_EQ(first.values, all.values);
  EXPECT_EQ(first.starts, all.starts);
  EXPECT_EQ(first.sequences, all.sequences);
  const std::vector<ProjectSource> sources = opened().sources();
  ASSERT_EQ(sources.size(), 2U);
  EXPECT_EQ(sources[0].rows, 240U);
  EXPECT_EQ(sources[1].number, 3);
  EXPECT_EQ(sources[1].first_row, 240U);
  EXPECT_EQ(sources[1].origin, "later");
}

TEST_F(StoredProject, AnAnswerIsPutInPlaceOfTheOneWithItsNumber) {
  ProjectStore store = opened();
  AnswerEntry entry{1, class_at(7, "frog"), "Ada", 1234, false};
  store.put_answer(entry);
  store.put_answer({2, nothing_at(9), "", -1, false});
  entry.is_undone = true;
  store.put_answer(entry);
  const std::vector<AnswerEntry> found = opened().answers();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].answer, class_at(7, "frog"));
  EXPECT_EQ(found[0].by, "Ada");
  EXPECT_EQ(found[0].time, 1234);
  EXPECT_TRUE(found[0].is_undone);
  EXPECT_EQ(found[1].number, 2);
  EXPECT_EQ(found[1].answer, nothing_at(9));
}

TEST_F(StoredProject, TheLastStateUpToANumberIsFound) {
  ProjectStore store = opened();
  const std::string large(100'000, 'x');
  store.put_state({5, large});
  store.put_state({8, ""});
  EXPECT_EQ(store.last_state_number(), 8);
  EXPECT_EQ(store.last_state(4)->bytes, "state 0");
  EXPECT_EQ(store.last_state(7)->number, 5);
  EXPECT_EQ(store.last_state(7)->bytes, large);
  EXPECT_EQ(store.last_state(100)->bytes, "");
  EXPECT_FALSE(store.last_state(-1).has_value());
  EXPECT_LT(store.database().whole("SELECT length(bytes) FROM states WHERE number = 5"), 1000);  // packed
  store.drop_states(5, 7);
  EXPECT_EQ(store.last_state(7)->number, 0);
  EXPECT_EQ(store.last_state_number(), 8);
}

TEST_F(StoredProject, TheVersionChangesWhenAnotherWrote) {
  ProjectStore one = opened();
  ProjectStore two = opened();
  const std::int64_t before = one.version_seen();
  one.put_state({1, "own"});
  EXPECT_EQ(one.version_seen(), before);
  two.put_state({2, "other"});
  EXPECT_NE(one.version_seen(), before);
}

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
  sql("p.motet", "PRAGMA user_version = 3");
  EXPECT_EQ(error_of_opening("p.motet"),
            "p.motet: the project of version 3 is newer than this program, which reads 1 to 2; use a newer motet");
}

TEST_F(NoProject, AVersionThatItIsNot) {
  create();
  sql("p.motet", "PRAGMA user_version = 2");
  EXPECT_NE(error_of_opening("p.motet").find("its tables are not those of a project"), std::string::npos);
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

}  // namespace
}  // namespace motet::discover::project_store_test
