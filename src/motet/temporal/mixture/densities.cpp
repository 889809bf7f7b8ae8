#include "motet/temporal/mixture/densities.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/base/error.h"
#include "motet/base/processor.h"
#include "motet/temporal/mixture/moment_block.h"
#include "motet/temporal/mixture/student.h"

namespace motet::temporal {
namespace {

constexpr double log_two_pi = 1.8378770664093453;
constexpr std::size_t most_tasks = 64;
constexpr std::size_t least_rows_a_task = 1024;
constexpr std::size_t most_kept = 32;           // dimensions times components whose differences fit the first cache
constexpr double nanoseconds_a_product = 0.15;  // of a row and a component, for the choice of threads

// Room for the work on a block.
struct Room {
  explicit Room(const DensityFactors& factors)
      : block(factors.dimensions() * block_rows),
        keeps_differences(factors.components() * factors.dimensions() <= most_kept),
        difference((keeps_differences ? factors.components() : 1) * factors.dimensions() * block_rows),
        weighted(factors.dimensions() * block_rows),
        table(factors.components() * block_rows),
        stride(keeps_differences ? factors.dimensions() * block_rows : 0) {}
  LaneRoom block;
  bool keeps_differences;  // from the mean of every component, from density to moment
  LaneRoom difference;
  LaneRoom weighted;
  LaneRoom table;
  std::size_t stride;

  double* difference_of(std::size_t k) { return difference.data() + k * stride; }
};

// Lane by lane sums of all components to flat moments.
void add_lane_sums(const double* lanes, std::size_t dimensions, std::span<double> flat) {
  const auto total = [&](std::size_t i) {
    const double* const at = lanes + i * lane_count;
    return (at[0] + at[1]) + (at[2] + at[3]);
  };
  for (std::size_t i = 0; i <= dimensions; ++i) flat[i] += total(i);
  for_each_tiled(dimensions, [&](std::size_t at, std::size_t line, std::size_t column) {
    if (column <= line) flat[1 + dimensions + line * (line + 1) / 2 + column] += total(1 + dimensions + at);
  });
}

// norm less half the squared distance.
[[gnu::always_inline]] inline void norm_less_half(const DensityFactors& factors, std::size_t k, Room& room, double norm,
                                                  double* to) {
  const std::size_t dimensions = factors.dimensions();
  subtract_mean(room.block.data(), factors.mean(k).data(), dimensions, room.difference_of(k));
  if (factors.is_diagonal()) {
    block_densities_diagonal(room.difference_of(k), dimensions, factors.scales(k).data(), norm, to);
  } else {
    block_densities(room.difference_of(k), dimensions, factors.tiles(k), norm, to);
  }
}

[[gnu::always_inline]] inline void densities_of_block(const DensityFactors& factors, std::size_t k, Room& room,
                                                      double more, double* to) {
  const double norm = factors.log_norm(k) + more;
  if (factors.degrees(k) == 0.0) {
    norm_less_half(factors, k, room, norm, to);
    return;
  }
  norm_less_half(factors, k, room, 0.0, to);
  for (std::size_t n = 0; n < block_rows; ++n) {
    to[n] = norm + student_log_kernel(-2.0 * to[n], factors.degrees(k), factors.dimensions());
  }
}

bool all_zero(const double* weights) {
  return std::all_of(weights, weights + block_rows, [](double w) { return w == 0.0; });
}

struct DensityJob {
  const DensityFactors& factors;
  const Features& features;
  std::span<double> densities;
  bool wants_distances = false;  // in place of densities
};

[[gnu::always_inline]] inline void density_rows(const DensityJob& job, std::size_t begin, std::size_t end) {
  Room room(job.factors);
  const std::size_t rows = job.features.rows();
  for (std::size_t n = begin; n < end; n += block_rows) {
    const std::size_t count = std::min(block_rows, end - n);
    transpose_block(job.features.row(n).data(), count, job.factors.dimensions(), room.block.data());
    for (std::size_t k = 0; k < job.factors.components(); ++k) {
      if (job.wants_distances) {
        norm_less_half(job.factors, k, room, 0.0, room.table.data());
        for (std::size_t i = 0; i < count; ++i) room.table.data()[i] *= -2.0;
      } else {
        densities_of_block(job.factors, k, room, 0.0, room.table.data());
      }
      std::copy_n(room.table.data(), count, job.densities.data() + k * rows + n);
    }
  }
}

struct MomentJob {
  const DensityFactors& factors;
  const Features& features;
  std::span<const double> weights;       // components x rows, or:
  std::span<const std::uint8_t> states;  // component per row,
  std::span<const double> row_weights;   // and how much the row counts; empty: 1

