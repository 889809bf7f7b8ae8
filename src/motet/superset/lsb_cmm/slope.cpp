#include "motet/superset/lsb_cmm/slope.h"

#include <algorithm>

#include "motet/base/processor.h"
#include "motet/superset/lsb_cmm/regression.h"

namespace motet::superset {
namespace {

constexpr std::size_t float_lanes = 2 * product_lanes;

// Rows enough for a direction: one tile of so many is looked at, the first of them.
std::size_t tiles_for_curvature(std::size_t rows, std::size_t size) {
  constexpr std::size_t rows_a_dimension = 128;
  return std::clamp<std::size_t>(rows / (rows_a_dimension * size), 1, 16);
}

// How many rows one of those tiles' stands for.
double weight_of_tiles(std::size_t rows, std::size_t every) {
  std::size_t seen = 0;
  for (std::size_t from = 0; from < rows; from += every * LsbTasks::tile) seen += std::min(LsbTasks::tile, rows - from);
  return static_cast<double>(rows) / static_cast<double>(std::max<std::size_t>(seen, 1));
}

struct SlopePass {
  const LsbRows& rows;
  const double* w;
  std::size_t components, width;
  const double* rho;
  float* curvature;
  bool with_gradient;
};

[[gnu::always_inline]] inline void slope_rows(const SlopePass& pass, std::size_t begin, std::size_t end,
                                              std::span<double> sums) {
  const std::size_t width = pass.width;
  const std::size_t dimensions = pass.rows.dimensions;
  LaneRoom tile(LsbTasks::tile * width);
  LaneRoom lines(4 * width);
  const RegressionRow row{lines.data(), lines.data() + width, lines.data() + 2 * width, lines.data() + 3 * width};
  double* const u = tile.data();
  double* const gradient = sums.data() + 2 * width;
  double* const of_bias = gradient + dimensions * width;
  for (std::size_t from = begin; from < end; from += LsbTasks::tile) {
    const std::size_t to = std::min(end, from + LsbTasks::tile);
    const RowBlock<double> x = pass.rows.block(from, to);
    multiply_rows(x, pass.w, pass.w + dimensions * width, width, u);
    for (std::size_t n = from; n < to; ++n) {
      double* const line = u + (n - from) * width;
      logistic_row(line, width, row);
      regress_row(pass.rho + n * width, pass.components, width, row, line,
                  pass.with_gradient ? pass.curvature + n * width : nullptr, sums.data(), sums.data() + width);
      if (!pass.with_gradient) continue;
      for (std::size_t k = 0; k < width; k += lane_count) {
        store_lanes(of_bias + k, load_lanes(of_bias + k) + load_lanes(line + k));
      }
    }
    if (pass.with_gradient) add_transposed(x, u, width, gradient);
  }
}

#if defined(__x86_64__)
[[gnu::target("avx2")]]
#endif
void slope_rows_avx2(const SlopePass& pass, std::size_t begin, std::size_t end, std::span<double> sums) {
  slope_rows(pass, begin, end, sums);
}

}  // namespace

Slope slope_at(const LsbRows& rows, std::span<const double> w, std::size_t components, std::span<const double> rho,
               std::span<float> curvature, bool with_gradient, Threads threads) {
  const std::size_t width = padded(components);
  const std::size_t gradient_size = with_gradient ? (rows.dimensions + 1) * width : 0;
  const SlopePass pass{rows, w.data(), components, width, rho.data(), curvature.data(), with_gradient};
  const LsbTasks tasks(rows.count());
  const double work = static_cast<double>(rows.count() * width) * (static_cast<double>(rows.dimensions) / 4 + 10);
  std::vector<double> sums = sum_over_tasks(tasks.count, 2 * width + gradient_size, threads_for(threads, work),
                                            [&](std::size_t task, std::span<double> to) {
                                              has_avx2() ? slope_rows_avx2(pass, tasks.begin(task), tasks.end(task), to)
                                                         : slope_rows(pass, tasks.begin(task), tasks.end(task), to);
                                            });
  const auto at = [&](std::size_t place) { return sums.begin() + static_cast<std::ptrdiff_t>(place); };
  return {{at(0), at(width)}, {at(width), at(2 * width)}, {at(2 * width), sums.end()}};
}

std::vector<double> curvature_times(const LsbRows& rows, std::span<const float> curvature, std::size_t width,
                                    std::span<const std::uint32_t> active, std::span<const double> v, Threads threads) {
  const std::size_t size = rows.dimensions + 1;
  const std::size_t packed = padded(active.size(), float_lanes);
  const std::vector<float> direction(v.begin(), v.end());
  const bool all = active.size() + float_lanes > width && active.back() + 1 == active.size();
  const LsbTasks tasks(rows.count());
  const std::size_t every = tiles_for_curvature(rows.count(), size);
  const double weight = weight_of_tiles(rows.count(), every);
  const double work = static_cast<double>(rows.count() * packed * size) / 4;
  return sum_over_tasks(tasks.count, size * packed, threads_for(threads, work),
                        [&](std::size_t task, std::span<double> sums) {
                          std::vector<float> x(LsbTasks::tile * size, 1.0F);
                          std::vector<float> u(LsbTasks::tile * packed);
                          std::vector<float> product(size * packed);
                          for (std::size_t from = tasks.begin(task); from < tasks.end(task); from += LsbTasks::tile) {
                            if (from / LsbTasks::tile % every != 0) continue;
                            const std::size_t to = std::min(tasks.end(task), from + LsbTasks::tile);
                            for (std::size_t n = from; n < to; ++n) {
                              const double* const row = rows.x.data() + n * rows.dimensions;
                              float* const line = x.data() + (n - from) * size;
                              for (std::size_t d = 0; d < rows.dimensions; ++d) line[d] = static_cast<float>(row[d]);
                            }
                            const RowBlock<float> block{x.data(), to - from, size};
                            multiply_rows(block, direction.data(), nullptr, packed, u.data());
                            for (std::size_t n = from; n < to; ++n) {
                              float* const line = u.data() + (n - from) * packed;
                              const float* const h = curvature.data() + n * width;
                              if (all) {
                                for (std::size_t j = 0; j < active.size(); ++j) line[j] *= h[j];
                              } else {
                                for (std::size_t j = 0; j < active.size(); ++j) line[j] *= h[active[j]];
                              }
                            }
                            add_transposed(block, u.data(), packed, product.data());
                          }
                          for (std::size_t i = 0; i < product.size(); ++i)
                            sums[i] += weight * static_cast<double>(product[i]);
                        });
}

}  // namespace motet::superset
