#include "motet/superset/lsb_cmm/lsb_cmm.h"

#include <fmt/format.h>

#include "motet/base/error.h"
#include "motet/base/processor.h"
#include "motet/base/streams.h"
#include "motet/superset/lsb_cmm/lsb_stochastic.h"
#include "motet/superset/lsb_cmm/regression.h"

namespace motet::superset {
namespace {

constexpr std::size_t components_a_class = 5;

// Equation (16) for rows of a task.
[[gnu::always_inline]] inline void predict_rows(const LsbParameters& parameters, std::span<const double> profile,
                                                std::span<const double> x, std::size_t begin, std::size_t end,
                                                std::span<double> out) {
  const std::size_t width = parameters.width();
  const std::size_t classes = parameters.classes;
  LaneRoom tile(LsbTasks::tile * width);
  LaneRoom lines(4 * width);
  const RegressionRow row{lines.data(), lines.data() + width, lines.data() + 2 * width, nullptr};
  double* const phi = lines.data() + 3 * width;
  for (std::size_t from = begin; from < end; from += LsbTasks::tile) {
    const std::size_t to = std::min(end, from + LsbTasks::tile);
    const RowBlock<double> block{x.data() + from * parameters.dimensions, to - from, parameters.dimensions};
    multiply_rows(block, parameters.w.data(), parameters.bias(), width, tile.data());
    for (std::size_t n = from; n < to; ++n) {
      logistic_row(tile.data() + (n - from) * width, width, row);
      break_stick(row.s, row.rest, parameters.components, phi);
      double* const line = out.data() + n * classes;
      for (std::size_t k = 0; k < parameters.components; ++k) {
        for (std::size_t l = 0; l < classes; ++l) line[l] += phi[k] * profile[k * classes + l];
      }
    }
  }
}

// Fits that begin with another order of the classes have another stream.
Rng stream_of(std::span<const std::uint32_t> order, Seed seed) {
  std::uint64_t number = 0;
  for (const std::uint32_t l : order) number = number * 0x9E3779B97F4A7C15U + l;
  return stream(seed, Stream::superset_mixture, number);
}

}  // namespace

LsbFit fit_lsb_cmm(const CandidateItems& items, std::span<const double> x, const SupersetOptions& options,
                   std::span<const std::uint32_t> order, const RunContext& run) {
  const std::size_t classes = items.classes.size();
  if (order.size() != classes) {
    fail(ErrorKind::internal, fmt::format("an order of {} classes does not fit {}", order.size(), classes));
  }
  const LsbRows rows{items, x, items.rows() == 0 ? 0 : x.size() / items.rows()};
  const std::size_t components = options.components == 0 ? components_a_class * classes : options.components;
  const LsbStart start = class_start(components, classes, order);
  const Rng rng = stream_of(order, run.seed);
  if (options.batch > 0 && options.batch < items.rows()) {
    return fit_stochastic(rows, start, rule_of(options), options.batch, rng, run, "lsb-cmm");
  }
  return fit_from(rows, start, rule_of(options), rng, run, "lsb-cmm");
}

std::vector<double> class_probabilities(const LsbCmm& model, std::span<const double> x, Threads threads) {
  const LsbParameters parameters = parameters_of(model);
  std::vector<double> profile = model.concentration;
  for (std::size_t k = 0; k < parameters.components; ++k) {
    double total = 0.0;
    for (std::size_t l = 0; l < model.classes; ++l) total += profile[k * model.classes + l];
    for (std::size_t l = 0; l < model.classes; ++l) profile[k * model.classes + l] /= total;
  }
  const std::size_t rows = x.size() / std::max<std::size_t>(model.dimensions, 1);
  std::vector<double> probabilities(rows * model.classes);
  const LsbTasks tasks(rows);
  const double work = static_cast<double>(rows * parameters.components * (model.dimensions + model.classes)) / 4;
  for_each_task(tasks.count, threads_for(threads, work), [&](std::size_t task) {
    predict_rows(parameters, profile, x, tasks.begin(task), tasks.end(task), probabilities);
  });
  return probabilities;
}

}  // namespace motet::superset
