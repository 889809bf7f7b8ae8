#include "motet/audio/mfcc.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "audio/field_support.h"
#include "audio/golden_signal.h"
#include "motet/base/rng.h"
#include "motet/io/audio_file.h"
#include "motet/io/json.h"
#include "support/errors.h"
#include "support/processor.h"

namespace motet::audio::mfcc_test {
namespace {

// Both sides are double precision with sums of up to 8193 terms; levels are up to a few hundred.
constexpr double tolerance = 1e-9;

// Of single precision, relative to the largest coefficient: sums of some hundred terms, and the logarithm of small
// bands.
constexpr double single_tolerance = 2e-5;

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
  MfccOptions options{.window = window / rate, .hop = hop / rate, .bands = 128, .top_db = 80.0, .centre = true};
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

MfccOptions speech_options(std::size_t window, std::size_t hop) {
  MfccOptions options;
  options.window_samples = window;
  options.hop_samples = hop;
  options.centre = true;
  return options;
}

std::vector<GoldenCase> further_cases() {
  std::vector<GoldenCase> cases;
  MfccOptions options = speech_options(2048, 512);
  options.coefficients = 20;
  options.bands = 128;
  options.top_db = 80.0;
  options.pad = Padding::reflect;
  cases.push_back({"reflect", 22050, options});
  options = speech_options(400, 160);
  options.fft_size = 400;  // no power of two
  cases.push_back({"fft_of_400", 16000, options});
  options = speech_options(300, 160);
  options.fft_size = 512;
  options.centre = false;
  cases.push_back({"short_window", 16000, options});
  options = speech_options(512, 160);
  options.power = 1.0;
  cases.push_back({"magnitude", 16000, options});
  options = speech_options(512, 160);
  options.dct_norm = DctNorm::none;
  cases.push_back({"no_dct_norm", 16000, options});
  options = speech_options(400, 160);
  options.mfcc_style = MfccStyle::kaldi;
  options.bands = 23;
  options.low_hz = 20.0;
  options.lifter = 22.0;
  cases.push_back({"kaldi", 16000, options});
  return cases;
}

TEST(Mfcc, EqualsAnIndependentComputation) {
  std::ifstream in(std::string(MOTET_TEST_DIR) + "/golden/audio/mfcc.json");
  std::stringstream text;
  text << in.rdbuf();
  const Value golden = parse_json(text.str(), "mfcc.json");
  std::vector<GoldenCase> cases = golden_cases();
  for (GoldenCase& one : further_cases()) cases.push_back(std::move(one));
  for (const GoldenCase& one : cases) {
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
  std::vector<GoldenCase> cases = golden_cases();
  for (GoldenCase& one : further_cases()) cases.push_back(std::move(one));
  for (GoldenCase one : cases) {
    SCOPED_TRACE(one.name);
    for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
      one.options.precision = precision;
      const std::vector<double> whole = rows_of(one.options, one.rate, sound, sound.size());
      for (const std::size_t block : {1U, 333U, 4096U}) EXPECT_EQ(rows_of(one.options, one.rate, sound, block), whole);
    }
  }
}

TEST(Mfcc, SinglePrecisionKeepsSixDigits) {
  std::vector<GoldenCase> cases = golden_cases();
  for (GoldenCase& one : further_cases()) cases.push_back(std::move(one));
  for (GoldenCase one : cases) {
    SCOPED_TRACE(one.name);
    const std::vector<float> sound = golden_signal(20'000);
    const std::vector<double> exact = rows_of(one.options, one.rate, sound);
    one.options.precision = Precision::single_precision;
    const std::vector<double> found = rows_of(one.options, one.rate, sound);
    ASSERT_EQ(found.size(), exact.size());
    double largest = 0.0;
    double worst = 0.0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      largest = std::max(largest, std::abs(exact[i]));
      worst = std::max(worst, std::abs(found[i] - exact[i]));
    }
    EXPECT_LE(worst, single_tolerance * largest);
    EXPECT_GT(worst, 0.0);  // it is another computation
  }
}

TEST(Mfcc, HasTheSameBitsAtEveryLevelOfTheProcessor) {
  for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
    MfccOptions options;
    options.precision = precision;
    const std::vector<float> sound = golden_signal(30'000);
    expect_same_bits_at_every_level([&] { return rows_of(options, 22050, sound); });
  }
}

TEST(Mfcc, AShortSoundIsMirroredAgainAndAgain) {
  MfccOptions options = speech_options(512, 160);
  options.pad = Padding::reflect;
  const std::vector<double> rows = rows_of(options, 16000, golden_signal(100));
  EXPECT_EQ(rows.size(), options.coefficients);  // the one at 0
  for (const double row : rows) EXPECT_TRUE(std::isfinite(row));
  EXPECT_TRUE(rows_of(options, 16000, {}).empty());
}

TEST(Mfcc, BandsAndBinsAsRows) {
  const std::vector<float> sound = golden_signal(20'000);
  const auto stream_rows = [&](RowKind kind, const MfccOptions& options) {
    MfccStream stream(options, 20480, kind);
    std::vector<double> rows;
    stream.push(sound, rows);
    stream.finish(rows);
    return std::pair(rows, stream.columns());
  };
  const auto [mel, mel_names] = stream_rows(RowKind::mel, {});
  const auto [levels, level_names] = stream_rows(RowKind::log_mel, {});
  ASSERT_EQ(mel_names.size(), 40U);
  EXPECT_EQ(mel_names[1], "mel1");
  for (std::size_t i = 0; i < mel.size(); ++i) {
    EXPECT_NEAR(levels[i], 10.0 * std::log10(std::max(1e-10, mel[i])), tolerance);
  }
  const auto [cepstra, names] = stream_rows(RowKind::mfcc, {});
  double c0 = 0.0;
  for (std::size_t b = 0; b < 40; ++b) c0 += levels[b] / std::sqrt(40.0);
  EXPECT_NEAR(cepstra[0], c0, tolerance);
  MfccOptions options;
  options.window_samples = 256;
  const auto [bins, bin_names] = stream_rows(RowKind::spectrogram, options);
  ASSERT_EQ(bin_names.size(), 129U);
  EXPECT_EQ(bin_names[1], "hz_80");
  EXPECT_EQ(bins.size() % 129, 0U);
  EXPECT_EQ(MfccStream(options, 20480, RowKind::spectrogram).unit(), "dB");
  EXPECT_EQ(MfccStream(options, 20480, RowKind::mel).unit(), "power");
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
  MfccOptions options{.window = 0.01, .hop = 1.0};
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
      MfccOptions options{.mfcc_style = style};
      const std::vector<double> rows = rows_of(options, rate, golden_signal(static_cast<std::size_t>(rate)));
      EXPECT_EQ(rows.size(), 8 * options.coefficients) << rate;
      for (const double row : rows) ASSERT_TRUE(std::isfinite(row)) << rate;
    }
  }
}

TEST(Mfcc, ClockAndColumns) {
  MfccOptions options{.coefficients = 3};
  const MfccStream stream(options, 44100);
  EXPECT_EQ(stream.clock(), (FrameClock{0.1, 0.25}));
  EXPECT_EQ(stream.columns(), (std::vector<std::string>{"mfcc0", "mfcc1", "mfcc2"}));
  options.centre = true;
  EXPECT_EQ(MfccStream(options, 44100).clock(), (FrameClock{0.1, 0.1}));
}

std::string refusal_of(const MfccOptions& options, double rate) {
  return error_of([&] { MfccStream(options, rate); }, ErrorKind::usage);
}

TEST(Mfcc, Errors) {
  MfccOptions options{.coefficients = 41};
  EXPECT_EQ(refusal_of(options, 44100), "--coefficients 41 is more than the 40 bands");
  options = {};
  options.window = 0.001;
  EXPECT_EQ(refusal_of(options, 2000), "--window 0.001 s is 2 samples at 2000 Hz; at least 4 are needed");
  options.mfcc_style = MfccStyle::slaney;
  EXPECT_EQ(refusal_of(options, 8000), "--window 0.001 s is 8 samples at 8000 Hz; at least 256 are needed");
  options = {};
  options.hop = 0.001;
  EXPECT_EQ(refusal_of(options, 500), "--hop 0.001 s is less than a sample at 500 Hz");
  options = {};
  options.high_hz = 8000.0;
  EXPECT_EQ(refusal_of(options, 8000),
            "bands from --low-hz 0 to --high-hz 8000 do not fit 8000 Hz; low < high <= 4000 is needed");
  options = {};
  options.fft_size = 1024;
  EXPECT_EQ(refusal_of(options, 8000), "--fft-size 1024 is shorter than the window of 2000 samples at 8000 Hz");
  options.window = 100.0;
  EXPECT_EQ(refusal_of(options, 8000), "--window 100 is outside [0.001, 60]");
}

class MfccVectors : public GoldenFolder {
 protected:
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
    EXPECT_EQ(found_, 78U);
  }
}

