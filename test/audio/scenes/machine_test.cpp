#include "motet/audio/scenes/machine.h"

#include <gtest/gtest.h>

#include <cmath>

#include "audio/scenes/blobs.h"

namespace motet::audio::machine_test {
namespace {

std::vector<double> said_of(const Blobs& train, const Blobs& asked, const MachineOptions& options) {
  const Machine machine = train_machine(train.rows, inner_products(train.rows), train.target, options);
  std::vector<double> said;
  for (std::size_t n = 0; n < asked.rows.rows(); ++n) said.push_back(machine.say(asked.rows.row(n)));
  return said;
}

TEST(Machine, ClassesOnTheLineAreHalfway) {
  Blobs line{{1, {-1, -2, 1, 2}}, {{"low", "high"}, {0, 0, 1, 1}}, {}};
  const Machine machine = train_machine(line.rows, inner_products(line.rows), line.target, {Kernel::linear, 1000.0});
  EXPECT_EQ(machine.say(std::vector<double>{-0.01}), 0.0);
  EXPECT_EQ(machine.say(std::vector<double>{0.01}), 1.0);
  EXPECT_EQ(machine.vectors.rows(), 2U);  // those next to the other class
}

TEST(Machine, SeveralClassesByBothKernels) {
  const Blobs train = class_blobs(120, 4, 6, 6.0);
  const Blobs asked = class_blobs(80, 4, 6, 6.0, 2);
  EXPECT_LT(balanced_error(asked.target.values, said_of(train, asked, {Kernel::linear, 10.0}), 4), 0.03);
  EXPECT_LT(balanced_error(asked.target.values, said_of(train, asked, {Kernel::rbf, 10.0, 0.3}), 4), 0.03);
}

TEST(Machine, NumbersByBothKernels) {
  const Blobs train = number_blobs(150, 3);
  const Blobs asked = number_blobs(60, 3, 2);
  EXPECT_LT(mean_residual(asked.target.values, said_of(train, asked, {Kernel::linear, 100.0, 1.0, 0.01})), 0.1);
  EXPECT_LT(mean_residual(asked.target.values, said_of(train, asked, {Kernel::rbf, 100.0, 0.3, 0.01})), 0.5);
}

// A ring inside another cannot be cut by a line.
TEST(Machine, OnlyTheRbfKernelTellsRingsApart) {
  Blobs rings{{2, {}}, {{"in", "out"}, {}}, {}};
  for (int i = 0; i < 40; ++i) {
    const double radius = i % 2 == 0 ? 1.0 : 3.0;
    rings.rows.values.push_back(radius * std::cos(i));
    rings.rows.values.push_back(radius * std::sin(i));
    rings.target.values.push_back(i % 2);
  }
  EXPECT_EQ(balanced_error(rings.target.values, said_of(rings, rings, {Kernel::rbf, 100.0, 1.0}), 2), 0.0);
  EXPECT_GT(balanced_error(rings.target.values, said_of(rings, rings, {Kernel::linear, 100.0}), 2), 0.2);
}

}  // namespace
}  // namespace motet::audio::machine_test
