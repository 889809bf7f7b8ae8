// Four channels for tests of audio/: synthetic ones, and the golden vectors, which are too large to be kept here:
// MOTET_GOLDEN names the folder that holds them in audio/.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "motet/audio/feature_stream.h"
#include "motet/base/rng.h"
#include "motet/io/audio_file.h"

namespace motet::audio {

using Channels = std::vector<std::vector<float>>;

inline std::vector<std::span<const float>> views_of(const Channels& channels) {
  return {channels.begin(), channels.end()};
}

inline Channels noise_channels(std::size_t channels, std::size_t samples, std::uint64_t seed = 1) {
  Rng rng(Seed{seed});
  Channels noise(channels, std::vector<float>(samples));
  for (std::vector<float>& channel : noise) {
    for (float& x : channel) x = static_cast<float>(0.1 * rng.normal());
  }
  return noise;
}

inline std::vector<double> rows_in_blocks(const FeatureStream& stream, const Channels& sound, std::size_t block) {
  std::vector<double> rows;
  for (std::size_t first = 0; first < sound[0].size(); first += block) {
    std::vector<std::span<const float>> part;
    for (const std::vector<float>& channel : sound) {
      part.push_back(std::span(channel).subspan(first, std::min(block, channel.size() - first)));
    }
    stream.push(part, rows);
  }
  stream.finish(rows);
  return rows;
}

inline std::vector<double> rows_of_whole(const FeatureStream& stream, const Channels& sound) {
  return rows_in_blocks(stream, sound, sound[0].size());
}

class GoldenFolder : public testing::Test {
 protected:
  void SetUp() override {
    const char* const folder = std::getenv("MOTET_GOLDEN");
    if (folder == nullptr || !std::filesystem::exists(std::string(folder) + "/audio/diffuse.wav")) GTEST_SKIP();
    folder_ = std::string(folder) + "/audio/";
  }

  std::string folder_;
};

class GoldenVectors : public GoldenFolder {
 protected:
  static constexpr const char* names[] = {"front_white", "side_white", "front_harm", "oblique_clicks", "diffuse"};
  static constexpr SoundShape shape = {20480.0, 4};

  Channels channels_of(const std::string& name) const {
    Channels channels;
    for (std::size_t c = 1; c <= 4; ++c) {
      AudioReader reader(folder_ + name + ".wav", c);
      channels.emplace_back(16384);
      EXPECT_EQ(reader.read(channels.back()), 16384U);
    }
    return channels;
  }

  // The fields of each line after the first.
  std::vector<std::vector<std::string>> table_of(const std::string& file, bool has_header = true) const {
    std::ifstream in(folder_ + file);
    std::string line;
    if (has_header) std::getline(in, line);
    std::vector<std::vector<std::string>> rows;
    while (std::getline(in, line)) {
      std::stringstream fields(line);
      rows.emplace_back();
      for (std::string field; std::getline(fields, field, ',');) rows.back().push_back(field);
    }
    return rows;
  }

  // The one row of each signal against the lines of this kind in its table, name by name.
  template <class Make>
  void expect_mono_rows(Make make, const std::string& kind, std::size_t columns) const {
    constexpr double tolerance = 1e-6;
    for (const std::string name : names) {
      const FeatureStream stream = make();
      const std::vector<double> row = rows_of_whole(stream, channels_of(name));
      ASSERT_EQ(row.size(), columns);
      std::size_t i = 0;
      for (const auto& fields : table_of(name + ".mono.csv")) {
        if (fields[0] != kind) continue;
        ASSERT_EQ(stream.columns[i], fields[1]);
        EXPECT_NEAR(row[i], std::stod(fields[2]), tolerance * std::max(1.0, std::abs(row[i])))
            << name << " " << fields[1];
        ++i;
      }
      EXPECT_EQ(i, columns);
    }
  }
};

}  // namespace motet::audio
