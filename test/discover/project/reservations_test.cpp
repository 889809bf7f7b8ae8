#include "motet/discover/project/reservations.h"

#include <gtest/gtest.h>

#include <set>

#include "discover/project/project_cases.h"
#include "motet/discover/bytes.h"

namespace motet::discover::reservations_test {
namespace {

std::set<std::size_t> rows_of(const std::vector<OwnQuestion>& questions) {
  std::set<std::size_t> rows;
  for (const OwnQuestion& question : questions) rows.insert(question.nomination.row);
  return rows;
}

class ChosenQuestions : public testing::Test {
 protected:
  ChosenQuestions() : features(small_features()), discovery(start_discovery(features, small_options(), {})) {}

  std::vector<OwnQuestion> choose(const std::string& by, std::size_t count) {
    return choose_own_questions(features, discovery, held, by, count, {});
  }
  void hold(const std::string& by, const std::vector<OwnQuestion>& questions) {
    for (const OwnQuestion& question : questions) held.push_back({question.nomination.row, by, 0});
  }

  Features features;
  Discovery discovery;
  std::vector<Reservation> held;
};

TEST_F(ChosenQuestions, AreThoseOfTheQueueWhenNobodyHasAny) {
  const std::vector<OwnQuestion> questions = choose("Ada", discovery.queue.size());
  ASSERT_EQ(questions.size(), discovery.queue.size());
  for (std::size_t i = 0; i < questions.size(); ++i) {
    EXPECT_EQ(questions[i].nomination, discovery.queue[i]);
    EXPECT_EQ(questions[i].also_of, "");
  }
}

TEST_F(ChosenQuestions, OfManyPeopleLieApartAndGoBeyondTheQueue) {
  const std::string before = to_bytes(discovery);
  std::set<std::size_t> rows;
  for (int person = 0; person < 10; ++person) {
    const std::string name = "person " + std::to_string(person);
    const std::vector<OwnQuestion> questions = choose(name, 2);
    ASSERT_EQ(questions.size(), 2U) << person;
    for (const OwnQuestion& question : questions) {
      EXPECT_EQ(question.also_of, "");
      for (const std::size_t other : rows) {
        const bool is_same_recording = (other < 120) == (question.nomination.row < 120);
        EXPECT_TRUE(!is_same_recording ||
                    std::max(other, question.nomination.row) - std::min(other, question.nomination.row) > 5)
            << other << " " << question.nomination.row;
      }
      rows.insert(question.nomination.row);
    }
    hold(name, questions);
  }
  EXPECT_EQ(rows.size(), 20U);
  EXPECT_EQ(to_bytes(discovery), before);
}

TEST_F(ChosenQuestions, StayThoseThatAPersonHas) {
  const std::vector<OwnQuestion> first = choose("Ada", 2);
  hold("Ada", first);
  hold("Bo", choose("Bo", 2));
  const std::vector<OwnQuestion> again = choose("Ada", 3);
  ASSERT_EQ(again.size(), 3U);
  EXPECT_EQ(rows_of({again[0], again[1]}), rows_of(first));
  take_answer(features, discovery, nothing_at(first[0].nomination.row), {});
  EXPECT_EQ(rows_of(choose("Ada", 1)), rows_of({first[1]}));
}

TEST_F(ChosenQuestions, ThatLeftTheQueueSaySo) {
  held = {{57, "Ada", 0}};
  const std::vector<OwnQuestion> questions = choose("Ada", 1);
  ASSERT_EQ(questions.size(), 1U);
  EXPECT_EQ(questions[0].nomination.row, 57U);
  EXPECT_TRUE(questions[0].is_from_before);
}

TEST_F(ChosenQuestions, AreThoseOfOthersWhenNothingElseIsLeft) {
  hold("Ada", choose("Ada", 1000));
  EXPECT_GE(held.size(), 20U);
  const std::vector<OwnQuestion> questions = choose("Bo", 2);
  ASSERT_EQ(questions.size(), 2U);
  EXPECT_EQ(questions[0].nomination, discovery.queue[0]);
  EXPECT_EQ(questions[0].also_of, "Ada");
  EXPECT_EQ(questions[1].nomination, discovery.queue[1]);
}

TEST_F(ChosenQuestions, AreNoneWhenAllIsCovered) {
  for (int i = 0; i < 60 && !discovery.queue.empty(); ++i) {
    take_answer(features, discovery, nothing_at(discovery.queue.front().row), {});
  }
  held = {{57, "Ada", 0}};
  EXPECT_TRUE(choose("Ada", 3).empty());
  EXPECT_TRUE(choose("Bo", 3).empty());
}

class ReservedQuestions : public ProjectTest {
 protected:
  static constexpr std::int64_t minute = 60'000;  // and each look at the clock is a second
};

TEST_F(ReservedQuestions, ThreePeopleGetDifferentOnesAllTheWay) {
  Project project = create();
  std::set<std::size_t> asked;
  const std::vector<std::string> people = {"Ada", "Bo", "Cem"};
  for (int round = 0; round < 6; ++round) {
    std::vector<std::size_t> rows;
    for (const std::string& name : people) {
      const std::vector<OwnQuestion> questions = project.reserve(name, 1, minute);
      ASSERT_EQ(questions.size(), 1U);
      EXPECT_EQ(questions[0].also_of, "");
      rows.push_back(questions[0].nomination.row);
      EXPECT_TRUE(asked.insert(rows.back()).second) << name << " " << round;
    }
    for (std::size_t i = 0; i < people.size(); ++i) project.answer(nothing_at(rows[i]), people[i]);
  }
}

TEST_F(ReservedQuestions, HoldForOtherProcessesUntilTheyAreOver) {
  Project one = create();
  Project other = open();
  EXPECT_FALSE(one.has_reservations());
  const std::size_t row = one.reserve("Ada", 1, minute)[0].nomination.row;
  EXPECT_TRUE(other.has_reservations());
  EXPECT_NE(other.reserve("Bo", 1, minute)[0].nomination.row, row);
  EXPECT_EQ(open().reserve("Ada", 1, minute)[0].nomination.row, row);
  Project::Settings later;
  later.now = [] { return std::int64_t{10} * minute; };
  EXPECT_EQ(Project::open(folder / "p.motet", {}, later).reserve("Cem", 1, minute)[0].nomination.row, row);
}

TEST_F(ReservedQuestions, ChangeNothingInTheSearch) {
  Project project = create();
  Project alone = create("alone.motet");
  for (int i = 0; i < 6; ++i) {
    const std::size_t row = project.reserve(i % 2 == 0 ? "Ada" : "Bo", 3, minute).back().nomination.row;
    project.answer(nothing_at(row), "Ada");
    alone.answer(nothing_at(row), "Ada");
    EXPECT_EQ(to_bytes(project.discovery()), to_bytes(alone.discovery()));
    EXPECT_EQ(to_bytes(open().discovery()), to_bytes(alone.discovery()));
  }
  project.undo();
  alone.undo();
  EXPECT_EQ(to_bytes(project.discovery()), to_bytes(alone.discovery()));
}

TEST_F(ReservedQuestions, ThatAreDamagedAreNoticed) {
  create().reserve("Ada", 1, minute);
  sql("p.motet", "UPDATE reservations SET labeler = 'Bo'");
  EXPECT_EQ(
      folder.error_of([&] { open().reserve("Ada", 1, minute); }),
      "p.motet: the project file is damaged: a reservation does not agree with its checksum; go back to a copy, or "
      "save what can be read with `sqlite3 p.motet .recover`");
}

}  // namespace
}  // namespace motet::discover::reservations_test
