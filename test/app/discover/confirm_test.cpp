#include "motet/app/discover/confirm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/discover/support.h"

namespace motet::discover::confirm_test {
namespace {

// Rows 31 to 42, 91 to 102 of `one` and 151 to 162 of `two` are loud alike.
std::string table_of_frogs() {
  Rng rng(Seed{5});
  std::string text = "sequence,a,b\n";
  for (std::size_t n = 0; n < 240; ++n) {
    const bool is_loud = (n >= 30 && n < 42) || (n >= 90 && n < 102) || (n >= 150 && n < 162);
    text += n < 120 ? "one" : "two";
    for (int d = 0; d < 2; ++d) {
      text += "," + to_text(std::round((rng.normal() + (is_loud ? 8.0 : 0.0)) * 1000.0) / 1000.0);
    }
    text += "\n";
  }
  return text;
}

class DiscoverConfirm : public DiscoverCommand {
 protected:
  void begin() const {
    start({}, table_of_frogs());
    discover({"label", "@p.motet", "36", "frog"});
    discover({"label", "@p.motet", "60", "--nothing"});
    discover({"label", "@p.motet", "200", "--nothing"});
  }
  Value list(const Words& more = {}) const {
    return discover(joined({"confirm", "@p.motet", "frog", "--json", "-"}, more)).json();
  }
};

TEST_F(DiscoverConfirm, ListsWhatNobodyHasSpokenOf) {
  begin();
  const Ran ran = discover({"confirm", "@p.motet", "frog", "--order", "likely", "--count", "2"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("Is this 'frog' too? 2 of "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find(", as of answer 3\n\nitem  where "), std::string::npos) << ran.out;
  const Value json = list({"--order", "likely"});
  EXPECT_EQ(json.at("class").as_text(), "frog");
  EXPECT_EQ(json.at("as_of").as_whole(), 3);
  const Value::List& items = json.at("items").as_list();
  ASSERT_GE(items.size(), 2U);
  std::vector<std::string> first_two = {items[0].at("recording").as_text(), items[1].at("recording").as_text()};
  std::sort(first_two.begin(), first_two.end());
  EXPECT_EQ(first_two, (std::vector<std::string>{"one", "two"}));
  for (const Value& item : items) {
    EXPECT_FALSE(item.at("row").as_whole() >= 31 && item.at("row").as_whole() <= 42);  // it is answered
    EXPECT_GT(item.at("end").as_number(), item.at("begin").as_number());
  }
  EXPECT_GE(items[0].at("probability").as_number(), items[1].at("probability").as_number());
  // Useful first: p (1 - p) rows falls.
  const Value useful = list();
  double before = 1e9;
  for (const Value& item : useful.at("items").as_list()) {
    const double p = item.at("probability").as_number();
    const double use = p * (1.0 - p) * static_cast<double>(item.at("rows").as_whole());
    EXPECT_LE(use, before + 1e-12);
    before = use;
  }
}

TEST_F(DiscoverConfirm, AnswersManyAtOnceAndTheyAreUndoneOneByOne) {
  begin();
  const Value::List items = list({"--order", "likely", "--count", "2"}).at("items").as_list();
  const std::string first = items[0].at("item").as_text();
  const std::string second = items[1].at("item").as_text();
  const Ran ran = discover({"confirm", "@p.motet", "frog", "--yes", first, "--no", second, "--by", "Ada"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(first_line(ran), "2 answers are on the disk: 1 'frog', 1 nothing");
  const Value::List answers = discover({"export", "@p.motet", "--format", "json"}).json().at("answers").as_list();
  ASSERT_EQ(answers.size(), 5U);
  EXPECT_EQ(answers[3].at("item").as_text(), first);
  EXPECT_EQ(answers[3].at("by").as_text(), "Ada");
  EXPECT_EQ(answers[4].at("answer").as_text(), "nothing");
  EXPECT_EQ(first_line(discover({"undo", "@p.motet"})), "answer 5 is undone: item " + second + " was nothing, by Ada");
}

TEST_F(DiscoverConfirm, AllAreThoseOfTheListThatWasSeen) {
  begin();
  const Value::List items = list({"--order", "likely", "--count", "2"}).at("items").as_list();
  const std::string second = items[1].at("item").as_text();
  const Words all = {"confirm", "@p.motet", "frog", "--order", "likely", "--count",
                     "2",       "--yes",    "all",  "--no",    second};
  expect_refused(all, 2,
                 "confirm: all needs --as-of, the number that came with the list, so that nothing unseen is confirmed");
  expect_refused(joined(all, {"--as-of", "2"}), 2,
                 "p.motet: the last answer is 3 and not 2 any more; look at the list again");
  EXPECT_EQ(first_line(discover(joined(all, {"--as-of", "3"}))), "2 answers are on the disk: 1 'frog', 1 nothing");
  expect_refused(joined(all, {"--as-of", "3"}), 2,
                 "p.motet: the last answer is 5 and not 3 any more; look at the list again");
}

TEST_F(DiscoverConfirm, Refusals) {
  start({}, table_of_frogs());
  expect_refused({"confirm", "@p.motet", "frog"}, 2, "p.motet: class 'frog' is not in the project; it has none yet");
  discover({"label", "@p.motet", "36", "frog"});
  expect_refused({"confirm", "@p.motet", "toad"}, 2, "p.motet: class 'toad' is not in the project; it has 'frog'");
  expect_refused({"confirm", "@p.motet", "background"}, 2,
                 "p.motet: class 'background' is not in the project; it has 'frog'");
  expect_refused({"confirm", "@p.motet", "frog", "--yes", "all", "--no", "all"}, 2,
                 "confirm: only one of --yes and --no can be all");
  expect_refused({"confirm", "@p.motet", "frog", "--yes", "95", "--no", "one@9.45"}, 2,
                 "confirm: item '95' is named twice");
  expect_refused({"confirm", "@p.motet", "frog", "--yes", "999"}, 2,
                 "p.motet: item '999' is not there; items are 1 to 240, or RECORDING@SECONDS");
  EXPECT_EQ(discover({"export", "@p.motet", "--format", "json"}).json().at("answers").as_list().size(), 1U);
}

TEST_F(DiscoverConfirm, SaysWhenNothingIsLeft) {
  start({}, table_of_frogs());
  for (const char* item : {"36", "96", "156"}) discover({"label", "@p.motet", item, "frog"});
  for (Value::List items = list().at("items").as_list(); !items.empty(); items = list().at("items").as_list()) {
    discover({"label", "@p.motet", items[0].at("item").as_text(), "--nothing"});
  }
  EXPECT_EQ(discover({"confirm", "@p.motet", "frog"}).out, "No segment of 'frog' is left to confirm.\n");
}

}  // namespace
}  // namespace motet::discover::confirm_test
