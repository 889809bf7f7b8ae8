// Commands of `motet superset` in tests, and small items to run them on.
#pragma once

#include <string>
#include <vector>

#include "cli/support.h"

namespace motet::superset {

class SupersetCommand : public CommandTest {
 protected:
  SupersetCommand() {
    run({"simulate", "--items", "150", "--classes", "3", "--clusters", "1", "--dimensions", "2", "--out", "@c.csv"});
  }

  Ran run(const Words& words) const { return motet(joined(joined({"superset"}, words), {"--quiet"})); }
  Ran train(const Words& more = {}) const {
    return run(
        joined({"train", "@c.csv", "--truth-column", "truth", "--model", "@m.json", "--method", "logistic-em"}, more));
  }
};

}  // namespace motet::superset
