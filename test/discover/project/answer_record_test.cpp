#include "motet/discover/project/answer_record.h"

#include <gtest/gtest.h>

namespace motet::discover::answer_record_test {
namespace {

AnswerEntry entry_of(const Answer& answer, const std::optional<ClassChange>& change = {}) {
  AnswerEntry entry;
  entry.answer = answer;
  entry.change = change;
  return entry;
}

TEST(AnswerRecord, ComesBackAsItWas) {
  const AnswerEntry entries[] = {entry_of({3, AnswerKind::of_class, "a:b"}), entry_of({3, AnswerKind::nothing, ""}),
                                 entry_of({3, AnswerKind::not_sure, ""}), entry_of({}, ClassChange{false, "4:a", "5"}),
                                 entry_of({}, ClassChange{true, "a\tb", "c:d"})};
  const std::string kinds[] = {"class", "nothing", "not sure", "rename", "merge"};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(kind_word(entries[i]), kinds[i]);
    AnswerEntry again;
    EXPECT_EQ(read_said(kinds[i], entries[i].answer.row, class_text(entries[i]), again), "");
    EXPECT_EQ(again.answer, entries[i].answer);
    EXPECT_EQ(again.change, entries[i].change);
  }
  EXPECT_EQ(class_text(entries[3]), "3:4:a5");
}

TEST(AnswerRecord, ThatIsDamaged) {
  AnswerEntry entry;
  EXPECT_EQ(read_said("guess", 0, "", entry), "an answer is of no kind");
  for (const char* const text : {"", "frog", "x:frog", "9:frog", ":frog", "-1:frog"}) {
    EXPECT_EQ(read_said("merge", 0, text, entry), "a change of classes has no two names") << text;
  }
}

}  // namespace
}  // namespace motet::discover::answer_record_test
