#include "motet/judges/numeric/regression_checks.h"

#include <fmt/format.h>

#include <cmath>

#include "motet/base/error.h"

namespace motet::judges {
namespace {

constexpr double copy_share = 1e-12;  // of a variance: differences below it are rounding

void check_judge(const Predictions& predictions, std::size_t j) {
  std::size_t count = 0;
  double first = 0.0;
  double largest = 0.0;
  bool varies = false;
  for (std::size_t i = 0; i < predictions.item_count(); ++i) {
    const double value = predictions.row(i)[j];
    if (std::isnan(value)) continue;
    if (count == 0) first = value;
    varies = varies || value != first;
    if (std::abs(value) > std::abs(largest)) largest = value;
    ++count;
  }
  const std::string_view name = predictions.judges[j];
  if (count == 0) {
    fail(ErrorKind::unanswerable, fmt::format("judge '{}' made no predictions; leave the judge out", name));
  }
  if (count == 1) {
    fail(ErrorKind::unanswerable, fmt::format("judge '{}' made 1 prediction; at least 2 are needed", name));
  }
  if (!varies) {
    fail(ErrorKind::unanswerable,
         fmt::format("judge '{}' predicted {} for every item; a judge that never varies cannot be rated", name,
                     to_text(first)));
  }
  if (!std::isfinite(largest * largest * static_cast<double>(count))) {
    fail(ErrorKind::unanswerable,
         fmt::format("judge '{}' predicted {}, whose square is beyond all numbers; give predictions and truth in a "
                     "larger unit",
                     name, to_text(largest)));
  }
}

struct PairSums {
  double count = 0.0;
  double mean_j = 0.0, mean_l = 0.0;
  double jj = 0.0, ll = 0.0, jl = 0.0;  // scatter around the means
};

PairSums shared_by(std::span<const PredictionPattern> patterns, std::uint32_t judge_j, std::uint32_t judge_l) {
  PairSums sum;
  for (const PredictionPattern& pattern : patterns) {
    const std::size_t size = pattern.judges.size();
    std::size_t j = size;
    std::size_t l = size;
    for (std::size_t at = 0; at < size; ++at) {
      if (pattern.judges[at] == judge_j) j = at;
      if (pattern.judges[at] == judge_l) l = at;
    }
    if (j == size || l == size) continue;
    const double total = sum.count + pattern.count;
    const double gap_j = pattern.mean[j] - sum.mean_j;
    const double gap_l = pattern.mean[l] - sum.mean_l;
    const double weight = sum.count * pattern.count / total;
    sum.jj += pattern.scatter[j * size + j] + weight * gap_j * gap_j;
    sum.ll += pattern.scatter[l * size + l] + weight * gap_l * gap_l;
    sum.jl += pattern.scatter[j * size + l] + weight * gap_j * gap_l;
    sum.mean_j += gap_j * pattern.count / total;
    sum.mean_l += gap_l * pattern.count / total;
    sum.count = total;
  }
  return sum;
}

// Copies make the joint likelihood of channel and factor judges grow without end.
void check_copies(const Predictions& predictions, const RegressionData& data, RegressionNoise noise) {
  for (std::uint32_t j = 0; j < predictions.judge_count(); ++j) {
    for (std::uint32_t l = j + 1; l < predictions.judge_count(); ++l) {
      const PairSums pair = shared_by(data.patterns, j, l);
      const double spread = pair.jj + pair.ll;
      const double offset = pair.mean_j - pair.mean_l;
      const bool same = pair.jj + pair.ll - 2.0 * pair.jl + pair.count * offset * offset <= copy_share * spread;
      const bool aligned = pair.jj * pair.ll - pair.jl * pair.jl <= copy_share * pair.jj * pair.ll;
      if (noise == RegressionNoise::channel && pair.count >= 2.0 && same) {
        fail(ErrorKind::unanswerable,
             fmt::format("judges '{}' and '{}' predicted the same for every item they share, so their errors are not "
                         "independent; leave one out",
                         predictions.judges[j], predictions.judges[l]));
      }
      if (noise == RegressionNoise::factor && pair.count >= 3.0 && aligned) {
        fail(ErrorKind::unanswerable,
             fmt::format("judges '{}' and '{}' are a straight line of each other, so their errors are not independent; "
                         "leave one out",
                         predictions.judges[j], predictions.judges[l]));
      }
    }
  }
}

}  // namespace

void check(const RegressionOptions& options) {
  check_ranges(options);
  if (options.variance == 0.0) {
    fail(ErrorKind::usage, "--variance 0 is too small; the truth must vary, so give a variance above 0");
  }
  if (options.noise == RegressionNoise::proportional && options.noise_variance == 0.0) {
    fail(ErrorKind::usage, "--noise-variance 0 is too small; proportional judges need a noise variance above 0");
  }
  if (options.noise == RegressionNoise::deterministic && options.noise_variance >= options.variance) {
    fail(ErrorKind::usage, fmt::format("--noise-variance {} is not below --variance {}; deterministic judges see the "
                                       "part of the truth whose variance is the difference",
                                       to_text(options.noise_variance), to_text(options.variance)));
  }
  if (options.noise == RegressionNoise::factor && options.separately) {
    fail(ErrorKind::usage, "--separately does not go with --noise factor; a line is known only by comparing judges");
  }
}

void check_values(const Predictions& predictions) {
  if (predictions.values.size() != predictions.item_count() * predictions.judge_count()) {
    fail(ErrorKind::bad_data,
         fmt::format("{} predictions for {} items and {} judges; there must be one for each pair",
                     predictions.values.size(), predictions.item_count(), predictions.judge_count()));
  }
  for (std::size_t i = 0; i < predictions.item_count(); ++i) {
    for (std::size_t j = 0; j < predictions.judge_count(); ++j) {
      const double value = predictions.row(i)[j];
      if (!std::isinf(value)) continue;
      fail(ErrorKind::bad_data, fmt::format("item '{}': judge '{}' predicted {}; predictions must be finite numbers",
                                            predictions.items[i], predictions.judges[j], to_text(value)));
    }
  }
}

void check_answerable(const Predictions& predictions, const RegressionData& data, const RegressionOptions& options) {
  if (predictions.judge_count() == 0) fail(ErrorKind::unanswerable, "there are no judges to rate");
  double items = 0.0;
  for (const PredictionPattern& pattern : data.patterns) items += pattern.count;
  if (items < 2.0) {
    fail(ErrorKind::unanswerable,
         fmt::format("{} of {} items have predictions; at least 2 are needed", items, predictions.item_count()));
  }
  if (options.noise == RegressionNoise::factor && predictions.judge_count() < 3) {
    fail(ErrorKind::unanswerable,
         fmt::format("--noise factor does not work with {} judges; it finds a judge's line by comparing three or "
                     "more; add judges or use proportional or channel",
                     predictions.judge_count()));
  }
  for (std::size_t j = 0; j < predictions.judge_count(); ++j) check_judge(predictions, j);
  if (!options.separately) check_copies(predictions, data, options.noise);
}

void add_warnings(const RegressionData& data, RegressionFit& fit) {
  const RegressionOptions& options = fit.model.options;
  std::vector<std::string>& warnings = fit.summary.warnings;
  const bool scaled = options.noise == RegressionNoise::proportional || options.noise == RegressionNoise::deterministic;
  if (scaled && options.mean == 0.0) {
    warnings.push_back("--mean 0: theta and -theta predict alike, so theta > 0 is taken for granted");
  }
  if (options.noise == RegressionNoise::deterministic && !options.separately && fit.model.judges.size() > 1) {
    warnings.push_back("deterministic judges depend on each other, so each was rated separately");
  }
  if (options.noise == RegressionNoise::factor) {
    warnings.push_back("the sum of the slopes is taken to be positive; predictions alone do not tell");
  }
  for (std::size_t j = 0; j < fit.model.judges.size(); ++j) {
    const RegressionJudge& judge = fit.model.judges[j];
    if (scaled && options.mean * data.single[j].mean[0] < 0.0) {
      warnings.push_back(
          fmt::format("judge '{}': its mean {:.4g} and the truth's {:.4g} have opposite signs, but theta "
                      "> 0 is taken for granted; if the judge reverses the truth, turn its sign",
                      judge.name, data.single[j].mean[0], options.mean));
    }
    if (judge.at_boundary && options.noise == RegressionNoise::channel) {
      warnings.push_back(
          fmt::format("judge '{}': varies no more than the truth should, so theta = 0; only an upper "
                      "bound is meaningful",
                      judge.name));
    }
    if (judge.at_boundary && options.noise == RegressionNoise::factor) {
      warnings.push_back(
          fmt::format("judge '{}': the others explain all of its variance, so its residual is 0; more "
                      "items or judges are needed to trust its risk",
                      judge.name));
    }
  }
  if (std::isnan(fit.model.judges[0].theta_interval.low)) {
    warnings.push_back("the information matrix is singular, so there are no intervals; more items are needed");
  }
  if (fit.summary.stop != Stop::converged) {
    warnings.push_back(fmt::format("the fit did not converge: {}", name_of(fit.summary.stop)));
  }
}

}  // namespace motet::judges