  void take(std::size_t k, std::size_t begin, std::size_t count, double* to) const {
    if (states.empty()) {
      std::copy_n(weights.data() + k * features.rows() + begin, count, to);
      return;
    }
    for (std::size_t n = begin; n < begin + count; ++n) {
      const double weight = row_weights.empty() ? 1.0 : row_weights[n];
      to[n - begin] = states[n] == k ? weight : 0.0;
    }
  }
};

[[gnu::always_inline]] inline void moment_rows(const MomentJob& job, std::size_t begin, std::size_t end,
                                               std::span<double> flat) {
  Room room(job.factors);
  const std::size_t dimensions = job.factors.dimensions();
  const std::size_t size = lane_sums_size(dimensions);
  LaneRoom sums(job.factors.components() * size);
  for (std::size_t n = begin; n < end; n += block_rows) {
    const std::size_t count = std::min(block_rows, end - n);
    transpose_block(job.features.row(n).data(), count, job.factors.dimensions(), room.block.data());
    alignas(32) double weights[block_rows] = {};
    for (std::size_t k = 0; k < job.factors.components(); ++k) {
      job.take(k, n, count, weights);
      if (all_zero(weights)) continue;
      subtract_mean(room.block.data(), job.factors.mean(k).data(), dimensions, room.difference_of(k));
      add_block_moments(room.difference_of(k), weights, dimensions, room.weighted.data(), sums.data() + k * size);
    }
  }
  const std::size_t flat_size = moment_count(dimensions);
  for (std::size_t k = 0; k < job.factors.components(); ++k) {
    add_lane_sums(sums.data() + k * size, dimensions, flat.subspan(k * flat_size, flat_size));
  }
}

// Components that a row's label forbids get no part of it.
void restrict_to_classes(const MixturePass& pass, std::size_t begin, std::size_t count, double* table) {
  for (std::size_t n = 0; n < count; ++n) {
    const std::int32_t label = pass.labels[begin + n];
    if (label < 0) continue;
    for (std::size_t k = 0; k < pass.of_class.size(); ++k) {
      if (pass.of_class[k] != label) table[k * block_rows + n] = -std::numeric_limits<double>::infinity();
    }
  }
}

void take_most_probable(const MixturePass& pass, std::size_t begin, std::size_t count, const double* table) {
  for (std::size_t n = 0; n < count; ++n) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < pass.factors.components(); ++k) {
      if (table[k * block_rows + n] > table[best * block_rows + n]) best = k;
    }
    pass.states[begin + n] = static_cast<std::uint8_t>(best);
    pass.probability[begin + n] = table[best * block_rows + n];
  }
}

