#include "motet/app/discover/class_verbs.h"

#include <gtest/gtest.h>

#include "app/discover/support.h"

namespace motet::discover::class_verbs_test {
namespace {

class DiscoverClasses : public DiscoverCommand {
 protected:
  void answer() const {
    start();
    discover({"label", "@p.motet", "35", "forg"});
    discover({"label", "@p.motet", "36", "frog"});
    discover({"label", "@p.motet", "155", "owl"});
  }
  std::string classes() const {
    std::string text;
    const Value status = discover({"status", "@p.motet", "--json", "-"}).json();
    for (const Value& one : status.at("classes").as_list()) text += one.at("class").as_text() + " ";
    return text;
  }
};

TEST_F(DiscoverClasses, AreRenamedAndMergedAndExportFollows) {
  answer();
  EXPECT_EQ(discover({"rename", "@p.motet", "owl", "tawny owl", "--by", "Ada"}).out,
            "change 4 is on the disk: 'owl' was renamed to 'tawny owl', which has 1 answer now\n");
  EXPECT_EQ(discover({"merge", "@p.motet", "forg", "frog"}).out,
            "change 5 is on the disk: 'forg' was merged into 'frog', which has 2 answers now\n");
  EXPECT_EQ(classes(), "background frog tawny owl ");
  EXPECT_EQ(discover({"export", "@p.motet", "--answers-only"}).out,
            "sequence,begin,end,label,probability\n"
            "one,3.4,3.5,frog,\n"
            "one,3.5,3.6,frog,\n"
            "two,3.4,3.5,tawny owl,\n");
  const Value json = discover({"export", "@p.motet", "--format", "json"}).json();
  const Value& change = json.at("answers").as_list().at(4);
  EXPECT_EQ(change.at("answer").as_text(), "merge");
  EXPECT_EQ(change.at("class").as_text(), "forg");
  EXPECT_EQ(change.at("into").as_text(), "frog");
  ASSERT_EQ(discover({"status", "@p.motet", "--report", "@r.html"}).code, 0);
  EXPECT_NE(folder.read("r.html").find("owl renamed to tawny owl"), std::string::npos);
}

TEST_F(DiscoverClasses, ChangesAreUndoneInTheirTurn) {
  answer();
  const Value before = next_of();
  discover({"merge", "@p.motet", "forg", "frog", "--by", "Ada"});
  discover({"rename", "@p.motet", "frog", "toad"});
  EXPECT_EQ(first_line(discover({"undo", "@p.motet"})), "change 5 is undone: 'frog' was renamed to 'toad'");
  const Value undone = discover({"undo", "@p.motet", "--json", "-"}).json();
  EXPECT_EQ(undone.at("undone").as_list().at(0),
            Value::object({{"change", 4}, {"kind", "merge"}, {"class", "forg"}, {"into", "frog"}}));
  EXPECT_EQ(classes(), "background forg frog owl ");
  EXPECT_EQ(next_of(), before);
  EXPECT_EQ(first_line(discover({"undo", "@p.motet"})), "answer 3 is undone: item 155 was 'owl'");
}

TEST_F(DiscoverClasses, ChangesThatCannotBe) {
  answer();
  expect_refused({"rename", "@p.motet", "forg", "frog"}, 2,
                 "p.motet: class 'frog' is there already; to make one class of both, use `motet discover merge` with "
                 "'forg' and 'frog'");
  expect_refused({"merge", "@p.motet", "hen", "frog"}, 2,
                 "p.motet: class 'hen' is not there; the classes found are 'forg', 'frog', 'owl'");
  expect_refused({"rename", "@p.motet", "frog", "a\tb"}, 2,
                 "p.motet: class 'a b' has a tab, a line break or another control character; a class name is one line "
                 "of text");
  EXPECT_EQ(classes(), "background forg frog owl ");
}

}  // namespace
}  // namespace motet::discover::class_verbs_test
