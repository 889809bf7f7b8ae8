#include "motet/discover/project/project.h"

#include <gtest/gtest.h>

#include "discover/project/project_cases.h"
#include "motet/discover/bytes.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::discover::project_test {
namespace {

class KeptProject : public ProjectTest {};

TEST_F(KeptProject, HoldsWhatItWasGiven) {
  const Features features = small_features();
  std::string state;
  {
    Project project = create();
    state = to_bytes(project.discovery());
  }
  EXPECT_EQ(folder.file_count(), 1U);  // one file, nothing beside it once it is closed
  Project project = open();
  EXPECT_EQ(project.features().columns, features.columns);
  EXPECT_EQ(project.features().values, features.values);
  EXPECT_EQ(project.features().starts, features.starts);
  EXPECT_EQ(project.features().sequences, features.sequences);
  EXPECT_TRUE(project.features().items.empty());
  EXPECT_EQ(project.features().clock, features.clock);
  ASSERT_EQ(project.sources().size(), 1U);
  EXPECT_EQ(project.sources()[0].origin, "made by a test");
  EXPECT_EQ(project.sources()[0].rows, features.rows());
  EXPECT_TRUE(project.history().empty());
  EXPECT_EQ(to_bytes(project.discovery()), state);
  const std::vector<Recording> recordings = project.recordings();
  ASSERT_EQ(recordings.size(), 2U);
  EXPECT_EQ(recordings[1].name, "two.wav");
  EXPECT_EQ(recordings[1].first_row, 120U);
  EXPECT_EQ(recordings[1].rows, 120U);
  EXPECT_DOUBLE_EQ(recordings[1].seconds, 119 * 0.1 + 0.25);
}

TEST_F(KeptProject, HoldsItemNamesOfAnyTextAndRowsWithoutTime) {
  Features features = small_features(40);
  features.clock = {};
  for (std::size_t n = 0; n < 40; ++n) features.items.push_back(n == 7 ? "" : "frame, \"" + std::to_string(n) + "\"\n");
  create("p.motet", features);
  Project project = open();
  EXPECT_EQ(project.features().items, features.items);
  EXPECT_FALSE(project.features().clock.has_time());
  EXPECT_EQ(project.recordings()[0].seconds, 0.0);
}

TEST_F(KeptProject, HoldsManyChunks) {
  const Features features = small_features(24'000);  // a chunk has about 11,000 of these
  DiscoverOptions options = small_options();
  options.strategy = Strategy::random;
  options.isolation = 0;
  Project::create(folder / "p.motet", features, "", options, {}, settings());
  EXPECT_EQ(open().features().values, features.values);
}

TEST_F(KeptProject, RemembersWhoAnsweredWhatAndWhen) {
  {
    Project project = create();
    EXPECT_EQ(project.answer(class_at(35, "frog"), "Ada"), 1);
    EXPECT_EQ(project.answer(nothing_at(100), ""), 2);
    EXPECT_EQ(project.answer({200, AnswerKind::not_sure, ""}, "Grażyna"), 3);
    EXPECT_EQ(project.undo().number, 3);
  }
  Project project = open();
  const std::vector<AnswerEntry>& history = project.history();
  ASSERT_EQ(history.size(), 3U);
  EXPECT_EQ(history[0].answer.row, 35U);
  EXPECT_EQ(history[0].answer.kind, AnswerKind::of_class);
  EXPECT_EQ(history[0].answer.class_name, "frog");
  EXPECT_EQ(history[0].by, "Ada");
  EXPECT_EQ(history[0].time, 1000);
  EXPECT_FALSE(history[0].is_undone);
  EXPECT_EQ(history[1].answer.kind, AnswerKind::nothing);
  EXPECT_EQ(history[2].answer.kind, AnswerKind::not_sure);
  EXPECT_EQ(history[2].by, "Grażyna");
  EXPECT_TRUE(history[2].is_undone);
  EXPECT_EQ(project.discovery().answers.size(), 2U);
}

TEST_F(KeptProject, ManyAnswersAtOnceAreAsOneByOne) {
  Project one = create("one.motet");
  Project all = create("all.motet");
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < 8; ++i) {
    answers.push_back(next_answer(one, i));
    one.answer(answers.back(), "Ada");
  }
  EXPECT_EQ(all.answer(answers, "Ada").back(), 8);
  EXPECT_EQ(to_bytes(all.discovery()), to_bytes(one.discovery()));
}

TEST_F(KeptProject, RefusesAnAnswerWithoutChangingAnything) {
  Project project = create();
  project.answer(nothing_at(3), "");
  const std::string before = to_bytes(project.discovery());
  EXPECT_THROW(project.answer(nothing_at(240), ""), Error);
  EXPECT_THROW(project.answer({nothing_at(5), nothing_at(240)}, ""), Error);
  EXPECT_EQ(to_bytes(project.discovery()), before);
  EXPECT_EQ(to_bytes(open().discovery()), before);
  EXPECT_EQ(open().history().size(), 1U);
  EXPECT_EQ(project.answer(nothing_at(5), ""), 2);
}

class UndoneProject : public ProjectTest {};

TEST_F(UndoneProject, GoesBackBitForBitAndForthToTheSame) {
  constexpr std::size_t count = 20;
  Project project = create();
  std::vector<std::string> before;
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < count; ++i) {
    before.push_back(to_bytes(project.discovery()));
    answers.push_back(next_answer(project, i));
    project.answer(answers.back(), "");
  }
  const std::string last = to_bytes(project.discovery());
  for (std::size_t i = count; i-- > 0;) {
    EXPECT_EQ(project.undo().answer.row, answers[i].row);
    EXPECT_EQ(to_bytes(project.discovery()), before[i]) << i;
    if (i % 7 == 0) {
      EXPECT_EQ(to_bytes(open().discovery()), before[i]) << i;
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(to_bytes(project.discovery()), before[i]) << i;
    project.answer(answers[i], "");
  }
  EXPECT_EQ(to_bytes(project.discovery()), last);
  EXPECT_EQ(project.undo(count).size(), count);
  EXPECT_EQ(to_bytes(project.discovery()), before[0]);
  EXPECT_EQ(project.history().size(), 2 * count);
}

TEST_F(UndoneProject, GoesBackFurtherThanAllStatesAreKept) {
  constexpr std::size_t count = 150;
  Project project = create();
  const std::string first = to_bytes(project.discovery());
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < count; ++i) answers.push_back(i % 9 == 1 ? class_at(i, "frog") : nothing_at(i));
  const std::vector<Answer> half(answers.begin(), answers.begin() + 50);
  project.answer(half, "");
  const std::string at_half = to_bytes(project.discovery());
  project.answer(std::vector<Answer>(answers.begin() + 50, answers.end()), "");
  EXPECT_EQ(project.undo(100).size(), 100U);
  EXPECT_EQ(to_bytes(project.discovery()), at_half);
  EXPECT_EQ(to_bytes(open().discovery()), at_half);
  EXPECT_EQ(project.undo(50).size(), 50U);
  EXPECT_EQ(to_bytes(project.discovery()), first);
}

