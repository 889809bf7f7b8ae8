#include "motet/sources/statistics/set_statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "motet/base/error.h"
#include "motet/base/lanes.h"
#include "motet/base/processor.h"
#include "motet/sources/family.h"
#include "motet/sources/statistics/scatter_block.h"

namespace motet {
namespace {

constexpr std::size_t least_piece = 4096;  // rows that one thread sums up
constexpr std::size_t rows_a_task = 2 * least_piece;

[[noreturn]] void fail_value(const SourceFamily& family, std::size_t row, std::size_t column, double x) {
  fail(ErrorKind::bad_data, "row " + std::to_string(row) + ", column " + std::to_string(column) +
                                ": x = " + to_text(x) + " cannot come from " + std::string(family.word) + " sources; " +
                                std::string(family.values.one) + " is allowed");
}

// A run of rows of one set.
struct Piece {
  std::size_t set;
  std::size_t begin;  // in index.rows
  std::size_t end;
};

// Sums of a piece or of several: mean and scatter about it, the lower triangle when full.
struct Sums {
  double count = 0.0;
  std::vector<double> mean;
  std::vector<double> mean_log;
  std::vector<double> scatter;
};

// The parallel formula of the sum of squares: S = S_a + S_b + n_a n_b / n (m_b - m_a)(m_b - m_a)'.
void merge(Sums& a, const Sums& b, bool full) {
  const std::size_t dimensions = a.mean.size();
  const double count = a.count + b.count;
  const double weight = a.count * b.count / count;
  std::vector<double> step(dimensions);
  for (std::size_t d = 0; d < dimensions; ++d) step[d] = b.mean[d] - a.mean[d];
  for (std::size_t i = 0; i < dimensions; ++i) {
    if (full) {
      for (std::size_t j = 0; j <= i; ++j) {
        a.scatter[i * dimensions + j] += b.scatter[i * dimensions + j] + weight * step[i] * step[j];
      }
    } else {
      a.scatter[i] += b.scatter[i] + weight * step[i] * step[i];
    }
    a.mean[i] += step[i] * (b.count / count);
  }
  for (std::size_t d = 0; d < a.mean_log.size(); ++d) {
    a.mean_log[d] += (b.mean_log[d] - a.mean_log[d]) * (b.count / count);
  }
  a.count = count;
}

struct GatherJob {
  const LabelSetIndex& index;
  std::span<const double> x;
  std::size_t dimensions;
  const SourceFamily& family;
  bool full;

  const double* row(std::size_t at) const { return x.data() + index.rows[at] * dimensions; }
};

// What one thread needs besides its results.
struct GatherRoom {
  GatherRoom(std::size_t dimensions, bool full)
      : width(whole_lanes(dimensions)),
        rows(scatter_rows(width)),
        shift(width),
        block(rows * width),
        sum(width),
        sum_log(width),
        scatter(full ? width * width : width) {}

