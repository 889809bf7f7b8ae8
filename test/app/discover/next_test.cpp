#include "motet/app/discover/next.h"

#include <gtest/gtest.h>

#include <set>

#include "app/discover/support.h"

namespace motet::discover::next_test {
namespace {

class DiscoverNext : public DiscoverCommand {
 protected:
  std::set<std::string> items(const Words& words) const {
    std::set<std::string> found;
    const Ran ran = discover(joined({"next", "@p.motet", "--json", "-"}, words));
    EXPECT_EQ(ran.code, 0) << ran.err;
    const Value json = ran.json();
    for (const Value& item : json.at("items").as_list()) found.insert(item.at("item").as_text());
    return found;
  }
};

TEST_F(DiscoverNext, DifferentPeopleGetDifferentQuestions) {
  start();
  const std::set<std::string> plain = items({"--count", "1"});
  const std::set<std::string> ada = items({"--by", "Ada"});
  EXPECT_EQ(ada, plain);
  std::set<std::string> all = ada;
  for (const std::string name : {"Bo", "Cem", "Dot"}) {
    for (const std::string& item : items({"--by", name, "--count", "2"})) {
      EXPECT_TRUE(all.insert(item).second) << name << " " << item;
    }
  }
  EXPECT_EQ(all.size(), 7U);
  EXPECT_EQ(items({"--by", "Ada"}), ada);
  EXPECT_EQ(items({"--count", "1"}), plain);  // who does not say a name is told what is best
}

TEST_F(DiscoverNext, WhoAnswersUnderANameGoesOnWithReservations) {
  start();
  const std::string ada = *items({"--by", "Ada"}).begin();
  const std::string bo = *items({"--by", "Bo"}).begin();
  const Ran answered = discover({"label", "@p.motet", ada, "--nothing", "--by", "Ada", "--json", "-"});
  ASSERT_EQ(answered.code, 0) << answered.err;
  const std::string next = answered.json().at("items").as_list().at(0).at("item").as_text();
  EXPECT_NE(next, bo);
  EXPECT_EQ(*items({"--by", "Ada"}).begin(), next);
  EXPECT_EQ(*items({"--by", "Bo"}).begin(), bo);
}

TEST_F(DiscoverNext, WhenAllAreTakenItSaysSo) {
  start();
  const std::set<std::string> ada = items({"--by", "Ada", "--count", "1000"});
  EXPECT_GE(ada.size(), 20U);
  const Ran bo = discover({"next", "@p.motet", "--by", "Bo"});
  EXPECT_NE(bo.out.find(" is asked of Ada too: all others are taken\n"), std::string::npos) << bo.out;
  const Value json = discover({"next", "@p.motet", "--by", "Bo", "--json", "-"}).json();
  EXPECT_EQ(json.at("items").as_list().at(0).at("also_of").as_text(), "Ada");
}

TEST_F(DiscoverNext, OptionsThatBelongTogether) {
  start();
  expect_refused({"next", "@p.motet", "--hold", "5"}, 2, "--hold: needs --by NAME");
  expect_refused({"next", "@p.motet", "--clip-seconds", "5"}, 2, "--clip-seconds: needs --clip OUT.wav");
  expect_refused({"next", "@p.motet", "--recordings", "x"}, 2, "--recordings: needs --clip OUT.wav");
}

}  // namespace
}  // namespace motet::discover::next_test