[[gnu::always_inline]] inline void mixture_rows(const MixturePass& pass, std::size_t begin, std::size_t end,
                                                std::span<double> statistics) {
  const DensityFactors& factors = pass.factors;
  Room room(factors);
  const std::size_t dimensions = factors.dimensions();
  const std::size_t components = factors.components();
  const std::size_t rows = pass.features.rows();
  const std::size_t size = lane_sums_size(dimensions);
  const std::size_t kinds = pass.labels.empty() ? 1 : 2;
  LaneRoom sums(kinds * components * size);
  for (std::size_t n = begin; n < end; n += block_rows) {
    const std::size_t count = std::min(block_rows, end - n);
    transpose_block(pass.features.row(n).data(), count, dimensions, room.block.data());
    for (std::size_t k = 0; k < components; ++k) {
      double* const to = room.table.data() + k * block_rows;
      if (pass.known_densities.empty()) {
        densities_of_block(factors, k, room, pass.log_shares[k], to);
      } else {
        const double* const known = pass.known_densities.data() + k * rows + n;
        for (std::size_t i = 0; i < block_rows; ++i) to[i] = known[std::min(i, count - 1)] + pass.log_shares[k];
      }
    }
    bool has_labels = false;
    if (!pass.labels.empty()) {
      const auto first = pass.labels.begin() + static_cast<std::ptrdiff_t>(n);
      has_labels = std::any_of(first, first + static_cast<std::ptrdiff_t>(count), [](auto y) { return y >= 0; });
      if (has_labels) restrict_to_classes(pass, n, count, room.table.data());
    }
    block_responsibilities(room.table.data(), components, count, statistics[0]);
    if (!pass.states.empty()) take_most_probable(pass, n, count, room.table.data());
    for (std::size_t k = 0; k < components; ++k) {
      double* const weights = room.table.data() + k * block_rows;
      if (!pass.responsibilities.empty()) {
        std::copy_n(weights, count, pass.responsibilities.data() + k * rows + n);
      }
      if (all_zero(weights)) continue;
      if (!room.keeps_differences || !pass.known_densities.empty()) {
        subtract_mean(room.block.data(), factors.mean(k).data(), dimensions, room.difference_of(k));
      }
      if (has_labels) {
        alignas(32) double labelled[block_rows] = {};
        for (std::size_t i = 0; i < count; ++i) {
          if (pass.labels[n + i] >= 0) std::swap(labelled[i], weights[i]);
        }
        add_block_moments(room.difference_of(k), labelled, dimensions, room.weighted.data(),
                          sums.data() + (components + k) * size);
      }
      add_block_moments(room.difference_of(k), weights, dimensions, room.weighted.data(), sums.data() + k * size);
    }
  }
  const std::size_t flat_size = moment_count(dimensions);
  for (std::size_t k = 0; k < kinds * components; ++k) {
    add_lane_sums(sums.data() + k * size, dimensions, statistics.subspan(1 + k * flat_size, flat_size));
  }
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void density_rows_avx2(const DensityJob& job, std::size_t begin, std::size_t end) {
  density_rows(job, begin, end);
}
[[gnu::target("avx2")]] void moment_rows_avx2(const MomentJob& job, std::size_t begin, std::size_t end,
                                              std::span<double> flat) {
  moment_rows(job, begin, end, flat);
}
[[gnu::target("avx2")]] void mixture_rows_avx2(const MixturePass& pass, std::size_t begin, std::size_t end,
                                               std::span<double> statistics) {
  mixture_rows(pass, begin, end, statistics);
}
#else
void density_rows_avx2(const DensityJob& job, std::size_t begin, std::size_t end) { density_rows(job, begin, end); }
void moment_rows_avx2(const MomentJob& job, std::size_t begin, std::size_t end, std::span<double> flat) {
  moment_rows(job, begin, end, flat);
}
void mixture_rows_avx2(const MixturePass& pass, std::size_t begin, std::size_t end, std::span<double> statistics) {
  mixture_rows(pass, begin, end, statistics);
}
#endif

Threads threads_of(Threads threads, const DensityFactors& factors, std::size_t rows) {
  const double products = static_cast<double>(rows * factors.components()) *
                          static_cast<double>(factors.dimensions() * (factors.dimensions() + 3));
  return threads_for(threads, products * nanoseconds_a_product);
}

void run_job(const DensityJob& job, Threads threads) {
  const RowTasks tasks(job.features.rows());
  for_each_task(tasks.count, threads_of(threads, job.factors, tasks.rows), [&](std::size_t task) {
    has_avx2() ? density_rows_avx2(job, tasks.begin(task), tasks.end(task))
               : density_rows(job, tasks.begin(task), tasks.end(task));
  });
}

std::vector<Moments> moments_of_job(const MomentJob& job, Threads threads) {
  const RowTasks tasks(job.features.rows());
  const std::size_t dimensions = job.factors.dimensions();
  const std::size_t size = moment_count(dimensions);
  const std::vector<double> flat =
      sum_over_tasks(tasks.count, job.factors.components() * size, threads_of(threads, job.factors, tasks.rows),
                     [&](std::size_t task, std::span<double> sums) {
                       has_avx2() ? moment_rows_avx2(job, tasks.begin(task), tasks.end(task), sums)
                                  : moment_rows(job, tasks.begin(task), tasks.end(task), sums);
                     });
  std::vector<Moments> moments;
  for (std::size_t k = 0; k < job.factors.components(); ++k) {
    moments.push_back(moments_of(std::span<const double>(flat).subspan(k * size, size), dimensions));
  }
  return moments;
}

}  // namespace