  std::size_t width;
  std::size_t rows;
  LaneRoom shift;
  LaneRoom block;  // centred rows; places past the last dimension stay 0
  LaneRoom sum;
  LaneRoom sum_log;
  LaneRoom scatter;
};

// Copies rows [begin, end) of the index into the block, less the shift. False for a value outside the family.
[[gnu::always_inline]] inline bool load_rows(const GatherJob& job, std::size_t begin, std::size_t end,
                                             GatherRoom& room) {
  constexpr std::size_t ahead = 24;  // rows of a set lie apart, so the processor does not guess the next
  constexpr std::size_t line = 8;    // numbers that come from memory together
  const std::size_t dimensions = job.dimensions;
  const std::size_t last = job.index.rows.size() - 1;
  const double* const shift = room.shift.data();
  double* const sum = room.sum.data();
  const bool is_logarithm = job.family.is_logarithm;
  const bool needs_log = job.family.needs_log;
  const bool is_plain = job.family.has_scatter && !is_logarithm;  // its sum shows what is wrong
  bool is_right = true;
  for (std::size_t at = begin; at < end; ++at) {
    const double* const next = job.row(std::min(at + ahead, last));
    for (std::size_t d = 0; d < dimensions; d += line) __builtin_prefetch(next + d);
    const double* const from = job.row(at);
    double* const to = room.block.data() + (at - begin) * room.width;
    if (is_plain) {
      std::size_t d = 0;
      for (; d + lane_count <= dimensions; d += lane_count) {
        const Lanes centred = load_lanes(from + d) - load_lanes(shift + d);
        store_lanes(to + d, centred);
        store_lanes(sum + d, load_lanes(sum + d) + centred);
      }
      for (; d < dimensions; ++d) {
        to[d] = from[d] - shift[d];
        sum[d] += to[d];
      }
      continue;
    }
    is_right = is_right && job.family.values.are_all({from, dimensions});
    for (std::size_t d = 0; d < dimensions; ++d) {
      to[d] = (is_logarithm ? std::log(from[d]) : from[d]) - shift[d];
      sum[d] += to[d];
      if (needs_log) room.sum_log.data()[d] += std::log(from[d]);
    }
  }
  return is_right;
}

// The first block of a piece: everything in the piece is shifted by its mean.
[[gnu::always_inline]] inline bool load_first_rows(const GatherJob& job, std::size_t begin, std::size_t end,
                                                   GatherRoom& room) {
  double* const shift = room.shift.data();
  double* const sum = room.sum.data();
  std::fill_n(shift, room.width, 0.0);
  std::fill_n(sum, room.width, 0.0);
  const bool is_right = load_rows(job, begin, end, room);
  const double share = 1.0 / static_cast<double>(end - begin);
  for (std::size_t d = 0; d < room.width; ++d) {
    shift[d] = std::isfinite(sum[d]) ? sum[d] * share : 0.0;  // else a value is wrong
    sum[d] = std::isfinite(sum[d]) ? 0.0 : sum[d];
  }
  for (std::size_t n = 0; n < end - begin; ++n) {
    double* const row = room.block.data() + n * room.width;
    for (std::size_t d = 0; d < room.width; d += lane_count) {
      const Lanes centred = load_lanes(row + d) - load_lanes(shift + d);
      store_lanes(row + d, centred);
      store_lanes(sum + d, load_lanes(sum + d) + centred);
    }
  }
  return is_right;
}

// False when a value is outside the family.
[[gnu::always_inline]] inline bool gather_piece(const GatherJob& job, const Piece& piece, GatherRoom& room,
                                                Sums& sums) {
  const std::size_t dimensions = job.dimensions;
  std::fill_n(room.sum_log.data(), room.width, 0.0);
  std::fill_n(room.scatter.data(), job.full ? room.width * room.width : room.width, 0.0);
  bool is_right = true;
  for (std::size_t at = piece.begin; at < piece.end; at += room.rows) {
    const std::size_t end = std::min(piece.end, at + room.rows);
    is_right = (at == piece.begin ? load_first_rows(job, at, end, room) : load_rows(job, at, end, room)) && is_right;
    job.full ? add_scatter(room.block.data(), end - at, room.width, room.scatter.data())
             : add_squares(room.block.data(), end - at, room.width, room.scatter.data());
  }
  sums.count = static_cast<double>(piece.end - piece.begin);
  sums.mean.resize(dimensions);
  const double* const sum = room.sum.data();
  for (std::size_t d = 0; d < dimensions; ++d) {
    is_right = is_right && std::isfinite(sum[d]);
    sums.mean[d] = room.shift.data()[d] + sum[d] / sums.count;
  }
  if (job.family.needs_log) {
    sums.mean_log.resize(dimensions);
    for (std::size_t d = 0; d < dimensions; ++d) sums.mean_log[d] = room.sum_log.data()[d] / sums.count;
  }
  sums.scatter.assign(job.full ? dimensions * dimensions : dimensions, 0.0);
  for (std::size_t i = 0; i < dimensions; ++i) {
    if (!job.full) {
      sums.scatter[i] = std::max(0.0, room.scatter.data()[i] - sum[i] * sum[i] / sums.count);
      continue;
    }
    const double share = sum[i] / sums.count;
    for (std::size_t j = 0; j <= i; ++j) {
      sums.scatter[i * dimensions + j] = room.scatter.data()[i * room.width + j] - share * sum[j];
    }
    double& square = sums.scatter[i * dimensions + i];
    square = std::max(0.0, square);
  }
  return is_right;
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] bool gather_piece_avx2(const GatherJob& job, const Piece& piece, GatherRoom& room, Sums& sums) {
  return gather_piece(job, piece, room, sums);
}
#else
bool gather_piece_avx2(const GatherJob& job, const Piece& piece, GatherRoom& room, Sums& sums) {
  return gather_piece(job, piece, room, sums);
}
#endif

void store(const Sums& sums, std::size_t set, SetStatistics& statistics) {
  const std::size_t dimensions = statistics.dimensions;
  statistics.count[set] = sums.count;
  std::copy(sums.mean.begin(), sums.mean.end(),
            statistics.mean.begin() + static_cast<std::ptrdiff_t>(set * dimensions));
  if (!sums.mean_log.empty()) {
    std::copy(sums.mean_log.begin(), sums.mean_log.end(),
              statistics.mean_log.begin() + static_cast<std::ptrdiff_t>(set * dimensions));
  }
  double* const scatter = statistics.scatter.data() + set * (statistics.full ? dimensions * dimensions : dimensions);
  if (!statistics.full) {
    std::copy(sums.scatter.begin(), sums.scatter.end(), scatter);
    return;
  }
  for (std::size_t i = 0; i < dimensions; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      scatter[i * dimensions + j] = sums.scatter[i * dimensions + j];
      scatter[j * dimensions + i] = sums.scatter[i * dimensions + j];
    }
  }
}

// Pieces of a set are merged along a binary tree over their numbers, whatever thread made them.
struct SetPieces {
  std::size_t set;
  std::vector<Sums> sums;

