// From an answer to the next question, written to the disk included.
//
// A generated sequence with five classes, answers as a person who knows the
// truth would give them. An answer that completes a batch updates the model; others only
// take the next question from the queue. `median_ms`, `p95_ms` and `worst_ms` are of all answers,
// `update_ms` the median of those with an update, `first_s` is from the features to the first question,
// `fsync_ms` the median of a bare
// fdatasync of 16 kB in the same folder: what the disk takes for itself. The folder is
// MOTET_BENCH_FOLDER, or that of temporary files.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "motet/discover/project/project.h"
#include "motet/discover/study/generate.h"

namespace motet::discover {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double quantile(std::vector<double> values, double level) {
  if (values.empty()) return 0.0;
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1, static_cast<std::size_t>(level * static_cast<double>(values.size())))];
}

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

std::filesystem::path bench_folder() {
  const char* const named = std::getenv("MOTET_BENCH_FOLDER");
  return named != nullptr ? std::filesystem::path(named) : std::filesystem::temp_directory_path();
}

double fsync_milliseconds() {
  const std::string path = bench_folder() / "motet-bench-fsync";
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
  const std::string block(16384, 'x');
  std::vector<double> taken;
  for (int i = 0; i < 50; ++i) {
    const Clock::time_point start = Clock::now();
    if (pwrite(file, block.data(), block.size(), i * 16384L) < 0 || fdatasync(file) != 0) break;
    taken.push_back(milliseconds_since(start));
  }
  close(file);
  std::filesystem::remove(path);
  return median(taken);
}

void answer_to_next_question(benchmark::State& state) {
  EventOptions events;
  events.rows = static_cast<std::size_t>(state.range(0));
  events.dimensions = static_cast<std::size_t>(state.range(1));
  events.events_per_class = std::max<std::size_t>(1, events.rows / 6000);
  const LabelledFeatures made = generate_events(events, Seed{1});
  DiscoverOptions options{.radius = 18, .components = 2, .isolation = 0};
  if (events.dimensions > 13) options.components = 0;  // chosen, as the program does
  RunContext run;
  run.threads.count = static_cast<unsigned>(state.range(2));
  const std::string path = bench_folder() / "motet-bench.motet";
  for (const char* ending : {"", "-wal", "-shm"}) std::filesystem::remove(path + ending);
  const Clock::time_point begin = Clock::now();
  Project project = Project::create(path, made.features, "", options, run, {});
  state.counters["first_s"] = milliseconds_since(begin) / 1000.0;
  std::vector<double> taken;
  std::vector<double> with_update;
  for (auto _ : state) {
    const Discovery& discovery = project.discovery();
    if (discovery.queue.empty()) {
      state.SkipWithError("nothing is left to ask");
      break;
    }
    const std::size_t row = discovery.queue.front().row;
    const std::size_t updates = discovery.updates;
    const std::uint32_t of_class = made.truth.of_row[row];
    Answer answer{row, AnswerKind::nothing, ""};
    if (made.truth.classes[of_class] != background_name) {
      answer = {row, AnswerKind::of_class, made.truth.classes[of_class]};
    }
    const Clock::time_point start = Clock::now();
    project.answer(answer, "");
    benchmark::DoNotOptimize(project.discovery().queue.data());
    taken.push_back(milliseconds_since(start));
    if (project.discovery().updates != updates) with_update.push_back(taken.back());
    state.SetIterationTime(taken.back() / 1000.0);
  }
  state.counters["median_ms"] = median(taken);
  state.counters["p95_ms"] = quantile(taken, 0.95);
  state.counters["worst_ms"] = taken.empty() ? 0.0 : *std::max_element(taken.begin(), taken.end());
  state.counters["update_ms"] = median(with_update);
  state.counters["fsync_ms"] = fsync_milliseconds();
  state.counters["file_mb"] = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  for (const char* ending : {"", "-wal", "-shm"}) std::filesystem::remove(path + ending);
}
BENCHMARK(answer_to_next_question)
    ->ArgNames({"rows", "columns", "threads"})
    ->Args({6500, 13, 1})
    ->Args({100'000, 13, 1})
    ->Args({864'000, 78, 1})  // a day at ten rows a second, of the features for recordings
    ->Args({864'000, 78, 2})
    ->UseManualTime()
    ->Iterations(150)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace motet::discover
