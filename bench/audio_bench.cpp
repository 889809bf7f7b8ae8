// Recordings to features: seconds of sound a second of work.
#include <benchmark/benchmark.h>
#include <sndfile.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "motet/app/recording_features.h"
#include "motet/audio/fft.h"
#include "motet/audio/mfcc.h"
#include "motet/base/rng.h"
#include "motet/io/audio_file.h"

namespace motet::audio {
namespace {

constexpr int rate = 44100;
constexpr std::size_t seconds = 60;

const std::vector<float>& sound() {
  static const std::vector<float> samples = [] {
    Rng rng(Seed{1});
    std::vector<float> made(seconds * rate);
    for (float& sample : made) sample = static_cast<float>(0.1 * rng.normal());
    return made;
  }();
  return samples;
}

// The minute of noise as a file of the format.
class SoundFile {
 public:
  SoundFile(const std::string& name, int format)
      : path_((std::filesystem::temp_directory_path() / ("motet-bench-" + name)).string()) {
    SF_INFO info{};
    info.samplerate = rate;
    info.channels = 1;
    info.format = format;
    SNDFILE* const file = sf_open(path_.c_str(), SFM_WRITE, &info);
    if (file == nullptr) return;
    constexpr std::size_t block = 4096;  // the encoder of ogg cannot take a minute at once
    for (std::size_t n = 0; n + block <= sound().size(); n += block) {
      sf_write_float(file, sound().data() + n, static_cast<sf_count_t>(block));
    }
    sf_close(file);
  }
  ~SoundFile() { std::filesystem::remove(path_); }
  SoundFile(const SoundFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

void report(benchmark::State& state) {
  state.counters["x_real_time"] =
      benchmark::Counter(static_cast<double>(seconds * state.iterations()), benchmark::Counter::kIsRate);
}

void fft(benchmark::State& state) {
  const RealFft transform(static_cast<std::size_t>(state.range(0)));
  std::vector<double> signals(transform.size() * fft_lanes, 0.5);
  std::vector<double> power(transform.bins() * fft_lanes);
  for (auto _ : state) {
    transform.power(signals, power);
    benchmark::DoNotOptimize(power.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(fft_lanes));
}
BENCHMARK(fft)->Arg(512)->Arg(2048)->Arg(16384);

void mfcc(benchmark::State& state, const MfccOptions& options) {
  for (auto _ : state) {
    MfccStream stream(options, rate);
    std::vector<double> rows;
    stream.push(sound(), rows);
    stream.finish(rows);
    benchmark::DoNotOptimize(rows.data());
  }
  report(state);
}
BENCHMARK_CAPTURE(mfcc, as_discover_takes_it, MfccOptions{})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(mfcc, librosa_defaults,
                  [] {
                    MfccOptions options;
                    options.coefficients = 20;
                    options.window = 2048.0 / rate;
                    options.hop = 512.0 / rate;
                    options.bands = 128;
                    options.top_db = 80.0;
                    options.centre = true;
                    return options;
                  }())
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(mfcc, slaney,
                  [] {
                    MfccOptions options;
                    options.mfcc_style = MfccStyle::slaney;
                    return options;
                  }())
    ->Unit(benchmark::kMillisecond);

void decode(benchmark::State& state, const std::string& name, int format) {
  const SoundFile file(name, format);
  std::vector<float> block(65536);
  for (auto _ : state) {
    AudioReader reader(file.path());
    while (reader.read(block) != 0) benchmark::DoNotOptimize(block.data());
  }
  report(state);
}
BENCHMARK_CAPTURE(decode, wav, "a.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(decode, flac, "a.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_16)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(decode, ogg, "a.ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS)->Unit(benchmark::kMillisecond);

void recording(benchmark::State& state) {
  const SoundFile file("b.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16);
  for (auto _ : state) benchmark::DoNotOptimize(recording_features(file.path(), {}, {}, {}));
  report(state);
}
BENCHMARK(recording)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace motet::audio
