#include "motet/discover/bytes.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "discover/search_cases.h"
#include "support/errors.h"

namespace motet::discover::bytes_test {
namespace {

Discovery some_search(const LabelledFeatures& data, Strategy strategy, int answers) {
  Discovery discovery = start_discovery(data.features, search_options(strategy, 5), {});
  for (int i = 0; i < answers; ++i) {
    take_answer(data.features, discovery, true_answer(data, discovery.queue.front().row), {});
  }
  return discovery;
}

std::string told(std::string_view bytes) {
  return refusal([&] { discovery_from_bytes(bytes); });
}

TEST(SearchBytes, ComeBackAsTheSameSearch) {
  const LabelledFeatures data = short_events(Seed{1});
  for (const Strategy strategy : every_strategy) {
    const Discovery before = some_search(data, strategy, 9);
    const std::string bytes = to_bytes(before);
    const Discovery after = discovery_from_bytes(bytes);
    EXPECT_EQ(to_bytes(after), bytes);
    EXPECT_EQ(after.mixture.components, before.mixture.components);
    EXPECT_EQ(after.answers, before.answers);
    EXPECT_EQ(after.choices, before.choices);
    EXPECT_EQ(after.states, before.states);
    EXPECT_EQ(after.options.strategy, strategy);
  }
}

TEST(SearchBytes, GoOnAsIfNothingHadHappened) {
  const LabelledFeatures data = short_events(Seed{2});
  for (const Strategy strategy : every_strategy) {
    Discovery kept = some_search(data, strategy, 0);
    std::string saved = to_bytes(kept);
    for (int i = 0; i < 25 && !kept.queue.empty(); ++i) {
      Discovery loaded = discovery_from_bytes(saved);
      const Answer answer = true_answer(data, kept.queue.front().row);
      take_answer(data.features, kept, answer, {});
      take_answer(data.features, loaded, answer, {});
      saved = to_bytes(kept);
      ASSERT_TRUE(to_bytes(loaded) == saved) << name_of(strategy) << " after answer " << i + 1;
    }
  }
}

TEST(SearchBytes, UndoIsGoingBackToTheBytesBefore) {
  const LabelledFeatures data = short_events(Seed{3});
  Discovery discovery = some_search(data, Strategy::temporal, 10);
  const std::string before = to_bytes(discovery);
  take_answer(data.features, discovery, {100, AnswerKind::of_class, "wrong"}, {});
  Discovery undone = discovery_from_bytes(before);
  Discovery straight = some_search(data, Strategy::temporal, 10);
  for (int i = 0; i < 10; ++i) {
    const Answer answer = true_answer(data, undone.queue.front().row);
    take_answer(data.features, undone, answer, {});
    take_answer(data.features, straight, answer, {});
    EXPECT_TRUE(to_bytes(undone) == to_bytes(straight));
  }
}

TEST(SearchBytes, RefuseEveryCutAndEveryFlippedBit) {
  const LabelledFeatures data = short_events(Seed{4});
  const std::string bytes = to_bytes(some_search(data, Strategy::temporal, 5));
  for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 300) {
    EXPECT_NE(told(bytes.substr(0, size)), "accepted");
  }
  for (std::size_t i = 0; i < bytes.size(); i += 1 + bytes.size() / 300) {
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(flipped[i] ^ (1 << (i % 8)));
    EXPECT_NE(told(flipped), "accepted") << i;
  }
  EXPECT_EQ(told("something else"), "this is not the saved state of a search");
  std::string damaged = bytes;
  damaged[bytes.size() / 2] = static_cast<char>(damaged[bytes.size() / 2] ^ 1);
  EXPECT_EQ(told(damaged), "the saved state is damaged; its checksum does not fit");
}

// Bytes with a number of 8 bytes changed, and a checksum that fits again.
std::string changed(std::string bytes, std::size_t at, std::uint64_t number) {
  const auto put = [&](std::size_t place, std::uint64_t value) {
    for (std::size_t i = 0; i < 8; ++i) bytes[place + i] = static_cast<char>(value >> (8 * i));
  };
  put(at, number);
  const std::size_t sealed = bytes.size() - 8;
  put(sealed, crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), sealed));
  return bytes;
}