// What the vectors of the whole frame of 0.8 s are, by name.
std::map<std::string, double> golden_frame(const std::string& path) {
  std::map<std::string, double> values;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const std::size_t second = line.rfind(',');
    const std::size_t first = line.find(',');
    if (line.starts_with("MFCC,"))
      values[line.substr(first + 1, second - first - 1)] = std::stod(line.substr(second + 1));
  }
  return values;
}

TEST_F(MfccVectors, AFrameOfEightTenthsOfASecond) {
  for (const char* name : {"front_white", "side_white", "front_harm", "oblique_clicks", "diffuse"}) {
    SCOPED_TRACE(name);
    const auto golden = golden_frame(folder_ + name + ".mono.csv");
    ASSERT_EQ(golden.size(), 26U);
    AudioReader reader(folder_ + name + ".wav", 1);
    std::vector<float> sound(16384);
    ASSERT_EQ(reader.read(sound), 16384U);
    MfccOptions options{.mfcc_style = MfccStyle::slaney, .window = 0.8, .hop = 0.8};
    const std::vector<double> mean = rows_of(options, 20480, sound);
    options.mfcc_style = MfccStyle::single_dft;
    const std::vector<double> single = rows_of(options, 20480, sound);
    ASSERT_EQ(mean.size(), 13U);
    ASSERT_EQ(single.size(), 13U);
    for (std::size_t c = 0; c < 13; ++c) {
      EXPECT_NEAR(mean[c], golden.at("mean_c" + std::to_string(c)), tolerance);
      EXPECT_NEAR(single[c], golden.at("single_dft_c" + std::to_string(c + 1)), tolerance);
    }
  }
}

}  // namespace
}  // namespace motet::audio::mfcc_test
