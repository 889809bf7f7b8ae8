#include "motet/multilabel/sources/trainings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "motet/base/error.h"
#include "motet/multilabel/sources/design.h"

namespace motet::multilabel {
namespace {

struct Lesson {
  std::size_t set = 0;
  double weight = 1.0;
};

// The sets that teach each source.
std::vector<std::vector<Lesson>> lessons_of(const SetStatistics& statistics, const TrainOptions& options) {
  const std::size_t labels = statistics.sets.columns();
  const bool own = options.method == Training::fresh;
  const bool background = options.background && !own;
  std::vector<std::vector<Lesson>> lessons(own ? statistics.size() : labels + (background ? 1 : 0));
  for (std::size_t l = 0; l < statistics.size(); ++l) {
    if (own) {
      lessons[l].push_back({l, 1.0});
      continue;
    }
    const std::size_t degree = statistics.sets.count(l);
    if (options.method == Training::ignore) {
      if (degree == 1) for_each_bit(statistics.sets.row(l), [&](std::size_t k) { lessons[k].push_back({l, 1.0}); });
      if (degree == 0 && background) lessons[labels].push_back({l, 1.0});
      continue;
    }
    const double m = static_cast<double>(degree + (background ? 1 : 0));
    const double weight = options.method == Training::probabilistic ? 1.0 / m : 1.0;
    for_each_bit(statistics.sets.row(l), [&](std::size_t k) { lessons[k].push_back({l, weight}); });
    if (background) lessons[labels].push_back({l, weight});
  }
  return lessons;
}

// Values of several sets, each as often as its lesson weighs.
void merge_values(const SetStatistics& statistics, const std::vector<Lesson>& lessons, std::size_t k,
                  SetStatistics& taught) {
  for (std::size_t d = 0; d < statistics.dimensions; ++d) {
    std::map<double, double> weights;
    for (const Lesson& lesson : lessons) {
      for (const WeightedValue& one : statistics.values[lesson.set * statistics.dimensions + d]) {
        weights[one.value] += lesson.weight * one.weight;
      }
    }
    for (const auto& [value, weight] : weights) taught.values[k * statistics.dimensions + d].push_back({value, weight});
  }
}

void merge(const SetStatistics& statistics, const std::vector<Lesson>& lessons, std::size_t k, SetStatistics& taught) {
  const std::size_t dimensions = statistics.dimensions;
  const std::size_t cells = statistics.full ? dimensions * dimensions : dimensions;
  const auto weight_of = [&](const Lesson& lesson) { return lesson.weight * statistics.count[lesson.set]; };
  for (const Lesson& lesson : lessons) taught.count[k] += weight_of(lesson);
  double* const mean = taught.mean.data() + k * dimensions;
  for (const Lesson& lesson : lessons) {
    const double share = weight_of(lesson) / taught.count[k];
    for (std::size_t d = 0; d < dimensions; ++d) {
      mean[d] += share * statistics.mean[lesson.set * dimensions + d];
      if (!statistics.mean_log.empty()) {
        taught.mean_log[k * dimensions + d] += share * statistics.mean_log[lesson.set * dimensions + d];
      }
    }
  }
  if (!statistics.values.empty()) merge_values(statistics, lessons, k, taught);
  if (statistics.scatter.empty()) return;
  double* const scatter = taught.scatter.data() + k * cells;
  for (const Lesson& lesson : lessons) {
    const double* const own = statistics.scatter.data() + lesson.set * cells;
    const double* const set_mean = statistics.mean.data() + lesson.set * dimensions;
    for (std::size_t i = 0; i < cells; ++i) {
      const std::size_t row = statistics.full ? i / dimensions : i;
      const std::size_t column = i % dimensions;
      scatter[i] +=
          lesson.weight * own[i] + weight_of(lesson) * (set_mean[row] - mean[row]) * (set_mean[column] - mean[column]);
    }
  }
}

// Statistics of sets of one source each, from the sets that teach it.
SetStatistics taught_by(const std::vector<std::vector<Lesson>>& lessons, const SetStatistics& statistics) {
  const std::size_t sources = lessons.size();
  SetStatistics taught;
  taught.dimensions = statistics.dimensions;
  taught.full = statistics.full;
  taught.sets = BitMatrix(sources, sources);
  taught.count.assign(sources, 0.0);
  taught.mean.assign(sources * statistics.dimensions, 0.0);
  if (!statistics.mean_log.empty()) taught.mean_log = taught.mean;
  if (!statistics.values.empty()) taught.values.resize(taught.mean.size());
  const std::size_t cells = statistics.full ? statistics.dimensions * statistics.dimensions : statistics.dimensions;
  if (!statistics.scatter.empty()) taught.scatter.assign(sources * cells, 0.0);
  for (std::size_t k = 0; k < sources; ++k) {
    taught.sets.set(k, k);
    merge(statistics, lessons[k], k, taught);
  }
  return taught;
}

}  // namespace

std::vector<std::uint32_t> teaching_rows(const BitMatrix& sets, const TrainOptions& options) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t n = 0; n < sets.rows(); ++n) {
    const std::size_t degree = sets.count(n);
    const bool alone = degree == 1 || (degree == 0 && options.background);
    if (alone || options.method != Training::ignore) rows.push_back(n);
  }
  return rows;
}

SetStatistics taught_statistics(const SetStatistics& statistics, const TrainOptions& options,
                                std::span<const std::string> names) {
  const std::vector<std::vector<Lesson>> lessons = lessons_of(statistics, options);
  const std::size_t sources = lessons.size();
  const bool is_ignore = options.method == Training::ignore;
  std::string without;
  for (std::size_t k = 0; k < sources; ++k) {
    if (!lessons[k].empty()) continue;
    without += (without.empty() ? "" : ", ") +
               source_name(k, sources, options.background && options.method != Training::fresh, names);
  }
  if (!without.empty()) {
    fail(ErrorKind::unanswerable,
         is_ignore ? "--method ignore learns only from items with one label, of which there are none for " + without +
                         "; --method deconvolution does not need them"
                   : without + " is in no item, so nothing can be learnt about it");
  }
  SetStatistics taught = taught_by(lessons, statistics);
  // Items that teach several sources or none have no logarithm of their own to count.
  if (options.method == Training::fresh) taught.log_jacobian = statistics.log_jacobian;
  return taught;
}

std::vector<double> lesson_weights(const SetStatistics& statistics, const TrainOptions& options) {
  std::vector<double> weights;
  const std::vector<std::vector<Lesson>> lessons = lessons_of(statistics, options);
  for (std::size_t k = 0; k < statistics.sets.columns(); ++k) {
    double sum = 0.0;
    for (const Lesson& lesson : lessons[k]) sum += lesson.weight * statistics.count[lesson.set];
    weights.push_back(sum);
  }
  return weights;
}

SetStatistics rest_statistics(const SetStatistics& statistics, std::vector<double>& items) {
  const std::size_t labels = statistics.sets.columns();
  std::vector<std::vector<Lesson>> lessons(labels);
  items.assign(labels, 0.0);
  for (std::size_t k = 0; k < labels; ++k) {
    for (std::size_t l = 0; l < statistics.size(); ++l) {
      if (statistics.sets(l, k)) continue;
      lessons[k].push_back({l, 1.0});
      items[k] += statistics.count[l];
    }
    for (std::size_t l = 0; l < statistics.size() && items[k] == 0.0; ++l) lessons[k].push_back({l, 1.0});
  }
  return taught_by(lessons, statistics);
}

}  // namespace motet::multilabel
