// What the tests of `motet discover` share.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/support.h"
#include "motet/base/rng.h"
#include "support/wav.h"

namespace motet::discover {

// Two log files of 120 rows per sequence, each with one loud stretch: rows 31 to 42 of `one`, 151 to 162 of `two`.
inline std::string small_table(const std::string& names = "one,two", std::uint64_t seed = 5) {
  Rng rng(Seed{seed});
  std::string text = "sequence,a,b\n";
  for (std::size_t n = 0; n < 240; ++n) {
    const std::size_t comma = names.find(',');
    text += n < 120 ? names.substr(0, comma) : names.substr(comma + 1);
    for (int d = 0; d < 2; ++d) {
      const double value = rng.normal() + (n % 120 >= 30 && n % 120 < 42 ? (n < 120 ? 8.0 : -8.0) : 0.0);
      text += "," + to_text(std::round(value * 1000.0) / 1000.0);
    }
    text += "\n";
  }
  return text;
}

// Noise at 8000 samples per second with a tone in the middle, 16 bits.
inline std::string small_wav(double seconds, std::uint64_t seed, std::uint32_t rate = 8000) {
  Rng rng(Seed{seed});
  const auto count = static_cast<std::uint32_t>(seconds * rate);
  std::vector<std::int16_t> samples;
  for (std::uint32_t i = 0; i < count; ++i) {
    const bool sounds = i > count / 2 && i < count / 2 + 8000;
    const double value = 500.0 * rng.normal() + (sounds ? 9000.0 * std::sin(0.9 * i) : 0.0);
    samples.push_back(static_cast<std::int16_t>(value));
  }
  return wav_of(samples, rate);
}

class DiscoverCommand : public CommandTest {
 protected:
  void start(const Words& more = {}, const std::string& table = small_table()) const {
    folder.write("d.csv", table);
    const Ran ran = done(joined({"discover", "start", "@p.motet", "@d.csv", "--radius", "5", "--hop", "0.1",
                                 "--components", "2", "--threads", "1"},
                                more));
  }
  Ran discover(const Words& words) const { return motet(joined({"discover"}, words)); }
  void expect_refused(const Words& words, int code, const std::string& text) const {
    expect_error(joined({"discover"}, words), code, text);
  }
  Value next_of(const std::string& name = "@p.motet") const { return discover({"next", name, "--json", "-"}).json(); }
  std::string first_line(const Ran& ran) const { return ran.out.substr(0, ran.out.find('\n')); }
};

}  // namespace motet::discover
