#include "motet/audio/mfcc.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "motet/base/error.h"
#include "motet/base/rng.h"
#include "motet/io/audio_file.h"
#include "motet/io/json.h"

namespace motet::audio::mfcc_test {
namespace {

// Both sides are double precision with sums of up to 8193 terms; levels are up to a few hundred.
constexpr double tolerance = 1e-9;

// See test/golden/audio/README.md.
std::vector<float> golden_signal(std::size_t samples) {
  std::vector<float> sound(samples);
  std::uint64_t state = 1;
  for (std::size_t n = 0; n < samples; ++n) {
    state = (1103515245 * state + 12345) % (std::uint64_t{1} << 31);
    const double noise = static_cast<double>(state) / 2147483648.0 - 0.5;
    sound[n] =
        static_cast<float>(std::ldexp(noise, -static_cast<int>((n >> 11) & 7)) + (n / 37 % 2 == 1 ? 0.25 : -0.25));
  }
  return sound;
}

std::vector<double> rows_of(const MfccOptions& options, double rate, std::span<const float> sound,
                            std::size_t block = 10'000) {
  MfccStream stream(options, rate);
  std::vector<double> rows;
  for (std::size_t first = 0; first < sound.size(); first += block) {
    stream.push(sound.subspan(first, std::min(block, sound.size() - first)), rows);
  }
  stream.finish(rows);
  return rows;
}

// As librosa has them when nothing is said.
MfccOptions librosa_options(double rate, double window, double hop) {
  MfccOptions options;
  options.window = window / rate;
  options.hop = hop / rate;
  options.bands = 128;
  options.top_db = 80.0;
  options.centre = true;
  return options;
}

struct GoldenCase {
  std::string name;
  double rate;
  MfccOptions options;
};

std::vector<GoldenCase> golden_cases() {
  std::vector<GoldenCase> cases;
  MfccOptions options = librosa_options(22050, 2048, 512);
  options.coefficients = 20;
  cases.push_back({"default", 22050, options});
  options = librosa_options(22050, 512, 160);
  options.bands = 40;
  options.mel = MelScale::htk;
  options.mel_norm = MelNorm::none;
  cases.push_back({"htk", 22050, options});
  options = librosa_options(22050, 2048, 512);
  options.lifter = 22.0;
  options.low_hz = 50.0;
  options.high_hz = 8000.0;
  cases.push_back({"lifter", 22050, options});
  options = librosa_options(22050, 2048, 512);
  options.centre = false;
  cases.push_back({"not_centred", 22050, options});
  options = librosa_options(22050, 1125, 512);
  options.bands = 40;
  cases.push_back({"odd_window", 22050, options});
  cases.push_back({"frames", 44100, {}});
  options = {};
  options.mfcc_style = MfccStyle::slaney;
  options.window = 256.0 / 20480;
  options.hop = 0.01;
  cases.push_back({"toolbox", 20480, options});
  options.window = 0.25;
  options.hop = 0.1;
  cases.push_back({"toolbox_rows", 20480, options});
  return cases;
}

TEST(Mfcc, EqualsAnIndependentComputation) {
  std::ifstream in(std::string(MOTET_TEST_DIR) + "/golden/audio/mfcc.json");
  std::stringstream text;
  text << in.rdbuf();
  const Value golden = parse_json(text.str(), "mfcc.json");
  for (const GoldenCase& one : golden_cases()) {
    SCOPED_TRACE(one.name);
    const Value& expected = golden.at(one.name);
    const std::size_t width = one.options.coefficients;
    const std::vector<double> rows = rows_of(one.options, one.rate, golden_signal(static_cast<std::size_t>(one.rate)));
    ASSERT_EQ(rows.size(), width * static_cast<std::size_t>(expected.at("rows").as_whole()));
    const std::vector<double> kept = numbers_at(expected, "kept");
    for (std::size_t i = 0; i < kept.size(); ++i) {
      for (std::size_t c = 0; c < width; ++c) {
        EXPECT_NEAR(rows[static_cast<std::size_t>(kept[i]) * width + c],
                    expected.at("values").as_list()[i].as_list()[c].as_number(), tolerance)
            << "row " << kept[i] << " coefficient " << c;
      }
    }
  }
}

TEST(Mfcc, RowsDoNotDependOnTheBlocks) {
  const std::vector<float> sound = golden_signal(30'000);
  for (GoldenCase one : golden_cases()) {
    SCOPED_TRACE(one.name);
    const std::vector<double> whole = rows_of(one.options, one.rate, sound, sound.size());
    for (const std::size_t block : {1U, 333U, 4096U}) EXPECT_EQ(rows_of(one.options, one.rate, sound, block), whole);
  }
}

TEST(Mfcc, NumberOfRows) {
  const MfccOptions options;  // 11025 and 4410 samples at 44.1 kHz
  const auto rows = [&](std::size_t samples, double rate) {
    return rows_of(options, rate, std::vector<float>(samples)).size() / options.coefficients;
  };
  EXPECT_EQ(rows(0, 44100), 0U);
  EXPECT_EQ(rows(11024, 44100), 0U);
  EXPECT_EQ(rows(11025, 44100), 1U);
  EXPECT_EQ(rows(15434, 44100), 1U);
  EXPECT_EQ(rows(15435, 44100), 2U);
  EXPECT_EQ(rows(44100 * 10, 44100), (441000U - 11025) / 4410 + 1);
  EXPECT_EQ(rows(11025 * 100, 11025), 998U);  // a hop of 1102.5 samples does not drift
}

TEST(Mfcc, HopsLongerThanTheWindow) {
  MfccOptions options;
  options.window = 0.01;
  options.hop = 1.0;
  const std::vector<float> sound = golden_signal(8000 * 7);
  const std::vector<double> rows = rows_of(options, 8000, sound, 100);
  ASSERT_EQ(rows.size(), 7 * options.coefficients);
  options.hop = 0.5;
  const std::vector<double> twice = rows_of(options, 8000, sound);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(rows[i * 13], twice[2 * i * 13]);
}

TEST(Mfcc, SilenceIsFinite) {
  for (GoldenCase one : golden_cases()) {
    for (const double row : rows_of(one.options, one.rate, std::vector<float>(50'000))) {
      EXPECT_TRUE(std::isfinite(row)) << one.name;
    }
  }
  const std::vector<double> rows = rows_of({}, 44100, std::vector<float>(20'000));
  EXPECT_NEAR(rows[0], -100.0 * std::sqrt(40.0), 1e-9);  // 40 bands at 10 log10(1e-10)
  for (std::size_t c = 1; c < 13; ++c) EXPECT_NEAR(rows[c], 0.0, 1e-9);
}

TEST(Mfcc, AnySampleRate) {
  for (const MfccStyle style : {MfccStyle::librosa, MfccStyle::slaney}) {
    for (const double rate : {1024.0, 8000.0, 11025.0, 16000.0, 22254.5, 48000.0, 192000.0}) {
      MfccOptions options;
      options.mfcc_style = style;
      const std::vector<double> rows = rows_of(options, rate, golden_signal(static_cast<std::size_t>(rate)));
      EXPECT_EQ(rows.size(), 8 * options.coefficients) << rate;
      for (const double row : rows) ASSERT_TRUE(std::isfinite(row)) << rate;
    }
  }
}

TEST(Mfcc, ClockAndColumns) {
  MfccOptions options;
  options.coefficients = 3;
  const MfccStream stream(options, 44100);
  EXPECT_EQ(stream.clock(), (FrameClock{0.1, 0.25}));
  EXPECT_EQ(stream.columns(), (std::vector<std::string>{"mfcc0", "mfcc1", "mfcc2"}));
  options.centre = true;
  EXPECT_EQ(MfccStream(options, 44100).clock(), (FrameClock{0.1, 0.1}));
}

std::string error_of(const MfccOptions& options, double rate) {
  try {
    MfccStream(options, rate);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "no error";
}

TEST(Mfcc, Errors) {
  MfccOptions options;
  options.coefficients = 41;
  EXPECT_EQ(error_of(options, 44100), "coefficients = 41 is more than the 40 bands");
  options = {};
  options.window = 0.001;
  EXPECT_EQ(error_of(options, 2000), "window = 0.001 s is 2 samples at 2000 Hz; at least 4 are needed");
  options.mfcc_style = MfccStyle::slaney;
  EXPECT_EQ(error_of(options, 8000), "window = 0.001 s is 8 samples at 8000 Hz; at least 256 are needed");
  options = {};
  options.hop = 0.001;
  EXPECT_EQ(error_of(options, 500), "hop = 0.001 s is less than a sample at 500 Hz");
  options = {};
  options.high_hz = 8000.0;
  EXPECT_EQ(error_of(options, 8000),
            "bands from low_hz = 0 to high_hz = 8000 do not fit 8000 Hz; low < high <= 4000 is needed");
  options.window = 100.0;
  EXPECT_EQ(error_of(options, 8000), "window = 100 is outside [0.001, 60]");
}

// The vectors of speech and of four-channel signals are too large to be kept here: MOTET_GOLDEN names the folder
// that holds them in audio/.
class MfccVectors : public testing::Test {
 protected:
  void SetUp() override {
    const char* const folder = std::getenv("MOTET_GOLDEN");
    if (folder == nullptr || !std::filesystem::exists(std::string(folder) + "/audio/libri5s.wav")) GTEST_SKIP();
    folder_ = std::string(folder) + "/audio/";
  }

  // The rows of the file that are in the table, compared; returns how many the table has.
  std::size_t compare(const std::string& wav, const std::string& table, const MfccOptions& options) {
    AudioReader reader(folder_ + wav, 1);
    MfccStream stream(options, reader.info().sample_rate);
    std::vector<float> block(1000);
    std::vector<double> rows;
    for (std::size_t got = reader.read(block); got != 0; got = reader.read(block)) {
      stream.push(std::span(block).first(got), rows);
    }
    stream.finish(rows);
    found_ = rows.size() / options.coefficients;
    std::ifstream in(folder_ + table);
    std::size_t at = 0;
    double worst = 0.0;
    for (std::string line; std::getline(in, line);) {
      std::stringstream fields(line);
      for (std::string field; std::getline(fields, field, ',') && at < rows.size(); ++at) {
        worst = std::max(worst, std::abs(rows[at] - std::stod(field)));
      }
    }
    EXPECT_LE(worst, tolerance) << table;
    return at / options.coefficients;
  }

  std::string folder_;
  std::size_t found_ = 0;
};

TEST_F(MfccVectors, SpeechInTheStyleOfLibrosa) {
  const std::vector<GoldenCase> cases = golden_cases();
  EXPECT_EQ(compare("libri5s.wav", "libri5s.mfcc_default.csv", cases[0].options), 216U);
  EXPECT_EQ(found_, 216U);
  EXPECT_EQ(compare("libri5s.wav", "libri5s.mfcc_htk40.csv", cases[1].options), 690U);
  EXPECT_EQ(found_, 690U);
  EXPECT_EQ(compare("libri5s.wav", "libri5s.mfcc_lifter.csv", cases[2].options), 216U);
  EXPECT_EQ(found_, 216U);
  EXPECT_EQ(compare("libri5s.wav", "libri5s.mfcc_nocenter.csv", cases[3].options), 212U);
  EXPECT_EQ(found_, 212U);
}

TEST_F(MfccVectors, SignalsInTheStyleOfTheToolbox) {
  for (const char* name : {"front_white", "side_white", "front_harm", "oblique_clicks", "diffuse"}) {
    const std::string file = name;
    EXPECT_EQ(compare(file + ".wav", file + ".mfcc_slaney.csv", golden_cases()[6].options), 78U);
    EXPECT_EQ(found_, 79U);  // the Toolbox leaves out a last frame that fits
  }
}

}  // namespace
}  // namespace motet::audio::mfcc_test