TEST_F(UndoneProject, NothingToUndo) {
  Project project = create();
  EXPECT_EQ(folder.error_of([&] { project.undo(); }, ErrorKind::usage), "p.motet: there is no answer to undo");
  project.answer(nothing_at(3), "");
  EXPECT_EQ(folder.error_of([&] { project.undo(2); }, ErrorKind::usage),
            "p.motet: --steps 2 is more than the 1 answer that holds");
  project.answer(nothing_at(30), "");
  EXPECT_EQ(folder.error_of([&] { project.undo(3); }, ErrorKind::usage),
            "p.motet: --steps 3 is more than the 2 answers that hold");
  EXPECT_EQ(project.discovery().answers.size(), 2U);
}

class ChangedClasses : public ProjectTest {
 protected:
  std::int64_t version_of(const std::string& name) {
    sqlite3* database = nullptr;
    sqlite3_open((folder / name).c_str(), &database);
    sqlite3_stmt* statement = nullptr;
    sqlite3_prepare_v2(database, "PRAGMA user_version", -1, &statement, nullptr);
    sqlite3_step(statement);
    const std::int64_t version = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return version;
  }
};

TEST_F(ChangedClasses, AreKeptInTheOrderOfAnswers) {
  Project project = create();
  project.answer(class_at(35, "forg"), "Ada");
  EXPECT_EQ(version_of("p.motet"), 1);
  EXPECT_EQ(project.change_class({false, "forg", "frog"}, "Bo"), 2);
  EXPECT_EQ(version_of("p.motet"), 2);
  project.answer(class_at(155, "4:toad"), "");
  EXPECT_EQ(project.change_class({true, "4:toad", "frog"}, ""), 4);
  project.answer(class_at(156, "forg"), "");
  EXPECT_EQ(project.discovery().mixture.classes, (std::vector<std::string>{"background", "frog", "forg"}));
  EXPECT_EQ(to_bytes(open().discovery()), to_bytes(project.discovery()));
  const std::string last = to_bytes(project.discovery());
  Project again = open();
  ASSERT_EQ(again.history().size(), 5U);
  EXPECT_EQ(again.history()[1].change, (ClassChange{false, "forg", "frog"}));
  EXPECT_EQ(again.history()[1].by, "Bo");
  EXPECT_EQ(again.history()[1].time, 2000);
  EXPECT_EQ(again.history()[3].change, (ClassChange{true, "4:toad", "frog"}));
  EXPECT_FALSE(again.history()[4].change);
  sql("p.motet", "DELETE FROM states WHERE number > 0");
  EXPECT_EQ(to_bytes(open().discovery()), last);
}

