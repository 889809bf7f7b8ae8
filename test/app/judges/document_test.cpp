// What `motet judges` prints about the sample, word for word. MOTET_UPDATE_GOLDEN=1
// writes the files anew; look at the difference before committing it.
#include "motet/app/judges/document.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "cli/support.h"
#include "motet/io/file.h"

namespace motet::judges::document_test {
namespace {

class JudgesDocument : public CommandTest {
 protected:
  void expect_golden(const std::string& name, const Words& words) const {
    const std::string path = MOTET_TEST_DIR "/golden/cli/" + name;
    const Ran ran = done(words);
    if (std::getenv("MOTET_UPDATE_GOLDEN") != nullptr) write_atomically(path, ran.out);
    EXPECT_EQ(ran.out, read_whole(path)) << path;
  }
};

TEST_F(JudgesDocument, Estimate) { expect_golden("estimate.txt", {"judges", "estimate", sample()}); }

TEST_F(JudgesDocument, EstimateWithGold) {
  expect_golden("estimate_gold.txt", {"judges", "estimate", sample(), "--gold", sample_truth()});
}

TEST_F(JudgesDocument, EstimateWithDependence) {
  expect_golden("estimate_pairwise.txt",
                {"judges", "estimate", sample(), "--noise", "symmetric", "--dependence", "pairwise"});
}

TEST_F(JudgesDocument, Combine) {
  ASSERT_EQ(motet({"judges", "estimate", sample(), "--model", "@m.json"}).code, 0);
  expect_golden("combine.txt", {"judges", "combine", sample(), "--model", "@m.json", "--combined", "@l.csv"});
}

}  // namespace
}  // namespace motet::judges::document_test