DensityFactors::DensityFactors(std::span<const Component> components, std::size_t dimensions)
    : dimensions_(dimensions), tiles_(components.size() * tiled_size(dimensions) * lane_count) {
  const std::size_t triangle = dimensions * (dimensions + 1) / 2;
  std::vector<double> factor(triangle);
  for (std::size_t k = 0; k < components.size(); ++k) {
    const Component& component = components[k];
    mean_.insert(mean_.end(), component.mean.begin(), component.mean.end());
    const auto sigma = [&](std::size_t i, std::size_t j) { return component.covariance[i * dimensions + j]; };
    // Sigma = L L^T.
    double log_determinant = 0.0;
    for (std::size_t i = 0; i < dimensions; ++i) {
      double* const line = factor.data() + i * (i + 1) / 2;
      for (std::size_t j = 0; j <= i; ++j) {
        const double* const other = factor.data() + j * (j + 1) / 2;
        double sum = sigma(i, j);
        for (std::size_t l = 0; l < j; ++l) sum -= line[l] * other[l];
        if (j < i) {
          line[j] = sum / other[j];
          is_diagonal_ = is_diagonal_ && line[j] == 0.0;
        } else {
          if (!(sum > 0.0)) {
            fail(ErrorKind::internal,
                 "the covariance of component " + std::to_string(k + 1) + " is not positive definite");
          }
          line[i] = std::sqrt(sum);
          log_determinant += 2.0 * log_of_positive(line[i]);
        }
      }
    }
    degrees_.push_back(component.degrees);
    log_norm_.push_back(component.degrees > 0.0
                            ? student_log_norm(component.degrees, dimensions) - 0.5 * log_determinant
                            : -0.5 * (static_cast<double>(dimensions) * log_two_pi + log_determinant));
    // Column j of L^-1 by forward substitution.
    inverse_.resize((k + 1) * triangle);
    double* const inverse = inverse_.data() + k * triangle;
    for (std::size_t j = 0; j < dimensions; ++j) {
      for (std::size_t i = j; i < dimensions; ++i) {
        const double* const line = factor.data() + i * (i + 1) / 2;
        double sum = i == j ? 1.0 : 0.0;
        for (std::size_t l = j; l < i; ++l) sum -= line[l] * inverse[l * (l + 1) / 2 + j];
        inverse[i * (i + 1) / 2 + j] = sum / line[i];
      }
      scales_.push_back(inverse[j * (j + 1) / 2 + j]);
    }
    double* const tiled = tiles_.data() + k * tiled_size(dimensions) * lane_count;
    for_each_tiled(dimensions, [&](std::size_t at, std::size_t i, std::size_t j) {
      std::fill_n(tiled + at * lane_count, lane_count, j <= i ? inverse[i * (i + 1) / 2 + j] : 0.0);
    });
  }
}

std::span<const double> DensityFactors::inverse_factor(std::size_t k) const {
  const std::size_t triangle = dimensions_ * (dimensions_ + 1) / 2;
  return {inverse_.data() + k * triangle, triangle};
}

const double* DensityFactors::tiles(std::size_t k) const {
  return tiles_.data() + k * tiled_size(dimensions_) * lane_count;
}

std::span<const double> DensityFactors::scales(std::size_t k) const {
  return {scales_.data() + k * dimensions_, dimensions_};
}

RowTasks::RowTasks(std::size_t row_count) : rows(row_count) {
  const std::size_t blocks = (rows + block_rows - 1) / block_rows;
  const std::size_t wanted = std::clamp<std::size_t>(rows / least_rows_a_task, 1, most_tasks);
  rows_a_task = std::max<std::size_t>(1, (blocks + wanted - 1) / wanted) * block_rows;
  count = std::max<std::size_t>(1, (rows + rows_a_task - 1) / rows_a_task);
}

void log_densities(const DensityFactors& factors, const Features& features, Threads threads,
                   std::span<double> densities) {
  run_job({factors, features, densities}, threads);
}

void squared_distances(const DensityFactors& factors, const Features& features, Threads threads,
                       std::span<double> distances) {
  run_job({factors, features, distances, true}, threads);
}

Moments moments_of(std::span<const double> flat, std::size_t dimensions) {
  const auto first = flat.begin() + 1;
  const auto second = first + static_cast<std::ptrdiff_t>(dimensions);
  return {flat[0], {first, second}, {second, flat.end()}};
}

std::vector<Moments> weighted_moments(const DensityFactors& factors, const Features& features,
                                      std::span<const double> weights, Threads threads) {
  return moments_of_job({factors, features, weights, {}, {}}, threads);
}

std::vector<Moments> state_moments(const DensityFactors& factors, const Features& features,
                                   std::span<const std::uint8_t> states, std::span<const double> row_weights,
                                   Threads threads) {
  return moments_of_job({factors, features, {}, states, row_weights}, threads);
}

std::size_t MixturePass::statistic_count() const {
  return 1 + (labels.empty() ? 1 : 2) * factors.components() * moment_count(factors.dimensions());
}

void add_mixture_statistics(const MixturePass& pass, std::size_t begin, std::size_t end, std::span<double> statistics) {
  has_avx2() ? mixture_rows_avx2(pass, begin, end, statistics) : mixture_rows(pass, begin, end, statistics);
}

std::vector<double> mixture_statistics(const MixturePass& pass, Threads threads) {
  const RowTasks tasks(pass.features.rows());
  return sum_over_tasks(tasks.count, pass.statistic_count(), threads_of(threads, pass.factors, tasks.rows),
                        [&](std::size_t task, std::span<double> statistics) {
                          add_mixture_statistics(pass, tasks.begin(task), tasks.end(task), statistics);
                        });
}

}  // namespace motet::temporal
