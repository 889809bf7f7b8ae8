// Sets of features beside mfcc: seconds of four-channel sound per second of work, on one thread.
#include <benchmark/benchmark.h>

#include <vector>

#include "motet/audio/feature_sets.h"
#include "motet/audio/field/welch.h"
#include "motet/base/rng.h"

namespace motet::audio {
namespace {

constexpr double field_rate = 20480.0;
constexpr std::size_t field_seconds = 8;

const std::vector<std::vector<float>>& field_sound() {
  static const std::vector<std::vector<float>> channels = [] {
    Rng rng(Seed{1});
    std::vector<std::vector<float>> made(5, std::vector<float>(field_seconds * 20480));
    for (std::vector<float>& channel : made) {
      for (float& sample : channel) sample = static_cast<float>(0.1 * rng.normal());
    }
    return made;
  }();
  return channels;
}

void report_seconds(benchmark::State& state) {
  state.counters["x_real_time"] =
      benchmark::Counter(static_cast<double>(field_seconds * state.iterations()), benchmark::Counter::kIsRate);
}

void feature_set_of_field(benchmark::State& state, const char* name) {
  const FeatureSet& set = feature_set(name);
  FeatureOptions options;
  options.mfcc.hop = set.frames.hop;
  options.mfcc.window = set.frames.window;
  const std::vector<std::span<const float>> channels(field_sound().begin(), field_sound().end());
  for (auto _ : state) {
    const FeatureStream stream = joined_stream({&set}, options, {field_rate, 4});
    std::vector<double> rows;
    stream.push(channels, rows);
    stream.finish(rows);
    benchmark::DoNotOptimize(rows.data());
  }
  report_seconds(state);
}
BENCHMARK_CAPTURE(feature_set_of_field, sfi, "sfi")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(feature_set_of_field, sfi_st, "sfi-st")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(feature_set_of_field, asa, "asa")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(feature_set_of_field, music, "music")->Unit(benchmark::kMillisecond);

void cross_spectra(benchmark::State& state) {
  const std::vector<std::span<const float>> channels(field_sound().begin(), field_sound().begin() + 4);
  Welch welch;
  for (auto _ : state) benchmark::DoNotOptimize(welch.spectra(channels, field_rate));
  report_seconds(state);
}
BENCHMARK(cross_spectra)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace motet::audio
