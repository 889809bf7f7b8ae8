#include <Eigen/Core>

#include <gtest/gtest.h>

namespace motet::eigen_test {
namespace {

// What the caches of this machine are must not decide in which order a product adds up.
TEST(EigenProducts, AreCutTheSameOnEveryMachine) {
  EXPECT_EQ(Eigen::l1CacheSize(), 32 * 1024);
  EXPECT_EQ(Eigen::l2CacheSize(), 256 * 1024);
  EXPECT_EQ(Eigen::l3CacheSize(), 2 * 1024 * 1024);
}

}  // namespace
}  // namespace motet::eigen_test