  void merge_all(bool full) {
    for (std::size_t step = 1; step < sums.size(); step *= 2) {
      for (std::size_t i = 0; i + step < sums.size(); i += 2 * step) {
        merge(sums[i], sums[i + step], full);
        sums[i + step] = {};
      }
    }
  }
};

constexpr std::size_t undivided = static_cast<std::size_t>(-1);

// Pieces of label sets, and which of them make a task.
struct GatherPlan {
  std::vector<Piece> pieces;
  std::vector<std::size_t> part;      // which of its set's pieces
  std::vector<SetPieces> divided;     // sets of several pieces
  std::vector<std::size_t> place;     // of a piece's set in `divided`, or `undivided`
  std::vector<std::size_t> tasks{0};  // first pieces
};

GatherPlan plan_of(const LabelSetIndex& index, std::size_t dimensions) {
  // The sums of a piece take at most a sixteenth of the room of its rows.
  const std::size_t piece_rows = std::max(least_piece, 16 * dimensions);
  GatherPlan plan;
  std::size_t in_task = 0;
  for (std::size_t set = 0; set < index.size(); ++set) {
    const std::size_t count = (index.count(set) + piece_rows - 1) / piece_rows;
    if (count > 1) plan.divided.push_back({set, std::vector<Sums>(count)});
    for (std::size_t p = 0; p < count; ++p) {
      const std::size_t begin = index.starts[set] + p * piece_rows;
      plan.pieces.push_back({set, begin, std::min(begin + piece_rows, index.starts[set + 1])});
      plan.part.push_back(p);
      plan.place.push_back(count > 1 ? plan.divided.size() - 1 : undivided);
      in_task += plan.pieces.back().end - begin;
      if (in_task >= rows_a_task) {
        plan.tasks.push_back(plan.pieces.size());
        in_task = 0;
      }
    }
  }
  if (plan.tasks.back() < plan.pieces.size()) plan.tasks.push_back(plan.pieces.size());
  return plan;
}

void count_values(const GatherJob& job, Threads threads, SetStatistics& statistics) {
  statistics.values.resize(statistics.mean.size());
  const double work = 20.0 * static_cast<double>(job.x.size());
  for_each_task(statistics.values.size(), threads_for(threads, work), [&](std::size_t cell) {
    const std::size_t set = cell / job.dimensions;
    std::vector<double> values;
    for (std::size_t at = job.index.starts[set]; at < job.index.starts[set + 1]; ++at) {
      values.push_back(job.row(at)[cell % job.dimensions]);
    }
    statistics.values[cell] = counted(std::move(values));
  });
}

void require_allowed(const GatherJob& job) {
  std::vector<std::uint32_t> rows = job.index.rows;
  std::sort(rows.begin(), rows.end());
  for (const std::size_t n : rows) {
    for (std::size_t i = n * job.dimensions; i < (n + 1) * job.dimensions; ++i) {
      if (!job.family.values.are_all(job.x.subspan(i, 1))) fail_value(job.family, n, i % job.dimensions, job.x[i]);
    }
  }
}

}  // namespace

