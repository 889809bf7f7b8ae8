// The experiments on temporal and discover: that each runs on small data.
#include <gtest/gtest.h>

#include <filesystem>

#include "experiments/point_sets.h"
#include "experiments/support.h"
#include "motet/base/rng.h"
#include "support/errors.h"

namespace motet::discover::discover_experiments_test {
namespace {

// Two classes of 30 points, or three of 20, 6 and 4, in the layout of the public sets.
void write_sets(const TemporaryFolder& folder) {
  std::filesystem::create_directory(folder / "temporal");
  for (const std::string name : {"atom", "wingnut", "engytime", "ecoli", "glass"}) {
    const bool is_rare = name == "ecoli" || name == "glass";
    Rng rng(Seed{name.size()});
    std::string points;
    std::string labels;
    for (int i = 0; i < (is_rare ? 30 : 60); ++i) {
      const int label = is_rare ? (i < 20 ? 1 : i < 26 ? 2 : 3) : i % 2 + 1;
      points += std::to_string(4.0 * label + rng.normal()) + "\t" + std::to_string(rng.normal()) + "\n";
      labels += std::to_string(label) + "\n";
    }
    folder.write("temporal/" + name + ".data.gz", points);
    folder.write("temporal/" + name + ".labels0.gz", labels);
  }
}

class DiscoverExperimentsSlow : public ExperimentTest {};

TEST_P(DiscoverExperimentsSlow, RunOnSmallDataTheSameOnAnyNumberOfThreads) {
  write_sets(folder);
  expect_the_same_on_any_number_of_threads();
}

INSTANTIATE_TEST_SUITE_P(All, DiscoverExperimentsSlow,
                         testing::Values("temporal-fig5-4", "temporal-fig5-5", "temporal-table-5-2", "discover-fig6-1",
                                         "discover-toy", "discover-uci", "discover-five-classes", "discover-fig7-1",
                                         "discover-table7-3", "discover-fig7-3", "discover-table7-4",
                                         "discover-table7-5", "discover-appendix-a", "discover-recordings",
                                         "discover-tables", "discover-segments", "discover-transfer", "discover-unseen",
                                         "discover-defaults"),
                         plain_name);

class PointSets : public PublicData {
 protected:
  PointSets() : PublicData("temporal") {}
};

TEST_F(PointSets, AreReadInTheOrderOfTheFile) {
  folder.write("temporal/a.data.gz", "1.5 2\n\n-3e0\t4\r\n");
  folder.write("temporal/a.labels0.gz", "2\n1\n");
  const PointSet set = read_point_set(context, "a");
  EXPECT_EQ(set.features.values, (std::vector<double>{1.5, 2.0, -3.0, 4.0}));
  EXPECT_EQ(set.of_class, (std::vector<std::uint32_t>{1, 0}));
  EXPECT_EQ(set.classes, 2U);
  const PointSet turned = in_order(set, {1, 0});
  EXPECT_EQ(turned.features.values, (std::vector<double>{-3.0, 4.0, 1.5, 2.0}));
  EXPECT_EQ(turned.of_class, (std::vector<std::uint32_t>{0, 1}));
}

TEST_F(PointSets, SayWhatIsWrongWithAFile) {
  folder.write("temporal/a.data.gz", "1 2\n1 x\n");
  folder.write("temporal/a.labels0.gz", "1\n");
  EXPECT_EQ(folder.error_of([&] { read_point_set(context, "a"); }), "temporal/a.data.gz:2: 'x' is not a number");
  folder.write("temporal/a.data.gz", "1 2\n1 3\n");
  EXPECT_EQ(folder.error_of([&] { read_point_set(context, "a"); }), "temporal/a: 1 labels do not fit 2 points");
}

}  // namespace
}  // namespace motet::discover::discover_experiments_test
