#include "motet/temporal/mixture/kmeans.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/base/error.h"
#include "motet/base/processor.h"
#include "motet/base/streams.h"
#include "motet/temporal/field/field_problem.h"
#include "motet/temporal/mixture/densities.h"
#include "motet/temporal/mixture/gauss_block.h"
#include "motet/temporal/mixture/shrinkage.h"

namespace motet::temporal {
namespace {

constexpr std::size_t most_rounds = 300;
constexpr double nanoseconds_a_difference = 0.3;

// Rows about the mean, in units of a number of the size of the largest standard deviation or each in its own. The
// squares of any number are numbers then.
struct Space {
  std::vector<double> values;
  std::vector<double> mean;
  std::vector<double> unit;
  std::size_t dimensions = 0;
  RowTasks tasks;
  Threads threads;

  std::size_t rows() const { return tasks.rows; }
  const double* row(std::size_t n) const { return values.data() + n * dimensions; }
};

Space space_of(const Features& features, std::size_t clusters, ColumnUnits units, Threads threads) {
  const GlobalShape global = global_shape(features, 0.0, threads);
  const std::size_t dimensions = features.dimensions();
  const double work = nanoseconds_a_difference * static_cast<double>(features.values.size() * clusters);
  Space space{{}, global.mean, {}, dimensions, RowTasks(features.rows()), threads_for(threads, work)};
  double largest = 0.0;
  for (std::size_t d = 0; d < dimensions; ++d) {
    space.unit.push_back(std::sqrt(global.covariance[d * dimensions + d]));
    largest = std::max(largest, space.unit.back());
  }
  if (units == ColumnUnits::own) space.unit.assign(dimensions, std::exp2(std::floor(std::log2(largest))));
  space.values.resize(features.values.size());
  for_each_task(space.tasks.count, space.threads, [&](std::size_t task) {
    for (std::size_t n = space.tasks.begin(task); n < space.tasks.end(task); ++n) {
      const std::span<const double> row = features.row(n);
      for (std::size_t d = 0; d < dimensions; ++d) {
        space.values[n * dimensions + d] = (row[d] - space.mean[d]) / space.unit[d];
      }
    }
  });
  return space;
}

double squared_distance(const double* a, const double* b, std::size_t dimensions) {
  double sum = 0.0;
  for (std::size_t d = 0; d < dimensions; ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
  return sum;
}

// k-means++ (Arthur and Vassilvitskii 2007): the next centre is a row drawn with a
// probability proportional to its squared distance from the nearest centre so far.
std::vector<double> draw_centres(const Space& space, std::size_t clusters, Rng rng) {
  const std::size_t dimensions = space.dimensions;
  std::vector<double> centres;
  std::vector<double> distance(space.rows(), std::numeric_limits<double>::infinity());
  std::size_t drawn = rng.below(space.rows());
  std::vector<double> of_task(space.tasks.count);
  for (std::size_t k = 0;; ++k) {
    centres.insert(centres.end(), space.row(drawn), space.row(drawn) + dimensions);
    if (k + 1 == clusters) return centres;
    const double* const centre = centres.data() + k * dimensions;
    for_each_task(space.tasks.count, space.threads, [&](std::size_t task) {
      double sum = 0.0;
      for (std::size_t n = space.tasks.begin(task); n < space.tasks.end(task); ++n) {
        distance[n] = std::min(distance[n], squared_distance(space.row(n), centre, dimensions));
        sum += distance[n];
      }
      of_task[task] = sum;
    });
    double total = 0.0;
    for (const double sum : of_task) total += sum;
    if (!(total > 0.0)) {
      fail(ErrorKind::unanswerable, "there are only " + std::to_string(k + 1) + " distinct rows for " +
                                        std::to_string(clusters) + " components; ask for fewer");
    }
    const std::size_t task = rng.categorical(of_task);
    const std::size_t begin = space.tasks.begin(task);
    drawn = begin + rng.categorical({distance.data() + begin, space.tasks.end(task) - begin});
  }
}

// What a task finds: sum of squared distances, rows that changed, and for each cluster its rows and their sum.
struct Sums {
  static std::size_t size(std::size_t clusters, std::size_t dimensions) { return 2 + clusters * (1 + dimensions); }
};

struct Round {
  const Space& space;
  std::span<const double> centres;
  std::span<std::uint8_t> states;
  std::span<double> distance;  // of each row from its centre
};

[[gnu::always_inline]] inline void assign_rows(const Round& round, std::size_t begin, std::size_t end,
                                               std::span<double> sums) {
  const std::size_t dimensions = round.space.dimensions;
  const std::size_t clusters = round.centres.size() / dimensions;
  LaneRoom block(dimensions * block_rows);
  for (std::size_t n = begin; n < end; n += block_rows) {
    const std::size_t count = std::min(block_rows, end - n);
    transpose_block(round.space.row(n), count, dimensions, block.data());
    double nearest[block_rows];
    double distance[block_rows];
    for (std::size_t i = 0; i < block_rows; i += lane_count) {
      Lanes least = all_lanes(std::numeric_limits<double>::infinity());
      Lanes which = {};
      for (std::size_t k = 0; k < clusters; ++k) {
        Lanes q = {};
        for (std::size_t d = 0; d < dimensions; ++d) {
          const Lanes apart =
              load_lanes(block.data() + d * block_rows + i) - all_lanes(round.centres[k * dimensions + d]);
          q += apart * apart;
        }
        const LaneBits nearer = q < least;
        least = select_lanes(nearer, q, least);
        which = select_lanes(nearer, all_lanes(static_cast<double>(k)), which);
      }
      store_lanes(nearest + i, which);
      store_lanes(distance + i, least);
    }
    for (std::size_t i = 0; i < count; ++i) {
      const auto k = static_cast<std::size_t>(nearest[i]);
      sums[0] += distance[i];
      sums[1] += round.states[n + i] == k ? 0.0 : 1.0;
      round.states[n + i] = static_cast<std::uint8_t>(k);
      round.distance[n + i] = distance[i];
      double* const of_cluster = sums.data() + 2 + k * (1 + dimensions);
      of_cluster[0] += 1.0;
      const double* const row = round.space.row(n + i);
      for (std::size_t d = 0; d < dimensions; ++d) of_cluster[1 + d] += row[d];
    }
  }
}

#if defined(__x86_64__)
[[gnu::target("avx2")]]
#endif
void assign_rows_avx2(const Round& round, std::size_t begin, std::size_t end, std::span<double> sums) {
  assign_rows(round, begin, end, sums);
}

std::vector<double> assign_all(const Round& round, std::size_t clusters) {
  const Space& space = round.space;
  return sum_over_tasks(space.tasks.count, Sums::size(clusters, space.dimensions), space.threads,
                        [&](std::size_t task, std::span<double> sums) {
                          const std::size_t begin = space.tasks.begin(task);
                          const std::size_t end = space.tasks.end(task);
                          has_avx2() ? assign_rows_avx2(round, begin, end, sums) : assign_rows(round, begin, end, sums);
                        });
}

// Means of the clusters; an empty one moves to the row that is furthest from its centre.
void move_centres(std::span<const double> sums, const Space& space, std::span<double> distance,
                  std::span<double> centres) {
  const std::size_t dimensions = space.dimensions;
  for (std::size_t k = 0; k < centres.size() / dimensions; ++k) {
    const double* const of_cluster = sums.data() + 2 + k * (1 + dimensions);
    double* const centre = centres.data() + k * dimensions;
    if (of_cluster[0] > 0.0) {
      for (std::size_t d = 0; d < dimensions; ++d) centre[d] = of_cluster[1 + d] / of_cluster[0];
    } else {
      const auto furthest = std::max_element(distance.begin(), distance.end());
      std::copy_n(space.row(static_cast<std::size_t>(furthest - distance.begin())), dimensions, centre);
      *furthest = 0.0;
    }
  }
}

Clusters run_once(const Space& space, std::size_t clusters, Rng rng, const RunContext& run) {
  Clusters found;
  found.centres = draw_centres(space, clusters, rng);
  found.states.assign(space.rows(), static_cast<std::uint8_t>(most_components));
  std::vector<double> distance(space.rows());
  for (std::size_t count = 0; count < most_rounds; ++count) {
    const std::vector<double> sums = assign_all({space, found.centres, found.states, distance}, clusters);
    found.inertia = sums[0];
    const bool changed = sums[1] > 0.0;
    if (!changed || run.cancelled()) break;
    move_centres(sums, space, distance, found.centres);
  }
  return found;
}

}  // namespace

Clusters kmeans(const Features& features, std::size_t clusters, std::size_t starts, ColumnUnits units,
                const RunContext& run) {
  if (clusters == 0 || clusters > most_components) {
    fail(ErrorKind::usage, "--components " + std::to_string(clusters) + " is outside [1, 255]");
  }
  const Space space = space_of(features, clusters, units, run.threads);
  Clusters best;
  for (std::size_t start = 0; start < std::max<std::size_t>(starts, 1); ++start) {
    Clusters found = run_once(space, clusters, stream(run.seed, Stream::temporal_kmeans, start), run);
    // The first of equals stays, so that rounding does not choose.
    if (start == 0 || found.inertia < best.inertia * (1.0 - 1e-12)) best = std::move(found);
    if (run.cancelled()) break;
  }
  for (std::size_t i = 0; i < best.centres.size(); ++i) {
    const std::size_t d = i % space.dimensions;
    best.centres[i] = space.mean[d] + best.centres[i] * space.unit[d];
  }
  return best;
}

}  // namespace motet::temporal
