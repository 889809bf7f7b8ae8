// `motet judges estimate --noise glad` from end to end.
#include <gtest/gtest.h>

#include "cli/support.h"

namespace motet::judges_glad_test {
namespace {

class GladVerb : public CommandTest {};

TEST_F(GladVerb, TellsDifficultiesAndAModelThatCombinesAsTheFitDid) {
  const Ran ran = motet({"judges", "estimate", sample(), "--noise", "glad", "--difficulties", "@d.csv", "--combined",
                         "@l.csv", "--model", "@m.json", "--json", "@r.json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Value json = json_of("r.json");
  const Value::List& items = json.at("difficulties").as_list();
  ASSERT_EQ(items.size(), 300U);
  EXPECT_EQ(items[0].at("item").as_text(), "item1");
  EXPECT_GT(items[1].at("difficulty").as_number(), items[0].at("difficulty").as_number());
  EXPECT_GT(json.at("judges").as_list()[0].at("ability").as_number(), 1.0);
  EXPECT_TRUE(folder.read("d.csv").starts_with("item,difficulty,low,high\nitem1,0.394"));
  ASSERT_EQ(motet({"judges", "combine", sample(), "--model", "@m.json", "--combined", "@again.csv"}).code, 0);
  EXPECT_EQ(folder.read("again.csv"), folder.read("l.csv"));
}

TEST_F(GladVerb, RefusesWhatOtherModelsHave) {
  expect_error({"judges", "estimate", sample(), "--difficulties", "@d.csv"}, 2,
               "--difficulties: only a model that tells items apart has them; add --noise glad");
  ASSERT_EQ(motet({"judges", "estimate", sample(), "--noise", "glad", "--model", "@m.json"}).code, 0);
  expect_error({"judges", "estimate", "--update", sample(), "--model", "@m.json"}, 2,
               "update: a model of --noise glad cannot be added to; fit all votes together");
}

}  // namespace
}  // namespace motet::judges_glad_test