TEST_F(ChangedClasses, AreTakenBackBitForBitLikeAnswers) {
  Project project = create();
  std::vector<std::string> before;
  const auto keep = [&] { before.push_back(to_bytes(project.discovery())); };
  keep();
  project.answer(class_at(35, "forg"), "");
  keep();
  project.answer(class_at(155, "owl"), "");
  keep();
  project.change_class({false, "forg", "frog"}, "");
  keep();
  project.answer(nothing_at(80), "");
  keep();
  project.change_class({true, "owl", "frog"}, "");
  keep();
  project.change_class({false, "frog", "animal"}, "");
  EXPECT_EQ(project.undo().change, (ClassChange{false, "frog", "animal"}));
  for (std::size_t i = before.size(); i-- > 0;) {
    EXPECT_EQ(to_bytes(project.discovery()), before[i]) << i;
    EXPECT_EQ(to_bytes(open().discovery()), before[i]) << i;
    if (i > 0) project.undo();
  }
  EXPECT_EQ(folder.error_of([&] { project.undo(); }, ErrorKind::usage), "p.motet: there is no answer to undo");
}

TEST_F(ChangedClasses, CountAmongWhatCanBeUndone) {
  Project project = create();
  project.answer(class_at(35, "forg"), "");
  project.change_class({false, "forg", "frog"}, "");
  EXPECT_EQ(folder.error_of([&] { project.undo(3); }, ErrorKind::usage),
            "p.motet: --steps 3 is more than the 2 answers and changes that hold");
  EXPECT_EQ(project.undo(2).size(), 2U);
}

TEST_F(ChangedClasses, AreRefusedWithoutChangingAnything) {
  Project project = create();
  project.answer(class_at(35, "forg"), "");
  const std::string before = to_bytes(project.discovery());
  EXPECT_THROW(project.change_class({false, "hen", "frog"}, ""), Error);
  EXPECT_THROW(project.change_class({false, "forg", "a\tb"}, ""), Error);
  EXPECT_THROW(project.answer(class_at(36, "a\nb"), ""), Error);
  EXPECT_EQ(to_bytes(project.discovery()), before);
  EXPECT_EQ(version_of("p.motet"), 1);
  EXPECT_EQ(open().history().size(), 1U);
}

TEST_F(ChangedClasses, ThatAreDamagedAreNoticed) {
  Project project = create();
  project.answer(class_at(35, "forg"), "");
  project.change_class({false, "forg", "frog"}, "");
  sql("p.motet", "UPDATE answers SET class = '9:forg' WHERE number = 2");
  EXPECT_NE(error_of_opening("p.motet").find("a change of classes has no two names"), std::string::npos);
}

class StatesOfAProject : public ProjectTest {};

TEST_F(StatesOfAProject, AreComputedAgainWhenTheyAreMissing) {
  std::string last;
  {
    Project project = create();
    for (std::size_t i = 0; i < 9; ++i) project.answer(next_answer(project, i), "");
    project.add_rows(more_features(), "");
    for (std::size_t i = 0; i < 3; ++i) project.answer(next_answer(project, i), "");
    last = to_bytes(project.discovery());
  }
  sql("p.motet", "DELETE FROM states WHERE number > 4");
  EXPECT_EQ(to_bytes(open().discovery()), last);
  sql("p.motet", "DELETE FROM states WHERE number > 0");
  EXPECT_EQ(to_bytes(open().discovery()), last);
}

TEST_F(StatesOfAProject, DoNotDependOnTheSeedOrThreadsOfWhoGoesOn) {
  create("a.motet").answer(nothing_at(7), "");
  create("b.motet").answer(nothing_at(7), "");
  RunContext other;
  other.seed = Seed{99};
  StartedThreads started(3);
  other.threads = started;
  Project a = open("a.motet");
  Project b = Project::open(folder / "b.motet", other, settings());
  for (std::size_t i = 0; i < 6; ++i) {
    const Answer answer = next_answer(a, i);
    a.answer(answer, "");
    b.answer(answer, "");
  }
  EXPECT_EQ(to_bytes(a.discovery()), to_bytes(b.discovery()));
}

