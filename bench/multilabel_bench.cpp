// Training of multi-label sources, on one thread.
//
// One iteration of deconvolution from statistics of label sets: its time must not depend on
// the number of items (20 dimensions, 14 labels, a full covariance each); and the same at 100
// dimensions. Training and prediction of the yeast data, 2,417 items with 103 features and 14
// labels in their usual split, beside scikit-learn's linear discriminant of label sets on the same
// numbers; `ratio` is the time of the peer divided by ours, `error` and `peer_error` the
// shares of wrong sets. The argument is the number of principal components, 0 for all features.
// The data are looked for in MOTET_DATA, then in ../shared/data; without them items of the same
// size are simulated, and the label of the benchmark says so.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "motet/base/rng.h"
#include "motet/io/labelled_items_file.h"
#include "motet/multilabel/predict.h"
#include "motet/multilabel/sources/fit_sources.h"
#include "motet/multilabel/train.h"

namespace motet::multilabel {
namespace {

constexpr std::size_t labels = 14;
constexpr std::size_t sets_drawn = 198;
constexpr std::size_t training_rows = 1500;
constexpr std::size_t test_rows = 917;

RunContext on_one_thread() {
  RunContext run;
  run.threads = {1};
  return run;
}

// Of this thread: those of OpenBLAS, which other benchmarks use, wait busily.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Items whose label sets have shares that fall like those of real data, about 4 labels each; sources with
// correlated features.
LabelledItems drawn_items(std::size_t rows, std::size_t dimensions) {
  Rng rng(Seed{1});
  BitMatrix kinds(sets_drawn, labels);
  std::vector<double> shares;
  for (std::size_t l = 0; l < sets_drawn; ++l) {
    for (std::size_t k = 0; k < labels; ++k) kinds.set(l, k, l < labels ? k == l : rng.uniform() < 0.3);
    if (kinds.count(l) == 0) kinds.set(l, rng.below(labels));
    shares.push_back(1.0 / static_cast<double>(l + 5));
  }
  std::vector<double> means(labels * dimensions);
  for (double& mean : means) mean = 0.7 * rng.normal();
  LabelledItems items;
  for (std::size_t d = 0; d < dimensions; ++d) items.features.columns.push_back("x" + std::to_string(d + 1));
  for (std::size_t k = 0; k < labels; ++k) items.labels.push_back("label" + std::to_string(k + 1));
  items.features.values.reserve(rows * dimensions);
  items.sets = BitMatrix(rows, labels);
  for (std::size_t n = 0; n < rows; ++n) {
    const std::size_t l = rng.categorical(shares);
    std::vector<double> x(dimensions, 0.0);
    for_each_bit(kinds.row(l), [&](std::size_t k) {
      items.sets.set(n, k);
      const double common = rng.normal();
      for (std::size_t d = 0; d < dimensions; ++d) x[d] += means[k * dimensions + d] + 0.5 * common + rng.normal();
    });
    items.features.values.insert(items.features.values.end(), x.begin(), x.end());
  }
  return items;
}

SetStatistics drawn_statistics(std::size_t rows, std::size_t dimensions) {
  const LabelledItems items = drawn_items(rows, dimensions);
  return gather(index_label_sets(items.sets), items.features.values, dimensions, Family::gaussian, true, {1});
}

void multilabel_iteration(benchmark::State& state) {
  const SetStatistics statistics =
      drawn_statistics(static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1)));
  TrainOptions options;
  options.covariance = Covariance::full;
  options.tolerance = 0.0;
  const auto seconds = [&](std::size_t iterations) {
    options.max_iterations = iterations;
    const double start = cpu_seconds();
    const SourceFit fit = fit_sources(statistics, options, on_one_thread());
    benchmark::DoNotOptimize(fit.sources.location.data());
    return cpu_seconds() - start;
  };
  constexpr std::size_t few = 2;
  constexpr std::size_t more = 12;
  for ([[maybe_unused]] auto _ : state) {
    double begun = seconds(few);
    double ended = seconds(more);
    for (int round = 0; round < 2; ++round) {  // the least of three: other work of the machine only adds
      begun = std::min(begun, seconds(few));
      ended = std::min(ended, seconds(more));
    }
    state.SetIterationTime((ended - begun) / static_cast<double>(more - few));
  }
  state.counters["sets"] = static_cast<double>(statistics.size());
}
BENCHMARK(multilabel_iteration)
    ->Args({100'000, 20})
    ->Args({1'000'000, 20})
    ->Args({20'000, 100})
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime()
    ->Iterations(3);

struct Peer {
  double seconds = 0.0;
  double error = 0.0;
};

Peer run_peer([[maybe_unused]] const LabelledItems& items) {
  Peer peer;
#ifdef MOTET_BENCH_MULTILABEL_PEER
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("motet_bench_" + std::to_string(::getpid()) + ".bin");
  {
    std::ofstream out(path, std::ios::binary);
    const auto write = [&](double value) { out.write(reinterpret_cast<const char*>(&value), sizeof value); };
    for (const double value : items.features.values) write(value);
    for (std::size_t n = 0; n < items.rows(); ++n) {
      for (std::size_t k = 0; k < labels; ++k) write(items.sets(n, k) ? 1.0 : 0.0);
    }
  }
  const std::string command = MOTET_BENCH_MULTILABEL_PEER " " + path.string() + " " + std::to_string(items.rows()) +
                              " " + std::to_string(items.features.dimensions()) + " " + std::to_string(labels) + " " +
                              std::to_string(training_rows) + " 2>/dev/null";
  if (FILE* const pipe = ::popen(command.c_str(), "r")) {
    if (std::fscanf(pipe, "%lf %lf", &peer.seconds, &peer.error) != 2) peer = {};
    ::pclose(pipe);
  }
  std::filesystem::remove(path);
#endif
  return peer;
}

// Training items first; none when the files are not here.
std::optional<LabelledItems> yeast_items() {
  const char* const folder = std::getenv("MOTET_DATA");
  const std::string stem = (folder != nullptr ? std::string(folder) : "../shared/data") + "/multilabel/yeast/yeast";
  if (!std::filesystem::exists(stem + "-train.arff")) return std::nullopt;
  LabelledFormat format;
  format.labels_file = stem + ".xml";
  LabelledItems items = read_labelled_items(stem + "-train.arff", format, {}).items;
  const LabelledItems test = read_labelled_items(stem + "-test.arff", format, {}).items;
  const std::size_t first = items.rows();
  if (first != training_rows || test.rows() != test_rows || items.labels.size() != labels) return std::nullopt;
  BitMatrix sets(first + test.rows(), labels);
  for (std::size_t n = 0; n < sets.rows(); ++n) {
    const auto from = n < first ? items.sets.row(n) : test.sets.row(n - first);
    std::copy(from.begin(), from.end(), sets.row(n).begin());
  }
  items.sets = std::move(sets);
  items.features.values.insert(items.features.values.end(), test.features.values.begin(), test.features.values.end());
  items.features.items.clear();
  return items;
}

void multilabel_train_and_predict(benchmark::State& state) {
  const std::optional<LabelledItems> yeast = yeast_items();
  const LabelledItems items = yeast ? *yeast : drawn_items(training_rows + test_rows, 103);
  state.SetLabel(yeast ? "yeast" : "simulated at the size of yeast");
  std::vector<std::uint32_t> first(training_rows);
  std::vector<std::uint32_t> last(test_rows);
  for (std::uint32_t n = 0; n < first.size(); ++n) first[n] = n;
  for (std::uint32_t n = 0; n < last.size(); ++n) last[n] = static_cast<std::uint32_t>(training_rows) + n;
  const LabelledItems training = rows_of(items, first);
  const LabelledItems test = rows_of(items, last);
  TrainOptions options;
  options.covariance = Covariance::shared;
  options.standardize = true;
  options.background = true;
  options.pca = static_cast<std::size_t>(state.range(0));
  double least = 1e9;
  double wrong = 0.0;
  for ([[maybe_unused]] auto _ : state) {
    const double start = cpu_seconds();
    const MultilabelFit fit = train_multilabel(training, options, false, on_one_thread());
    const SetPredictions found = predict(fit.model, test.features, PredictOptions{}, on_one_thread());
    const double seconds = cpu_seconds() - start;
    state.SetIterationTime(seconds);
    least = std::min(least, seconds);
    wrong = 0.0;
    for (std::size_t n = 0; n < test.rows(); ++n) {
      for (std::size_t k = 0; k < labels; ++k) {
        if (found.sets(n, k) == test.sets(n, k)) continue;
        wrong += 1.0;
        break;
      }
    }
  }
  state.counters["error"] = wrong / static_cast<double>(test.rows());
  const Peer peer = run_peer(items);
  state.counters["peer_ms"] = 1e3 * peer.seconds;
  state.counters["peer_error"] = peer.error;
  state.counters["ratio"] = peer.seconds / least;
}
BENCHMARK(multilabel_train_and_predict)->Arg(0)->Arg(20)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(5);

}  // namespace
}  // namespace motet::multilabel
