// Scores that are straight lines in the features, f_nl = w_l'[x_n, 1], and the penalised sums
// over rows that fit them: penalty / 2 |W|^2 (not of the bias) + sum_n loss_n(f_n).
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "motet/base/run.h"
#include "motet/engine/descent.h"

namespace motet::superset {

struct LinearScores {
  std::size_t dimensions = 0;
  std::size_t classes = 0;
  std::vector<double> weights;  // (D + 1) x L, the bias last

  bool operator==(const LinearScores&) const = default;
};

struct LinearFit {
  LinearScores model;
  FitSummary summary;  // minus the penalised loss of each step; it never falls
};

// The loss of row n at scores f; writes its slope in f.
using RowLoss = std::function<double(std::size_t n, std::span<const double> f, std::span<double> slope)>;

// Starts from `start`. The sums have the same bits on any number of threads.
LinearFit fit_linear(std::span<const double> x, LinearScores start, double penalty, const RowLoss& loss,
                     const DescentRule& rule, const RunContext& run);

double penalised_loss(std::span<const double> x, const LinearScores& model, double penalty, const RowLoss& loss,
                      Threads threads);

// Rows x L.
std::vector<double> scores(const LinearScores& model, std::span<const double> x, Threads threads);

// Each row to exp(sharpness f) / sum exp(sharpness f).
void to_softmax(std::span<double> f, std::size_t classes, double sharpness = 1.0);

LinearScores zero_scores(std::size_t dimensions, std::size_t classes);

}  // namespace motet::superset
