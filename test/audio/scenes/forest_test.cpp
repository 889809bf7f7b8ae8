#include "motet/audio/scenes/forest.h"

#include "audio/scenes/blobs.h"
#include "support/errors.h"

namespace motet::audio::forest_test {
namespace {

TEST(Forest, ClassesAndNumbers) {
  const Blobs train = class_blobs(150, 3, 8, 4.0);
  const Blobs asked = class_blobs(90, 3, 8, 4.0, 2);
  const Forest forest = Forest::grow(train.rows, train.target, {60}, Seed{1});
  EXPECT_LT(balanced_error(asked.target.values, forest.say(asked.rows), 3), 0.08);
  const Blobs numbers = number_blobs(300, 4);
  const Blobs other = number_blobs(100, 4, 2);
  const std::vector<double> said = Forest::grow(numbers.rows, numbers.target, {60}, Seed{1}).say(other.rows);
  EXPECT_LT(mean_residual(other.target.values, said), 0.9);  // 1.8 for their mean
}

TEST(Forest, SameSeedSameTreesAndTextThereAndBack) {
  const Blobs train = class_blobs(60, 2, 5, 2.0);
  const Forest forest = Forest::grow(train.rows, train.target, {20}, Seed{3});
  EXPECT_EQ(forest.to_text(), Forest::grow(train.rows, train.target, {20}, Seed{3}).to_text());
  EXPECT_NE(forest.to_text(), Forest::grow(train.rows, train.target, {20}, Seed{4}).to_text());
  EXPECT_EQ(Forest::from_text(forest.to_text(), 5, 2).say(train.rows), forest.say(train.rows));
  EXPECT_TRUE(forest.say({5, {}}).empty());
}

TEST(Forest, WhatIsNoForestIsRefused) {
  EXPECT_EQ(error_of([] { Forest::from_text("{}", 5, 2); }, ErrorKind::bad_data),
            "field 'forest' holds no trees that can be read");
}

}  // namespace
}  // namespace motet::audio::forest_test
