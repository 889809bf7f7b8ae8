#include "motet/app/discover/told.h"

#include <gtest/gtest.h>

#include "app/discover/support.h"

namespace motet::discover::told_test {
namespace {

class DiscoverItems : public DiscoverCommand {};

TEST_F(DiscoverItems, ItemsAreFoundByRowByTimeAndByName) {
  start();
  EXPECT_EQ(first_line(discover({"label", "@p.motet", "#7", "--nothing"})),
            "answer 1 is on the disk: item 7 (0.6 s to 0.7 s of one) is nothing");
  EXPECT_EQ(first_line(discover({"label", "@p.motet", "two@3.46", "owl"})),
            "answer 2 is on the disk: item 155 (3.4 s to 3.5 s of two) is 'owl', a new class");
  folder.write("named.csv", "item,a\nfirst,1\nsecond,2\n@3,2.5\n#2,1\nx,9\ny,8\nz,1.25\n");
  folder.write("more.csv", "item,a\nthird,1\nsecond,2\n");
  ASSERT_EQ(discover({"start", "@n.motet", "@named.csv", "--radius", "1", "--components", "2"}).code, 0);
  ASSERT_EQ(discover({"add", "@n.motet", "@more.csv"}).code, 0);
  EXPECT_EQ(first_line(discover({"label", "@n.motet", "first", "--nothing"})),
            "answer 2 is on the disk: item first (row 1 of named.csv) is nothing");
  EXPECT_EQ(first_line(discover({"label", "@n.motet", "#2", "c"})),
            "answer 3 is on the disk: item #2 (row 4 of named.csv) is 'c', a new class");
  expect_error({"discover", "label", "@n.motet", "second", "c"}, 2,
               "n.motet: item 'second' is there more than once; say #2 or #9, the number of its row");
  EXPECT_EQ(first_line(discover({"label", "@n.motet", "#9", "c"})),
            "answer 4 is on the disk: item second (row 2 of more.csv) is 'c'");
  expect_error({"discover", "label", "@n.motet", "5", "c"}, 2,
               "n.motet: item '5' is not there; items are named as in the data, or #1 to #9");
}

TEST_F(DiscoverItems, ItemsThatAreNotThere) {
  start();
  const std::string range = " is not there; items are 1 to 240, or RECORDING@SECONDS";
  expect_refused({"label", "@p.motet", "241", "x"}, 2, "p.motet: item '241'" + range);
  expect_refused({"label", "@p.motet", "0", "x"}, 2, "p.motet: item '0'" + range);
  expect_refused({"label", "@p.motet", "first", "x"}, 2, "p.motet: item 'first'" + range);
  expect_refused({"label", "@p.motet", "one@soon", "x"}, 2, "p.motet: item 'one@soon'" + range);
  expect_refused({"label", "@p.motet", "one@12.5", "x"}, 2,
                 "p.motet: item 'one@12.5' is not there; 'one' ends at 12 s");
  expect_refused({"label", "@p.motet", "six@2", "x"}, 2,
                 "p.motet: recording 'six' is not in the project; it has 'one', 'two'");
  EXPECT_TRUE(discover({"export", "@p.motet", "--format", "json"}).json().at("answers").as_list().empty());
}

}  // namespace
}  // namespace motet::discover::told_test
