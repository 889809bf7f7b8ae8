#include "motet/data/fingerprint.h"

#include <gtest/gtest.h>

#include <set>

namespace motet::fingerprint_test {
namespace {

struct SomeOptions {
  double tolerance = 0.5;
  bool quick = false;
};

template <class V>
void visit_fields(V& v, SomeOptions& o) {
  v("tolerance", o.tolerance, Range<double>{0.0, 1.0}, "");
  v("quick", o.quick, "");
}

const std::vector<double> numbers{1.0, 2.0, 3.0};
const std::vector<std::string> names{"a", "bc"};

TEST(Fingerprint, IsTheSameForTheSame) {
  const auto of_all = [] {
    BitMatrix bits(2, 70);
    bits.set(1, 69);
    return Fingerprint().add(numbers).add(names).add(bits).add(7).add_options(SomeOptions{}).text();
  };
  EXPECT_EQ(of_all(), of_all());
  EXPECT_EQ(of_all().size(), 16U);
  EXPECT_EQ(of_all().find_first_not_of("0123456789abcdef"), std::string::npos);
}

// Checkpoints are taken up by other runs of the program, so the digits are a promise.
TEST(Fingerprint, KeepsItsDigits) { EXPECT_EQ(Fingerprint().add(std::string("votes")).text(), "d0ffdfdb01c22065"); }

TEST(Fingerprint, DiffersWithEverythingThatWasAdded) {
  BitMatrix bits(2, 3);
  BitMatrix other = bits;
  other.set(1, 2);
  const std::set<std::string> all{
      Fingerprint().text(),
      Fingerprint().add(numbers).text(),
      Fingerprint().add(std::vector<double>{1.0, 3.0, 2.0}).text(),
      Fingerprint().add(std::vector<double>{1.0, 2.0}).add(3.0).text(),
      Fingerprint().add(std::vector<double>{}).text(),
      Fingerprint().add(0.0).text(),
      Fingerprint().add(-0.0).text(),
      Fingerprint().add(names).text(),
      Fingerprint().add(std::vector<std::string>{"ab", "c"}).text(),
      Fingerprint().add(bits).text(),
      Fingerprint().add(other).text(),
      Fingerprint().add(BitMatrix(3, 2)).text(),
      Fingerprint().add_options(SomeOptions{}).text(),
      Fingerprint().add_options(SomeOptions{0.25, false}).text(),
      Fingerprint().add_options(SomeOptions{0.5, true}).text(),
  };
  EXPECT_EQ(all.size(), 15U);
}

}  // namespace
}  // namespace motet::fingerprint_test