class GrownProject : public ProjectTest {};

TEST_F(GrownProject, TakesMoreRowsWithWhatWasLearned) {
  Project project = create();
  for (std::size_t i = 0; i < 5; ++i) project.answer(next_answer(project, i), "");
  project.add_rows(more_features(), "later");
  EXPECT_EQ(project.answer(nothing_at(250), ""), 7);
  Project again = open();
  EXPECT_EQ(again.features().rows(), 300U);
  EXPECT_EQ(again.features().values, project.features().values);
  EXPECT_EQ(again.sources().size(), 2U);
  EXPECT_EQ(again.sources()[1].origin, "later");
  EXPECT_EQ(again.sources()[1].first_row, 240U);
  EXPECT_EQ(again.recordings()[2].name, "three.wav");
  EXPECT_EQ(to_bytes(again.discovery()), to_bytes(project.discovery()));
}

TEST_F(GrownProject, UndoAcrossNewRowsIsAsIfTheAnswerHadNeverBeenGiven) {
  Project project = create();
  Project twin = create("twin.motet");
  for (const std::size_t row : {35U, 80U}) {
    project.answer(class_at(row, "frog"), "");
    twin.answer(class_at(row, "frog"), "");
  }
  project.answer(class_at(150, "owl"), "");
  project.add_rows(more_features(), "");
  twin.add_rows(more_features(), "");
  project.undo();
  EXPECT_EQ(to_bytes(project.discovery()), to_bytes(twin.discovery()));
  EXPECT_EQ(to_bytes(open().discovery()), to_bytes(twin.discovery()));
  project.undo();
  twin.undo();
  EXPECT_EQ(to_bytes(project.discovery()), to_bytes(twin.discovery()));
}

TEST_F(GrownProject, RefusesRowsThatDoNotFit) {
  Project project = create();
  EXPECT_EQ(folder.error_of([&] { project.add_rows(more_features("two.wav"), ""); }, ErrorKind::usage),
            "p.motet: 'two.wav' is in the project already");
  Features other = more_features();
  other.clock.hop = 0.2;
  EXPECT_EQ(folder.error_of([&] { project.add_rows(other, ""); }),
            "a row every 0.2 s over 0.25 s does not fit rows every 0.1 s over 0.25 s");
  EXPECT_EQ(project.features().rows(), 240U);
  EXPECT_EQ(open().features().rows(), 240U);
}

class SharedProject : public ProjectTest {};

TEST_F(SharedProject, EachTakesInWhatTheOtherWrote) {
  Project one = create();
  Project two = open();
  Project alone = create("alone.motet");
  for (std::size_t i = 0; i < 6; ++i) {
    const Answer answer = next_answer(alone, i);
    alone.answer(answer, "");
    (i % 2 == 0 ? one : two).answer(answer, i % 2 == 0 ? "Ada" : "Bo");
  }
  EXPECT_EQ(to_bytes(one.discovery()), to_bytes(alone.discovery()));
  EXPECT_EQ(to_bytes(two.discovery()), to_bytes(alone.discovery()));
  EXPECT_EQ(one.history()[5].by, "Bo");
  two.undo();
  alone.undo();
  EXPECT_EQ(to_bytes(one.discovery()), to_bytes(alone.discovery()));
  two.add_rows(more_features(), "");
  alone.add_rows(more_features(), "");
  one.answer(nothing_at(290), "");
  alone.answer(nothing_at(290), "");
  EXPECT_EQ(one.features().rows(), 300U);
  EXPECT_EQ(to_bytes(one.discovery()), to_bytes(alone.discovery()));
  EXPECT_EQ(to_bytes(two.discovery()), to_bytes(alone.discovery()));
}

TEST_F(SharedProject, AWriterThatStaysTooLongIsTold) {
  Project project = create();
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open((folder / "p.motet").c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_EQ(folder.error_of([&] { project.answer(nothing_at(3), ""); }, ErrorKind::machine_limit),
            "p.motet: is in use by another process that did not finish within 0.05 s; try again when it has");
  EXPECT_TRUE(project.discovery().answers.empty());  // reading goes on
  EXPECT_TRUE(open().history().empty());
  sqlite3_exec(other, "ROLLBACK", nullptr, nullptr, nullptr);
  sqlite3_close(other);
  EXPECT_EQ(project.answer(nothing_at(3), ""), 1);
}

}  // namespace
}  // namespace motet::discover::project_test