TEST(SearchBytes, RefuseNewerVersionsAndWhatContradictsItself) {
  const LabelledFeatures data = short_events(Seed{4});
  DiscoverOptions old = search_options(Strategy::temporal, 5);
  old.covariance = CovarianceChoice::full;
  const std::string bytes = to_bytes(start_discovery(data.features, old, {}));
  const std::size_t mark = std::string_view("motet search").size();
  const std::size_t end = bytes.size() - 8;
  EXPECT_EQ(changed(bytes, mark, 1), bytes);
  EXPECT_EQ(told(changed(bytes, mark, 4)), "the saved state has version 4; this program knows versions 1 to 3");
  EXPECT_EQ(told(changed(bytes, mark + 8, 6)), "the saved state contradicts itself");     // there are 6 strategies
  EXPECT_EQ(told(changed(bytes, end - 8 * 4, 2)), "the saved state contradicts itself");  // floors of 2 of 3 columns
  EXPECT_EQ(told(bytes.substr(0, mark + 10)), "the saved state ends too early");
}

TEST(SearchBytes, KeepWhatOnlyTheNewerVersionKnows) {
  const LabelledFeatures data = short_events(Seed{4});
  const std::size_t mark = std::string_view("motet search").size();
  DiscoverOptions options = search_options(Strategy::temporal, 0);
  options.weights = temporal::WeightShape::custom;
  options.weight_values = "3,2,1";
  options.covariance = CovarianceChoice::diagonal;
  const Discovery before = start_discovery(data.features, options, {});
  const std::string bytes = to_bytes(before);
  EXPECT_EQ(changed(bytes, mark, 2), bytes);
  const Discovery after = discovery_from_bytes(bytes);
  EXPECT_EQ(after.options.weights, options.weights);
  EXPECT_EQ(after.options.weight_values, "3,2,1");
  EXPECT_EQ(after.options.covariance, options.covariance);
  EXPECT_EQ(after.options.radius, 3U);
  EXPECT_EQ(to_bytes(after), bytes);
}

TEST(SearchBytes, RefuseMoreRowsThanThereAre) {
  const LabelledFeatures data = short_events(Seed{4});
  const std::string bytes = to_bytes(some_search(data, Strategy::temporal, 5));
  const std::size_t rows = data.features.rows();
  EXPECT_EQ(to_bytes(discovery_from_bytes(bytes, rows)), bytes);
  EXPECT_THROW(discovery_from_bytes(bytes, rows - 1), Error);
}

TEST(SearchBytes, KeepWhatWasTakenAlongFromAnotherProject) {
  const LabelledFeatures data = short_events(Seed{4});
  const std::size_t mark = std::string_view("motet search").size();
  const Carried carried{"old.motet", {{"owl", {1.0, -2.5, 0.125}, 7.0}, {"", {0.0, 0.0, 1e-300}, 1.0}}};
  Discovery before = start_discovery(data.features, search_options(Strategy::temporal, 5), {}, carried);
  const std::string bytes = to_bytes(before);
  EXPECT_EQ(changed(bytes, mark, 3), bytes);
  Discovery after = discovery_from_bytes(bytes);
  EXPECT_EQ(after.carried, carried);
  EXPECT_EQ(to_bytes(after), bytes);
  const Answer answer = true_answer(data, before.queue.front().row);
  take_answer(data.features, before, answer, {});
  take_answer(data.features, after, answer, {});
  EXPECT_EQ(to_bytes(after), to_bytes(before));
  before.carried.examples[0].values.pop_back();
  EXPECT_EQ(told(to_bytes(before)), "the saved state contradicts itself");
  before.carried = {};
  const std::string plain = to_bytes(before);
  EXPECT_EQ(changed(plain, mark, 2), plain);  // older programs read it
}

}  // namespace
}  // namespace motet::discover::bytes_test
