#include "motet/superset/linear/linear.h"

#include <algorithm>
#include <cmath>

#include "motet/data/eigen.h"

namespace motet::superset {
namespace {

using Rows = RowMatrixView;

constexpr std::size_t block_rows = 256;

struct Block {
  std::size_t begin, rows;
};

Block block_of(std::size_t task, std::size_t rows) {
  const std::size_t begin = task * block_rows;
  return {begin, std::min(block_rows, rows - begin)};
}

RowMatrix block_scores(std::span<const double> x, std::size_t dimensions, std::span<const double> w,
                       std::size_t classes, const Block& block) {
  const Rows rows(x.data() + block.begin * dimensions, at(block.rows), at(dimensions));
  const Rows weights(w.data(), at(dimensions), at(classes));
  const Eigen::Map<const Eigen::RowVectorXd> bias(w.data() + dimensions * classes, at(classes));
  RowMatrix f = rows * weights;
  f.rowwise() += bias;
  return f;
}

// sums[0]: the loss, then its gradient in w.
std::vector<double> loss_sums(std::span<const double> x, std::size_t dimensions, std::span<const double> w,
                              std::size_t classes, const RowLoss& loss, Threads threads) {
  const std::size_t rows = x.size() / dimensions;
  const std::size_t tasks = (rows + block_rows - 1) / block_rows;
  const double work = static_cast<double>(x.size()) * static_cast<double>(classes);
  return sum_over_tasks(tasks, 1 + w.size(), threads_for(threads, work), [&](std::size_t task, std::span<double> sums) {
    const Block block = block_of(task, rows);
    RowMatrix f = block_scores(x, dimensions, w, classes, block);
    RowMatrix slope(at(block.rows), at(classes));
    for (std::size_t i = 0; i < block.rows; ++i) {
      sums[0] += loss(block.begin + i, {f.row(at(i)).data(), classes}, {slope.row(at(i)).data(), classes});
    }
    const Rows inputs(x.data() + block.begin * dimensions, at(block.rows), at(dimensions));
    Eigen::Map<RowMatrix>(sums.data() + 1, at(dimensions), at(classes)).noalias() += inputs.transpose() * slope;
    Eigen::Map<Eigen::RowVectorXd>(sums.data() + 1 + dimensions * classes, at(classes)) += slope.colwise().sum();
  });
}

double penalty_of(std::span<const double> w, std::size_t penalised, double penalty) {
  double square = 0.0;
  for (std::size_t i = 0; i < penalised; ++i) square += w[i] * w[i];
  return 0.5 * penalty * square;
}

// Without it the bias of a class that is never a candidate runs away.
constexpr double bias_penalty = 1e-6;

}  // namespace

LinearScores zero_scores(std::size_t dimensions, std::size_t classes) {
  return {dimensions, classes, std::vector<double>((dimensions + 1) * classes, 0.0)};
}

LinearFit fit_linear(std::span<const double> x, LinearScores start, double penalty, const RowLoss& loss,
                     const DescentRule& rule, const RunContext& run) {
  LinearFit fit{std::move(start), {}};
  const std::size_t dimensions = fit.model.dimensions;
  const std::size_t classes = fit.model.classes;
  const std::size_t penalised = dimensions * classes;
  const SmoothFunction function = [&](std::span<const double> w, std::span<double> gradient) {
    const std::vector<double> sums = loss_sums(x, dimensions, w, classes, loss, run.threads);
    for (std::size_t i = 0; i < w.size(); ++i) {
      gradient[i] = sums[1 + i] + (i < penalised ? penalty : bias_penalty) * w[i];
    }
    return sums[0] + penalty_of(w, penalised, penalty) + penalty_of(w.subspan(penalised), classes, bias_penalty);
  };
  fit.summary = descend(function, fit.model.weights, rule, run);
  return fit;
}

double penalised_loss(std::span<const double> x, const LinearScores& model, double penalty, const RowLoss& loss,
                      Threads threads) {
  const std::size_t penalised = model.dimensions * model.classes;
  const std::span<const double> w = model.weights;
  return loss_sums(x, model.dimensions, w, model.classes, loss, threads)[0] + penalty_of(w, penalised, penalty) +
         penalty_of(w.subspan(penalised), model.classes, bias_penalty);
}

std::vector<double> scores(const LinearScores& model, std::span<const double> x, Threads threads) {
  const std::size_t rows = x.size() / model.dimensions;
  std::vector<double> result(rows * model.classes);
  const double work = static_cast<double>(x.size()) * static_cast<double>(model.classes);
  for_each_task((rows + block_rows - 1) / block_rows, threads_for(threads, work), [&](std::size_t task) {
    const Block block = block_of(task, rows);
    Eigen::Map<RowMatrix>(result.data() + block.begin * model.classes, at(block.rows), at(model.classes)) =
        block_scores(x, model.dimensions, model.weights, model.classes, block);
  });
  return result;
}

void to_softmax(std::span<double> f, std::size_t classes, double sharpness) {
  for (std::size_t begin = 0; begin < f.size(); begin += classes) {
    const std::span<double> row = f.subspan(begin, classes);
    const double top = *std::max_element(row.begin(), row.end());
    double sum = 0.0;
    for (double& value : row) sum += value = std::exp(sharpness * (value - top));
    for (double& value : row) value /= sum;
  }
}

}  // namespace motet::superset
