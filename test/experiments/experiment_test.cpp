// `motet reproduce`.
#include "experiments/experiment.h"

#include <gtest/gtest.h>

#include "cli/support.h"

namespace motet::experiment_test {
namespace {

class ReproduceVerb : public CommandTest {};

TEST_F(ReproduceVerb, ListsAndRefuses) {
  const Ran ran = motet({"reproduce", "--json", "@list.json"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(ran.out.ends_with("motet reproduce NAME runs one; --report FILE.html draws it.\n"));
  const Value list = json_of("list.json");
  for (const Value& experiment : list.as_list()) {
    EXPECT_NE(ran.out.find(experiment.at("name").as_text()), std::string::npos);
    EXPECT_FALSE(experiment.at("purpose").as_text().empty());
  }
  expect_error({"reproduce", "judges-fig99"}, 2, "no experiment 'judges-fig99'; motet reproduce lists them");
  expect_error({"reproduce", "judges-fig4", "--json", "@none/r.json"}, 5,
               "none/r.json: cannot be written: No such file or directory");
  expect_error({"reproduce", "judges-public-sets", "--data", "@none"}, 3,
               "the public data 'judges/bluebird' are not here; name their folder with --data or MOTET_DATA");
}

}  // namespace
}  // namespace motet::experiment_test
