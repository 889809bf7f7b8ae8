// Runs the tests. Property tests draw from a fixed seed unless RC_PARAMS says otherwise.
#include <gtest/gtest.h>

#include <cstdlib>

int main(int argc, char** argv) {
  setenv("RC_PARAMS", "seed=1", 0);  // 0: what is set already stays
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
