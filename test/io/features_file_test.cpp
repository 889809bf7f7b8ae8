#include "motet/io/features_file.h"

#include "io/support.h"
#include "motet/io/npy.h"
#include "support/errors.h"

namespace motet::features_file_test {
namespace {

using Names = std::vector<std::string>;
using Numbers = std::vector<double>;

TEST(FeaturesFile, KindsGoByTheEndOfTheName) {
  EXPECT_TRUE(is_npy("a/b.npy"));
  EXPECT_FALSE(is_npy("a.npy/b.csv"));
  EXPECT_FALSE(is_npy("npy"));
  EXPECT_FALSE(is_npy("-"));
}

TEST(FeaturesFile, ReadsTheSameNumbersFromBothKinds) {
  const TemporaryFolder folder;
  write_npy(folder / "x.npy", {2, 3, {1, 2, 3, 4, 5, 6}});
  folder.write("x.csv", "x1,x2,x3\n1,2,3\n4,5,6\n");
  FeaturesFormat format;
  format.clock = {0.1, 0.0};
  for (const char* name : {"x.npy", "x.csv"}) {
    const FeaturesFile read = read_features(folder / name, format, {});
    EXPECT_EQ(read.features.columns, (Names{"x1", "x2", "x3"})) << name;
    EXPECT_EQ(read.features.values, (Numbers{1, 2, 3, 4, 5, 6})) << name;
    EXPECT_EQ(read.features.starts, (std::vector<std::size_t>{0, 2})) << name;
    EXPECT_EQ(read.features.clock, (FrameClock{0.1, 0.1})) << name;
    EXPECT_TRUE(read.labels.empty()) << name;
    EXPECT_TRUE(read.warnings.empty()) << name;
  }
}

TEST(FeaturesFile, ColumnsWithoutNamesCannotBeNamed) {
  const TemporaryFolder folder;
  write_npy(folder / "x.npy", {1, 1, {1}});
  std::vector<FeaturesFormat> formats(4);
  formats[0].sequence_column = "a";
  formats[1].item_column = "a";
  formats[2].labels = {"a"};
  formats[3].leave_out = {"a"};
  for (const FeaturesFormat& format : formats) {
    EXPECT_EQ(folder.error_of([&] { read_features(folder / "x.npy", format, {}); }, ErrorKind::usage),
              "x.npy: columns of an .npy have no names; options that name columns need a CSV");
  }
}

}  // namespace
}  // namespace motet::features_file_test
