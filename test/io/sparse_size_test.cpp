#include "motet/io/sparse_size.h"

#include "io/support.h"
#include "support/errors.h"

namespace motet::sparse_size_test {
namespace {

TEST(SparseSize, AFewNumbersDoNotMakeALargeTable) {
  const TemporaryFolder folder;
  require_sparse_size("x.svm", 1, 1'000'000, 1);
  require_sparse_size("x.svm", 100, 1'000'000, 10'000);
  EXPECT_EQ(folder.error_of([] { require_sparse_size("x.svm", 1, 10'000'000, 1); }),
            "x.svm: 1 x 10000000 is too large a table for the 1 number in it; at least one in 10000 must be given");
  EXPECT_EQ(folder.error_of([] { require_sparse_size("x.svm", 101, 1'000'000, 10'000); }),
            "x.svm: 101 x 1000000 is too large a table for the 10000 numbers in it; at least one in 10000 must be "
            "given");
}

TEST(SparseSize, WhatIsDenseEnoughMustFitIntoMemory) {
  const TemporaryFolder folder;
  const std::string text = folder.error_of(
      [] { require_sparse_size("x.svm", 50'000, 10'000'000, std::size_t{1} << 40); }, ErrorKind::machine_limit);
  EXPECT_TRUE(text.starts_with("x.svm: 50000 items x 10000000 features would take 4000.0 GB, and ")) << text;
}

}  // namespace
}  // namespace motet::sparse_size_test
