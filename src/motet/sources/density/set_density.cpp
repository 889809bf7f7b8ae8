#include "motet/sources/density/set_density.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "motet/base/error.h"
#include "motet/base/lanes.h"
#include "motet/base/numeric.h"
#include "motet/base/processor.h"
#include "motet/sources/density/density_block.h"
#include "motet/sources/density/density_plan.h"
#include "motet/sources/density/integrated_density.h"
#include "motet/sources/family.h"

namespace motet {
namespace {

constexpr std::size_t sets_a_tile = 16;          // whose densities are kept together before they go to their rows
constexpr std::size_t density_task_rows = 1024;  // with all sets of
constexpr std::size_t sets_a_task = 4096;

// Room and state of one thread's walk over blocks.
struct BlockRoom {
  explicit BlockRoom(const DensityPlan& plan)
      : features(plan.lines * density_rows),
        whitened(whole_tiles(plan.lines) * density_rows),
        difference(plan.form == DensityForm::full ? plan.lines * density_rows : 0),
        projected(plan.bases.empty() ? 0 : plan.weights_a_set * density_rows),
        left(density_rows),
        row_terms(density_rows) {}

  LaneRoom features;
  LaneRoom whitened;
  LaneRoom difference;
  LaneRoom projected;  // what of `whitened` lies in the span of the means
  LaneRoom left;       // and the square of what does not
  LaneRoom row_terms;
  std::size_t in_whitened = no_triangle;  // the triangle that `whitened` was made with
  static constexpr std::size_t no_triangle = static_cast<std::size_t>(-1);
};

// The part of the log densities of a block that depends on row and set.
[[gnu::always_inline]] inline void set_sums(const DensityPlan& plan, std::size_t set, BlockRoom& room, double* sums) {
  const std::size_t lines = plan.lines;
  const double* const weights = plan.weights_of(set);
  switch (plan.form) {
    case DensityForm::diagonal: scaled_distances(room.features.data(), lines, weights, weights + lines, sums); return;
    case DensityForm::whitened:
      if (room.in_whitened != plan.triangle_of[set]) {
        room.in_whitened = plan.triangle_of[set];
        const double* const triangle = plan.triangles.data() + room.in_whitened * triangle_size(lines);
        multiply_triangle(room.features.data(), lines, triangle, room.whitened.data());
        if (!plan.bases.empty()) {
          const double* const basis = plan.bases.data() + room.in_whitened * plan.weights_a_set * lines;
          project_lines(room.whitened.data(), lines, basis, plan.weights_a_set, room.projected.data(),
                        room.left.data());
        }
      }
      if (plan.bases.empty()) {
        squared_distances(room.whitened.data(), lines, weights, sums);
        return;
      }
      squared_distances(room.projected.data(), plan.weights_a_set, weights, sums);
      for (std::size_t n = 0; n < density_rows; n += lane_count) {
        store_lanes(sums + n, load_lanes(sums + n) + load_lanes(room.left.data() + n));
      }
      return;
    case DensityForm::full: {
      const double* const triangle = plan.triangles.data() + plan.triangle_of[set] * triangle_size(lines);
      subtract_lines(room.features.data(), lines, weights, room.difference.data());
      multiply_triangle(room.difference.data(), lines, triangle, room.whitened.data());
      const double* const y = room.whitened.data();
      sum_lines(
          y, lines, sums, [](std::size_t, const Lanes& v) __attribute__((always_inline)) { return v * v; });
      return;
    }
    case DensityForm::linear: weighted_sums(room.features.data(), lines, weights, sums); return;
    case DensityForm::by_value: plan.sum_block(plan, weights, room.features.data(), sums); return;
  }
}

[[gnu::always_inline]] inline void set_densities(const DensityPlan& plan, std::size_t set, BlockRoom& room,
                                                 double* densities) {
  if (plan.constant[set] == -infinity) {
    std::fill_n(densities, density_rows, -infinity);
    return;
  }
  set_sums(plan, set, room, densities);
  const bool is_sum = plan.form == DensityForm::linear || plan.form == DensityForm::by_value;
  const double factor = is_sum ? 1.0 : plan.form == DensityForm::whitened ? -0.5 * plan.inverse_scale[set] : -0.5;
  for (std::size_t n = 0; n < density_rows; n += lane_count) {
    const Lanes sum = all_lanes(factor) * load_lanes(densities + n);
    const Lanes density = (sum + all_lanes(plan.constant[set])) + load_lanes(room.row_terms.data() + n);
    store_lanes(densities + n, select_lanes(density < all_lanes(least_log_density), all_lanes(-infinity), density));
  }
}

// `order` of the sets keeps those of one triangle together.
struct TableJob {
  const DensityPlan& plan;
  std::span<const std::uint32_t> order;
  std::span<const double> x;
  std::size_t first_set;  // of the plan among all columns of the table
  std::size_t columns;
  std::span<double> table;
};

[[gnu::always_inline]] inline void table_block(const TableJob& job, std::size_t begin, std::size_t end,
                                               std::span<const std::uint32_t> sets, BlockRoom& room, double* tile) {
  const double* rows[density_rows];
  for (std::size_t n = begin; n < end; ++n) rows[n - begin] = job.x.data() + n * job.plan.dimensions;
  make_features(job.plan, {rows, end - begin}, room.features.data(), room.row_terms.data());
  room.in_whitened = BlockRoom::no_triangle;
  for (std::size_t s = 0; s < sets.size(); s += sets_a_tile) {
    const std::size_t count = std::min(sets_a_tile, sets.size() - s);
    for (std::size_t j = 0; j < count; ++j) set_densities(job.plan, sets[s + j], room, tile + j * density_rows);
    for (std::size_t n = begin; n < end; ++n) {
      double* const row = job.table.data() + n * job.columns + job.first_set;
      for (std::size_t j = 0; j < count; ++j) row[sets[s + j]] = tile[j * density_rows + (n - begin)];
    }
  }
}

[[gnu::always_inline]] inline void table_rows(const TableJob& job, std::size_t begin, std::size_t end,
                                              std::span<const std::uint32_t> sets) {
  BlockRoom room(job.plan);
  LaneRoom tile(sets_a_tile * density_rows);
  for (std::size_t n = begin; n < end; n += density_rows) {
    table_block(job, n, std::min(end, n + density_rows), sets, room, tile.data());
  }
}

// Rows grouped by set, so that a block has one set.
struct GroupJob {
  const DensityPlan& plan;
  std::span<const double> x;
  std::span<const std::uint32_t> rows;
};

[[gnu::always_inline]] inline double group_sum(const GroupJob& job, std::size_t set, std::size_t begin,
                                               std::size_t end) {
  BlockRoom room(job.plan);
  LaneRoom densities(density_rows);
  constexpr std::size_t numbers_a_cache_line = 8;
  const std::size_t last = job.rows.size() - 1;
  double sum = 0.0;
  for (std::size_t at = begin; at < end; at += density_rows) {
    const double* rows[density_rows];
    const std::size_t count = std::min(density_rows, end - at);
    for (std::size_t n = 0; n < count; ++n) {
      rows[n] = job.x.data() + job.rows[at + n] * job.plan.dimensions;
      // Rows of a set lie apart: those of the next block are asked for while this one is worked on.
      const double* const next = job.x.data() + job.rows[std::min(at + n + density_rows, last)] * job.plan.dimensions;
      for (std::size_t d = 0; d < job.plan.dimensions; d += numbers_a_cache_line) __builtin_prefetch(next + d);
    }
    make_features(job.plan, {rows, count}, room.features.data(), room.row_terms.data());
    room.in_whitened = BlockRoom::no_triangle;
    set_densities(job.plan, set, room, densities.data());
    for (std::size_t n = 0; n < count; ++n) sum += densities.data()[n];
  }
  return sum;
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void table_rows_avx2(const TableJob& job, std::size_t begin, std::size_t end,
                                             std::span<const std::uint32_t> sets) {
  table_rows(job, begin, end, sets);
}
[[gnu::target("avx2")]] double group_sum_avx2(const GroupJob& job, std::size_t set, std::size_t begin,
                                              std::size_t end) {
  return group_sum(job, set, begin, end);
}
#else
void table_rows_avx2(const TableJob& job, std::size_t begin, std::size_t end, std::span<const std::uint32_t> sets) {
  table_rows(job, begin, end, sets);
}
double group_sum_avx2(const GroupJob& job, std::size_t set, std::size_t begin, std::size_t end) {
  return group_sum(job, set, begin, end);
}
#endif

void table_of_plan(const TableJob& job, Threads threads) {
  const std::size_t rows = job.table.size() / job.columns;
  const std::size_t row_tasks = (rows + density_task_rows - 1) / density_task_rows;
  const std::size_t set_tasks = (job.order.size() + sets_a_task - 1) / sets_a_task;
  const double lines = static_cast<double>(job.plan.lines);
  const double cost = job.plan.form == DensityForm::full ? lines * lines / 8.0 : lines / 2.0;
  const double work = static_cast<double>(rows * job.order.size()) * cost;
  for_each_task(row_tasks * set_tasks, threads_for(threads, work), [&](std::size_t task) {
    const std::size_t begin = task % row_tasks * density_task_rows;
    const std::size_t end = std::min(rows, begin + density_task_rows);
    const std::size_t first = task / row_tasks * sets_a_task;
    const auto sets = job.order.subspan(first, std::min(sets_a_task, job.order.size() - first));
    has_avx2() ? table_rows_avx2(job, begin, end, sets) : table_rows(job, begin, end, sets);
  });
}

void closed_table(const Sources& sources, const BitMatrix& sets, std::span<const double> x, Threads threads,
                  std::span<double> table) {
  const std::size_t batch = std::min(sets.rows(), sets_a_plan(sources));
  for (std::size_t begin = 0; begin < sets.rows(); begin += batch) {
    const DensityPlan plan = plan_densities(sources, sets, begin, std::min(sets.rows(), begin + batch), threads);
    std::vector<std::uint32_t> order(plan.sets());
    std::iota(order.begin(), order.end(), 0U);
    if (plan.form == DensityForm::whitened) {
      std::stable_sort(order.begin(), order.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return plan.triangle_of[a] < plan.triangle_of[b]; });
    }
    table_of_plan({plan, order, x, begin, sets.rows(), table}, threads);
  }
}

// Each source for itself: what one-of chooses from.
Sources alone(const Sources& sources) {
  Sources single = sources;
  single.background = false;
  single.combination = family_of(sources.family).alone();
  return single;
}

std::vector<double> source_table(const Sources& sources, std::span<const double> x, Threads threads) {
  BitMatrix singles(sources.count, sources.count);
  for (std::size_t k = 0; k < sources.count; ++k) singles.set(k, k);
  return log_densities(alone(sources), singles, x, threads);
}

// log (1/m sum over members of p_k), from the log p_k of one row.
double one_of_density(std::span<const std::size_t> all, std::span<const double> of_source) {
  double most = -infinity;
  for (const std::size_t k : all) most = std::max(most, of_source[k]);
  if (!std::isfinite(most)) return most;
  double sum = 0.0;
  for (const std::size_t k : all) sum += std::exp(of_source[k] - most);
  return most + std::log(sum / static_cast<double>(all.size()));
}

std::vector<std::vector<std::size_t>> members_of_all(const Sources& sources, const BitMatrix& sets) {
  std::vector<std::vector<std::size_t>> all(sets.rows());
  for (std::size_t j = 0; j < sets.rows(); ++j) all[j] = members(sources, sets.row(j));
  return all;
}

void one_of_table(const Sources& sources, const BitMatrix& sets, std::span<const double> x, Threads threads,
                  std::span<double> table) {
  const std::vector<double> of_source = source_table(sources, x, threads);
  const auto all = members_of_all(sources, sets);
  const std::size_t rows = x.size() / sources.dimensions;
  constexpr std::size_t rows_together = 16;
  const double work = 20.0 * static_cast<double>(table.size());
  for_each_task((rows + rows_together - 1) / rows_together, threads_for(threads, work), [&](std::size_t task) {
    for (std::size_t n = task * rows_together; n < std::min(rows, (task + 1) * rows_together); ++n) {
      const auto row = std::span(of_source).subspan(n * sources.count, sources.count);
      for (std::size_t j = 0; j < sets.rows(); ++j) table[n * sets.rows() + j] = one_of_density(all[j], row);
    }
  });
}

void integrated_table(const Sources& sources, const BitMatrix& sets, std::span<const double> x, Threads threads,
                      std::span<double> table) {
  const std::size_t rows = x.size() / sources.dimensions;
  for_each_task(sets.rows(), threads, [&](std::size_t j) {
    const IntegratedDensity density(sources, sets.row(j));
    for (std::size_t n = 0; n < rows; ++n) {
      table[n * sets.rows() + j] = density.at(x.subspan(n * sources.dimensions, sources.dimensions)).value;
    }
  });
}

void require_whole_rows(const Sources& sources, std::span<const double> x) {
  if (sources.dimensions == 0 || x.size() % sources.dimensions != 0) {
    fail(ErrorKind::internal, "log_densities: " + std::to_string(x.size()) + " numbers are no rows of " +
                                  std::to_string(sources.dimensions));
  }
}

// Row numbers set after set, and where each set begins.
struct Groups {
  std::vector<std::uint32_t> rows;
  std::vector<std::size_t> starts;
};

Groups group_rows(std::span<const std::uint32_t> of_row, std::size_t sets) {
  Groups groups{std::vector<std::uint32_t>(of_row.size()), std::vector<std::size_t>(sets + 1, 0)};
  for (const std::uint32_t set : of_row) ++groups.starts[set + 1];
  std::partial_sum(groups.starts.begin(), groups.starts.end(), groups.starts.begin());
  std::vector<std::size_t> next(groups.starts.begin(), groups.starts.end() - 1);
  for (std::size_t n = 0; n < of_row.size(); ++n) groups.rows[next[of_row[n]]++] = static_cast<std::uint32_t>(n);
  return groups;
}

double closed_likelihood(const Sources& sources, const BitMatrix& sets, const Groups& groups, std::span<const double> x,
                         Threads threads) {
  double total = 0.0;
  const std::size_t batch = std::min(sets.rows(), sets_a_plan(sources));
  for (std::size_t begin = 0; begin < sets.rows(); begin += batch) {
    const std::size_t end = std::min(sets.rows(), begin + batch);
    const DensityPlan plan = plan_densities(sources, sets, begin, end, threads);
    const GroupJob job{plan, x, groups.rows};
    std::vector<std::pair<std::size_t, std::size_t>> pieces;  // set, first of its rows
    for (std::size_t j = begin; j < end; ++j) {
      for (std::size_t at = groups.starts[j]; at < groups.starts[j + 1]; at += density_task_rows)
        pieces.emplace_back(j, at);
    }
    constexpr std::size_t pieces_a_task = 16;
    const double work =
        static_cast<double>(groups.starts[end] - groups.starts[begin]) * 5.0 * static_cast<double>(plan.lines);
    total += sum_over_tasks((pieces.size() + pieces_a_task - 1) / pieces_a_task, 1, threads_for(threads, work),
                            [&](std::size_t task, std::span<double> sum) {
                              const std::size_t last = std::min(pieces.size(), (task + 1) * pieces_a_task);
                              for (std::size_t p = task * pieces_a_task; p < last; ++p) {
                                const auto [set, at] = pieces[p];
                                const std::size_t stop = std::min(groups.starts[set + 1], at + density_task_rows);
                                sum[0] += has_avx2() ? group_sum_avx2(job, set - begin, at, stop)
                                                     : group_sum(job, set - begin, at, stop);
                              }
                            })[0];
  }
  return total;
}

}  // namespace

std::vector<double> log_densities(const Sources& sources, const BitMatrix& sets, std::span<const double> x,
                                  Threads threads) {
  require_whole_rows(sources, x);
  require_pair(sources.family, sources.combination);
  std::vector<double> table(x.size() / sources.dimensions * sets.rows());
  if (table.empty()) return table;
  if (sources.combination == Combination::one_of) {
    one_of_table(sources, sets, x, threads, table);
  } else if (has_closed_form(sources)) {
    closed_table(sources, sets, x, threads, table);
  } else {
    integrated_table(sources, sets, x, threads, table);
  }
  return table;
}

double log_likelihood(const Sources& sources, const BitMatrix& sets, std::span<const std::uint32_t> of_row,
                      std::span<const double> x, Threads threads) {
  require_whole_rows(sources, x);
  require_pair(sources.family, sources.combination);
  if (of_row.empty()) return 0.0;
  const std::size_t dimensions = sources.dimensions;
  if (sources.combination == Combination::one_of) {
    const std::vector<double> of_source = source_table(sources, x, threads);
    const auto all = members_of_all(sources, sets);
    return sum_over_tasks((of_row.size() + density_task_rows - 1) / density_task_rows, 1,
                          threads_for(threads, 50.0 * static_cast<double>(of_row.size())),
                          [&](std::size_t task, std::span<double> sum) {
                            const std::size_t end = std::min(of_row.size(), (task + 1) * density_task_rows);
                            for (std::size_t n = task * density_task_rows; n < end; ++n) {
                              const auto row = std::span(of_source).subspan(n * sources.count, sources.count);
                              sum[0] += one_of_density(all[of_row[n]], row);
                            }
                          })[0];
  }
  const Groups groups = group_rows(of_row, sets.rows());
  if (has_closed_form(sources)) return closed_likelihood(sources, sets, groups, x, threads);
  return sum_over_tasks(sets.rows(), 1, threads, [&](std::size_t set, std::span<double> sum) {
    if (groups.starts[set] == groups.starts[set + 1]) return;
    const IntegratedDensity density(sources, sets.row(set));
    for (std::size_t at = groups.starts[set]; at < groups.starts[set + 1]; ++at) {
      sum[0] += density.at(x.subspan(groups.rows[at] * dimensions, dimensions)).value;
    }
  })[0];
}

EstimatedDensity log_density(const Sources& sources, std::span<const std::uint64_t> set, std::span<const double> x) {
  if (x.size() != sources.dimensions) {
    fail(ErrorKind::internal, "log_density: an item of " + std::to_string(x.size()) + " numbers, sources of " +
                                  std::to_string(sources.dimensions));
  }
  require_pair(sources.family, sources.combination);
  if (!has_closed_form(sources)) return IntegratedDensity(sources, set).at(x);
  BitMatrix one(1, 64 * std::max<std::size_t>(set.size(), 1));
  std::copy(set.begin(), set.end(), one.row(0).begin());
  return {log_densities(sources, one, x, {1})[0], 0.0};
}

}  // namespace motet
