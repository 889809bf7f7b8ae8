// Recordings to features: seconds of sound per second of work.
#include <benchmark/benchmark.h>
#include <sndfile.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "motet/app/audio/feature_run.h"
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
                    MfccOptions options{.mfcc_style = MfccStyle::slaney};
                    return options;
                  }())
    ->Unit(benchmark::kMillisecond);

// As speech recognisers take it, and as the peer below does.
MfccOptions speech_mfcc(Precision precision) {
  MfccOptions options;
  options.window_samples = 512;
  options.hop_samples = 160;
  options.centre = true;
  options.precision = precision;
  return options;
}

void mfcc_of_speech(benchmark::State& state, Precision precision) {
  for (auto _ : state) {
    MfccStream stream(speech_mfcc(precision), 16000.0);
    std::vector<double> rows;
    rows.reserve(101 * seconds * stream.columns().size());
    stream.push(std::span(sound()).first(seconds * 16000), rows);
    stream.finish(rows);
    benchmark::DoNotOptimize(rows.data());
  }
  report(state);
}
BENCHMARK_CAPTURE(mfcc_of_speech, double, Precision::double_precision)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(mfcc_of_speech, single, Precision::single_precision)->Unit(benchmark::kMillisecond);

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
  for (auto _ : state) benchmark::DoNotOptimize(recording_features(file.path(), RecordingOptions{}, {}));
  report(state);
}
BENCHMARK(recording)->Unit(benchmark::kMillisecond);

// A folder of recordings; the rate is that of the wall clock, so that threads show.
void folder_of_flac(benchmark::State& state) {
  std::vector<std::unique_ptr<SoundFile>> files;
  std::vector<NamedRecording> recordings;
  for (int i = 0; i < 16; ++i) {
    const std::string name = "folder-" + std::to_string(i) + ".flac";
    files.push_back(std::make_unique<SoundFile>(name, SF_FORMAT_FLAC | SF_FORMAT_PCM_16));
    recordings.push_back({name, files.back()->path()});
  }
  FeatureRunOptions options;
  options.out = (std::filesystem::temp_directory_path() / "motet-bench-folder.csv").string();
  RunContext run;
  run.threads = {static_cast<unsigned>(state.range(0))};
  for (auto _ : state) benchmark::DoNotOptimize(run_features(recordings, options, run).rows);
  std::filesystem::remove(options.out);
  state.counters["x_real_time"] =
      benchmark::Counter(static_cast<double>(16 * seconds * state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(folder_of_flac)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

// torchaudio on one thread, of the same rate, window, hop and bands; it prints how many times as fast as real time it
// is.
void mfcc_of_torchaudio(benchmark::State& state) {
  double rate_found = 0.0;
  for (auto _ : state) {
    std::FILE* const peer = popen(MOTET_BENCH_AUDIO_PEER, "r");
    const bool is_read = peer != nullptr && std::fscanf(peer, "%lf", &rate_found) == 1;
    if (peer != nullptr) pclose(peer);
    if (!is_read) return state.SkipWithError("python3-torchaudio is not installed");
  }
  state.counters["x_real_time"] = rate_found;
}
BENCHMARK(mfcc_of_torchaudio)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace motet::audio
