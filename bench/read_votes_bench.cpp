// Speed of reading votes, as a ratio to counting the lines of the same file with
// read(2), which is what `wc -l` does. One thread, file in the page cache. The
// number of votes is MOTET_BENCH_VOTES, by default ten million.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "environment.h"
#include "motet/base/rng.h"
#include "motet/io/csv_writer.h"
#include "motet/io/votes_csv.h"

namespace {

constexpr std::size_t votes_an_item = 5;
constexpr std::size_t judge_count = 1000;
constexpr std::size_t judge_step = 197;  // coprime to judge_count: five different judges per item

std::size_t vote_count() { return motet::number_or("MOTET_BENCH_VOTES", 10'000'000); }

// A folder that goes with the program.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "motet-bench-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  std::string file(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

void write_votes(const std::string& path, bool is_shuffled) {
  motet::Rng rng(motet::Seed{1});
  std::vector<std::uint32_t> order(vote_count());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  for (std::size_t i = order.size(); is_shuffled && i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  motet::AtomicFile file(path);
  motet::CsvWriter csv(file);
  csv.text("item").text("judge").text("label").end_row();
  for (const std::uint32_t vote : order) {
    const std::size_t item = vote / votes_an_item;
    const std::size_t judge = (item * 31 + vote % votes_an_item * judge_step) % judge_count;
    const std::string padded = std::to_string(judge_count + judge).substr(1);
    csv.text("item" + std::to_string(1'000'000 + item)).text("judge" + padded);
    csv.text(std::string(1, "abcd"[rng.below(4)])).end_row();
  }
  csv.finish();
  file.commit();
}

const std::string& votes_file(bool is_shuffled) {
  static const TemporaryFolder folder;
  static std::string paths[2];
  std::string& path = paths[is_shuffled ? 1 : 0];
  if (path.empty()) {
    path = folder.file(is_shuffled ? "shuffled.csv" : "grouped.csv");
    write_votes(path, is_shuffled);
  }
  return path;
}

// Counts in bytes, up to 192 at a time, which the compiler turns into vector code:
// as fast as wc can be, so that the ratio does not flatter.
std::size_t count_newlines(const char* text, std::size_t size) {
  constexpr std::size_t block = 192;
  std::size_t lines = 0;
  std::size_t begin = 0;
  for (; begin + block <= size; begin += block) {
    std::uint8_t in_block = 0;
    for (std::size_t i = 0; i < block; ++i) in_block = static_cast<std::uint8_t>(in_block + (text[begin + i] == '\n'));
    lines += in_block;
  }
  return lines + static_cast<std::size_t>(std::count(text + begin, text + size, '\n'));
}

std::size_t count_lines(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY);
  std::vector<char> chunk(std::size_t{1} << 18);
  std::size_t lines = 0;
  for (ssize_t size = 0; (size = ::read(file, chunk.data(), chunk.size())) > 0;) {
    lines += count_newlines(chunk.data(), static_cast<std::size_t>(size));
  }
  ::close(file);
  return lines;
}

template <class Body>
double seconds(const Body& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void read_votes(benchmark::State& state) {
  const std::string& path = votes_file(state.range(0) != 0);
  double counting = 1e9;
  double reading = 1e9;
  for ([[maybe_unused]] auto _ : state) {
    counting = std::min(counting, seconds([&] { benchmark::DoNotOptimize(count_lines(path)); }));
    const double this_time = seconds([&] { benchmark::DoNotOptimize(motet::read_votes(path, {}, {})); });
    reading = std::min(reading, this_time);
    state.SetIterationTime(this_time);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(std::filesystem::file_size(path)));
  state.counters["count_lines_ms"] = 1e3 * counting;
  state.counters["read_votes_ms"] = 1e3 * reading;
  state.counters["ratio"] = reading / counting;
}
BENCHMARK(read_votes)
    ->ArgName("shuffled")
    ->Arg(0)
    ->Arg(1)
    ->UseManualTime()
    ->Iterations(7)
    ->Unit(benchmark::kMillisecond);

}  // namespace
