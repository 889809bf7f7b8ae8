// Recordings for tests, written by libsndfile.
#pragma once

#include <gtest/gtest.h>
#include <sndfile.h>

#include <cmath>
#include <string>
#include <vector>

namespace motet {

// `samples`: interleaved when there are several channels. False: this libsndfile cannot write the format.
inline bool write_sound(const std::string& path, int format, int sample_rate, int channels,
                        const std::vector<float>& samples) {
  SF_INFO info{};
  info.samplerate = sample_rate;
  info.channels = channels;
  info.format = format;
  if (sf_format_check(&info) == 0) return false;
  SNDFILE* const file = sf_open(path.c_str(), SFM_WRITE, &info);
  if (file == nullptr) return false;
  const auto frames = static_cast<sf_count_t>(samples.size() / static_cast<std::size_t>(channels));
  const bool is_written = sf_writef_float(file, samples.data(), frames) == frames;
  return sf_close(file) == 0 && is_written;
}

inline std::vector<float> tone(std::size_t samples, double cycles_a_sample, double amplitude = 0.5) {
  constexpr double turn = 6.283185307179586;
  std::vector<float> sound(samples);
  for (std::size_t n = 0; n < samples; ++n) {
    sound[n] = static_cast<float>(amplitude * std::sin(turn * cycles_a_sample * static_cast<double>(n)));
  }
  return sound;
}

}  // namespace motet
