#include "motet/superset/lsb_cmm/e_step.h"

#include <cmath>

#include "motet/base/logarithm.h"
#include "motet/base/numeric.h"
#include "motet/base/processor.h"
#include "motet/superset/lsb_cmm/regression.h"

namespace motet::superset {
namespace {

constexpr double least_rho = 1e-100;  // below it, 0: products of such numbers are slow and count for nothing
constexpr double least_z = 1e-200;    // below it a row is done in logarithms

// Places of the sums in one flat vector.
struct Layout {
  std::size_t width, classes, dimensions;

  std::size_t mass() const { return 1; }
  std::size_t all() const { return mass() + width; }                 // sum_n rho / S
  std::size_t inside() const { return all() + width; }               // sum_n (M - outside) rho / S, classes x width
  std::size_t direct() const { return inside() + classes * width; }  // counts of rows done in logarithms
  std::size_t q() const { return direct() + classes * width; }
  std::size_t curvature() const { return q() + width; }
  std::size_t gradient() const { return curvature() + width; }
  std::size_t size() const { return gradient() + (dimensions + 1) * width; }
};

struct Pass {
  const LsbRows& rows;
  const LsbParameters& parameters;
  const ScaledTable& table;
  const LsbKept& keep;
  const FreePhi& free_phi;
  Layout layout;
};

struct Room {
  explicit Room(std::size_t width) : tile(LsbTasks::tile * width), lines(8 * width) {}
  LaneRoom tile;
  LaneRoom lines;
};

// S, then v = phi e^{max} S and z = sum_k v.
[[gnu::always_inline]] inline double weigh(const Pass& pass, std::size_t item, const double* phi, double* factor,
                                           double* v) {
  const ScaledTable& table = pass.table;
  const CandidateItems& items = pass.rows.items;
  const double outside = items.outside;
  const std::size_t width = table.width;
  for (std::size_t k = 0; k < width; k += lane_count) {
    store_lanes(v + k, all_lanes(outside) * load_lanes(table.total.data() + k));
  }
  for (std::size_t i = items.starts[item]; i < items.starts[item + 1]; ++i) {
    const Lanes weight = all_lanes(items.weight_at(i) - outside);
    const double* const of_class = table.table.data() + items.label[i] * width;
    for (std::size_t k = 0; k < width; k += lane_count) {
      store_lanes(v + k, load_lanes(v + k) + weight * load_lanes(of_class + k));
    }
  }
  Lanes sum = all_lanes(0.0);
  for (std::size_t k = 0; k < width; k += lane_count) {
    const Lanes by = load_lanes(phi + k) * load_lanes(table.scale.data() + k);
    const Lanes product = max_lanes(by * load_lanes(v + k), all_lanes(0.0));
    store_lanes(factor + k, by);
    store_lanes(v + k, product);
    sum += product;
  }
  return sum_of_lanes(sum);
}

// The same in logarithms: rho into v, counts added directly; returns log Z.
double weigh_carefully(const Pass& pass, std::size_t item, std::span<const double> log_phi, double* v,
                       std::span<double> sums) {
  const ScaledTable& table = pass.table;
  const CandidateItems& items = pass.rows.items;
  std::vector<double> log_m(table.classes, std::log(items.outside));
  for (std::size_t i = items.starts[item]; i < items.starts[item + 1]; ++i) {
    log_m[items.label[i]] = std::log(items.weight_at(i));
  }
  std::vector<double> joint(table.classes);
  std::vector<double> of_component(table.components);
  const auto fill = [&](std::size_t k) {
    for (std::size_t l = 0; l < table.classes; ++l) joint[l] = log_m[l] + table.logs[k * table.classes + l];
  };
  for (std::size_t k = 0; k < table.components; ++k) {
    fill(k);
    of_component[k] = log_phi[k] + log_sum_exp(joint);
  }
  const double log_z = log_sum_exp(of_component);
  for (std::size_t k = 0; k < table.components; ++k) {
    v[k] = std::exp(of_component[k] - log_z);
    if (!(v[k] > 0.0)) continue;
    fill(k);
    for (std::size_t l = 0; l < table.classes; ++l) {
      sums[pass.layout.direct() + l * table.width + k] += std::exp(log_phi[k] + joint[l] - log_z);
    }
  }
  return log_z;
}

[[gnu::always_inline]] inline void add_row(const Pass& pass, std::size_t n, double* u, Room& room,
                                           std::span<double> sums) {
  const std::size_t width = pass.layout.width;
  const std::size_t components = pass.parameters.components;
  double* const lines = room.lines.data();
  const RegressionRow row{lines, lines + width, lines + 2 * width, lines + 3 * width};
  double* const phi = lines + 4 * width;
  double* const factor = lines + 5 * width;
  double* const rho = lines + 6 * width;
  const std::size_t item = pass.rows.item(n);

  logistic_row(u, width, row);
  if (pass.free_phi) {
    pass.free_phi(n, {phi, components});
  } else {
    break_stick(row.s, row.rest, components, phi);
  }
  const double z = weigh(pass, item, phi, factor, rho);
  if (z > least_z) {
    sums[0] += log_of_positive(z) + pass.table.offset;
    const Lanes inverse = all_lanes(1.0 / z);
    double* const all = sums.data() + pass.layout.all();
    for (std::size_t k = 0; k < width; k += lane_count) {
      const Lanes at = load_lanes(rho + k) * inverse;
      store_lanes(rho + k, select_lanes(at > all_lanes(least_rho), at, all_lanes(0.0)));
      const Lanes share = load_lanes(factor + k) * inverse;
      store_lanes(factor + k, share);
      store_lanes(all + k, load_lanes(all + k) + share);
    }
    const CandidateItems& items = pass.rows.items;
    for (std::size_t i = items.starts[item]; i < items.starts[item + 1]; ++i) {
      const Lanes weight = all_lanes(items.weight_at(i) - items.outside);
      double* const of_class = sums.data() + pass.layout.inside() + items.label[i] * width;
      for (std::size_t k = 0; k < width; k += lane_count) {
        store_lanes(of_class + k, load_lanes(of_class + k) + weight * load_lanes(factor + k));
      }
    }
  } else {
    std::vector<double> log_phi(components);
    if (pass.free_phi) {
      for (std::size_t k = 0; k < components; ++k) log_phi[k] = std::log(phi[k]);
    } else {
      log_stick({u, components - 1}, log_phi);
    }
    sums[0] += weigh_carefully(pass, item, log_phi, rho, sums);
  }
  double* const mass = sums.data() + pass.layout.mass();
  for (std::size_t k = 0; k < width; k += lane_count) store_lanes(mass + k, load_lanes(mass + k) + load_lanes(rho + k));
  if (!pass.keep.rho.empty()) std::copy_n(rho, width, pass.keep.rho.data() + n * width);
  float* const h = pass.keep.curvature.empty() ? nullptr : pass.keep.curvature.data() + n * width;
  regress_row(rho, components, width, row, u, h, sums.data() + pass.layout.q(), sums.data() + pass.layout.curvature());
}

[[gnu::always_inline]] inline void add_rows(const Pass& pass, std::size_t begin, std::size_t end,
                                            std::span<double> sums) {
  const std::size_t width = pass.layout.width;
  Room room(width);
  double* const u = room.tile.data();
  double* const gradient = sums.data() + pass.layout.gradient();
  double* const of_bias = gradient + pass.layout.dimensions * width;
  for (std::size_t from = begin; from < end; from += LsbTasks::tile) {
    const std::size_t to = std::min(end, from + LsbTasks::tile);
    const RowBlock<double> x = pass.rows.block(from, to);
    multiply_rows(x, pass.parameters.w.data(), pass.parameters.bias(), width, u);
    for (std::size_t n = from; n < to; ++n) {
      double* const line = u + (n - from) * width;
      add_row(pass, n, line, room, sums);
      for (std::size_t k = 0; k < width; k += lane_count) {
        store_lanes(of_bias + k, load_lanes(of_bias + k) + load_lanes(line + k));
      }
    }
    add_transposed(x, u, width, gradient);
  }
}

#if defined(__x86_64__)
[[gnu::target("avx2")]]
#endif
void add_rows_avx2(const Pass& pass, std::size_t begin, std::size_t end, std::span<double> sums) {
  add_rows(pass, begin, end, sums);
}

}  // namespace

EStepSums e_step(const LsbRows& rows, const LsbParameters& parameters, const ScaledTable& table, const LsbKept& keep,
                 const FreePhi& free_phi, Threads threads) {
  const Layout layout{parameters.width(), parameters.classes, parameters.dimensions};
  const Pass pass{rows, parameters, table, keep, free_phi, layout};
  const LsbTasks tasks(rows.count());
  const double work =
      static_cast<double>(rows.count() * layout.width) * (static_cast<double>(layout.dimensions) / 4 + 10);
  const std::vector<double> sums = sum_over_tasks(
      tasks.count, layout.size(), threads_for(threads, work), [&](std::size_t task, std::span<double> to) {
        has_avx2() ? add_rows_avx2(pass, tasks.begin(task), tasks.end(task), to)
                   : add_rows(pass, tasks.begin(task), tasks.end(task), to);
      });
  EStepSums result;
  result.sum_log_z = sums[0];
  const auto part = [&](std::size_t from, std::size_t count) {
    return std::vector<double>(sums.begin() + static_cast<std::ptrdiff_t>(from),
                               sums.begin() + static_cast<std::ptrdiff_t>(from + count));
  };
  result.mass = part(layout.mass(), parameters.components);
  result.q = part(layout.q(), layout.width);
  result.curvature = part(layout.curvature(), layout.width);
  result.gradient = part(layout.gradient(), (layout.dimensions + 1) * layout.width);
  result.counts.resize(parameters.components * layout.classes);
  for (std::size_t k = 0; k < parameters.components; ++k) {
    for (std::size_t l = 0; l < layout.classes; ++l) {
      const std::size_t at = l * layout.width + k;
      const double shares = sums[layout.inside() + at] + rows.items.outside * sums[layout.all() + k];
      result.counts[k * layout.classes + l] = std::max(0.0, table.table[at] * shares) + sums[layout.direct() + at];
    }
  }
  return result;
}

}  // namespace motet::superset
