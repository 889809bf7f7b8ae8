#include "motet/discover/spread/class_scores.h"

#include <algorithm>
#include <cmath>

#include "motet/data/eigen.h"
#include "motet/engine/descent.h"

namespace motet::discover {
namespace {

constexpr double example_weight = 4.0;
constexpr double nothing_weight = 2.0;      // of an answer that nothing is there
constexpr double background_weight = 20.0;  // of all rows that nobody spoke of together
constexpr std::size_t most_background = 2000;
constexpr double penalty = 0.3;

// Rows to learn from: z / sqrt(D), the class and the weight of each.
struct Lesson {
  RowMatrix x;
  std::vector<std::int32_t> of;
  std::vector<double> weight;
};

// Rows that nobody spoke of, evenly spread.
std::vector<std::size_t> unspoken_rows(const Sequences& cut, std::span<const Example> examples, std::size_t radius) {
  std::vector<std::size_t> events;
  for (const Example& example : examples) {
    if (example.of_class > 0 && !example.rows.empty()) events.push_back(example.rows.front());
  }
  std::sort(events.begin(), events.end());
  std::vector<std::uint8_t> is_spoken = rows_within(cut.starts, events, radius);
  for (const Example& example : examples) {
    for (const std::size_t n : example.rows) is_spoken[n] = 1;
  }
  std::vector<std::size_t> unspoken;
  for (std::size_t n = 0; n < is_spoken.size(); ++n) {
    if (is_spoken[n] == 0) unspoken.push_back(n);
  }
  const std::size_t count = std::min(most_background, unspoken.size());
  std::vector<std::size_t> chosen(count);
  for (std::size_t i = 0; i < count; ++i) chosen[i] = unspoken[(2 * i + 1) * unspoken.size() / (2 * count)];
  return chosen;
}

Lesson lesson_of(const WhitenedRows& whitened, std::span<const Example> examples,
                 std::span<const std::size_t> background) {
  std::size_t size = background.size();
  for (const Example& example : examples) size += std::max<std::size_t>(1, example.rows.size());
  Lesson lesson{RowMatrix(at(size), at(whitened.dimensions)), {}, {}};
  const double scale = 1.0 / std::sqrt(static_cast<double>(whitened.dimensions));
  const auto add = [&](std::span<const float> z, std::int32_t of, double weight) {
    const auto n = at(lesson.of.size());
    for (std::size_t d = 0; d < z.size(); ++d) lesson.x(n, at(d)) = static_cast<double>(z[d]) * scale;
    lesson.of.push_back(of);
    lesson.weight.push_back(weight);
  };
  for (const Example& example : examples) {
    const double weight = example.of_class > 0 ? example_weight : nothing_weight;
    if (example.rows.empty()) add(example.mean, example.of_class, weight);
    const double each = weight / static_cast<double>(std::max<std::size_t>(1, example.rows.size()));
    for (const std::size_t n : example.rows) add(whitened.row(n), example.of_class, each);
  }
  const double each = background_weight / static_cast<double>(std::max<std::size_t>(1, background.size()));
  for (const std::size_t n : background) add(whitened.row(n), 0, each);
  return lesson;
}

// The objective and its slope; one row of weights per class, the last of them v_c.
struct RidgeLoss {
  const Lesson& lesson;
  Eigen::Index classes;

  double operator()(std::span<const double> w, std::span<double> gradient) const {
    const Eigen::Index columns = lesson.x.cols();
    const RowMatrixView weights(w.data(), classes, columns + 1);
    RowMatrix scores = lesson.x * weights.leftCols(columns).transpose();
    scores.rowwise() += weights.col(columns).transpose();
    double value = 0.5 * penalty * weights.leftCols(columns).squaredNorm();
    for (Eigen::Index n = 0; n < scores.rows(); ++n) value += loss(scores, n);
    Eigen::Map<RowMatrix> slopes(gradient.data(), classes, columns + 1);
    slopes.leftCols(columns).noalias() = scores.transpose() * lesson.x;
    slopes.leftCols(columns) += penalty * weights.leftCols(columns);
    slopes.col(columns) = scores.colwise().sum().transpose();
    return value;
  }

  // The scores become weight times (probability - truth).
  double loss(RowMatrix& scores, Eigen::Index n) const {
    const auto i = static_cast<std::size_t>(n);
    const std::int32_t of = lesson.of[i];
    const double own = of > 0 ? scores(n, of - 1) : 0.0;
    const double most = std::max(0.0, scores.row(n).maxCoeff());
    scores.row(n) = (scores.row(n).array() - most).exp();
    const double sum = std::exp(-most) + scores.row(n).sum();
    scores.row(n) /= sum;
    if (of > 0) scores(n, of - 1) -= 1.0;
    scores.row(n) *= lesson.weight[i];
    return lesson.weight[i] * (std::log(sum) + most - own);
  }
};

}  // namespace

void ClassScores::score(std::span<const float> z, std::span<double> scores) const {
  for (std::size_t c = 0; c < classes; ++c) {
    const double* w = weights.data() + c * (dimensions + 1);
    double sum = w[dimensions];
    for (std::size_t d = 0; d < dimensions; ++d) sum += w[d] * static_cast<double>(z[d]);
    scores[c] = sum;
  }
}

ClassScores fit_class_scores(const WhitenedRows& whitened, const Sequences& cut, std::span<const Example> examples,
                             std::size_t classes, std::size_t radius, const RunContext& run) {
  const std::vector<std::size_t> background = unspoken_rows(cut, examples, radius);
  const Lesson lesson = lesson_of(whitened, examples, background);
  ClassScores result{classes, whitened.dimensions, std::vector<double>(classes * (whitened.dimensions + 1), 0.0)};
  DescentRule rule;
  rule.max_steps = 200;
  rule.relative_fall = 1e-7;
  descend(RidgeLoss{lesson, at(classes)}, result.weights, rule, unheard(run));
  const double scale = 1.0 / std::sqrt(static_cast<double>(whitened.dimensions));
  for (std::size_t i = 0; i < result.weights.size(); ++i) {
    if (i % (whitened.dimensions + 1) != whitened.dimensions) result.weights[i] *= scale;
  }
  return result;
}

}  // namespace motet::discover