double SetStatistics::total() const { return std::accumulate(count.begin(), count.end(), 0.0); }

std::vector<WeightedValue> counted(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  std::vector<WeightedValue> result;
  for (const double value : values) {
    if (result.empty() || result.back().value != value) result.push_back({value, 0.0});
    result.back().weight += 1.0;
  }
  return result;
}

SetStatistics gather(const LabelSetIndex& index, std::span<const double> x, std::size_t dimensions, Family family,
                     bool full, Threads threads) {
  const SourceFamily& own = family_of(family);
  const auto last = std::max_element(index.rows.begin(), index.rows.end());
  if (dimensions == 0 || x.size() % dimensions != 0 || (last != index.rows.end() && *last >= x.size() / dimensions)) {
    fail(ErrorKind::internal, "gather: " + std::to_string(x.size()) + " numbers are not " +
                                  std::to_string(index.rows.size()) + " rows of " + std::to_string(dimensions));
  }
  const GatherJob job{index, x, dimensions, own, full};
  SetStatistics statistics;
  statistics.sets = index.sets;
  statistics.dimensions = dimensions;
  statistics.full = full;
  statistics.count.assign(index.size(), 0.0);
  statistics.mean.assign(index.size() * dimensions, 0.0);
  statistics.scatter.assign(index.size() * dimensions * (full ? dimensions : 1), 0.0);
  if (own.needs_log) statistics.mean_log.assign(index.size() * dimensions, 0.0);

  GatherPlan plan = plan_of(index, dimensions);
  std::vector<char> is_right(plan.tasks.size(), 1);
  const double d = static_cast<double>(dimensions);
  const double work = static_cast<double>(index.rows.size()) * (full ? d * (d + 8.0) / 8.0 : d);
  for_each_task(plan.tasks.size() - 1, threads_for(threads, work), [&](std::size_t task) {
    GatherRoom room(dimensions, full);
    Sums sums;
    for (std::size_t p = plan.tasks[task]; p < plan.tasks[task + 1]; ++p) {
      const bool is_divided = plan.place[p] != undivided;
      Sums& result = is_divided ? plan.divided[plan.place[p]].sums[plan.part[p]] : sums;
      const bool is_fine = has_avx2() ? gather_piece_avx2(job, plan.pieces[p], room, result)
                                      : gather_piece(job, plan.pieces[p], room, result);
      if (!is_fine) is_right[task] = 0;
      if (!is_divided) store(result, plan.pieces[p].set, statistics);
    }
  });
  // Only now by rows, so that the first wrong row is named whatever its set.
  if (std::find(is_right.begin(), is_right.end(), 0) != is_right.end()) require_allowed(job);
  for_each_task(plan.divided.size(), threads_for(threads, d * d * static_cast<double>(plan.pieces.size())),
                [&](std::size_t i) {
                  plan.divided[i].merge_all(full);
                  store(plan.divided[i].sums[0], plan.divided[i].set, statistics);
                });
  if (own.needs_values) count_values(job, threads, statistics);
  if (own.is_logarithm) {
    for (std::size_t i = 0; i < statistics.mean.size(); ++i) {
      statistics.log_jacobian -= statistics.count[i / dimensions] * statistics.mean[i];
    }
  }
  return statistics;
}

}  // namespace motet
