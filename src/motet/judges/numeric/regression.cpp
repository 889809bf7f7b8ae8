#include "motet/judges/numeric/regression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/judges/numeric/channel.h"
#include "motet/judges/numeric/factor.h"
#include "motet/judges/numeric/proportional.h"
#include "motet/judges/numeric/regression_checks.h"

namespace motet::judges {
namespace {

bool joint(const RegressionOptions& options) {
  return !options.separately && options.noise != RegressionNoise::deterministic;
}

// The mse as a function of theta, where it is one: c0 + c1 (1 - theta)^2 + c2 theta^2.
struct RiskCurve {
  double c0 = 0.0;
  double c1 = 0.0;
  double c2 = 0.0;

  double at(double theta) const { return c0 + c1 * (1.0 - theta) * (1.0 - theta) + c2 * theta * theta; }
  double slope(double theta) const { return 2.0 * (c2 * theta - c1 * (1.0 - theta)); }
  double lowest() const { return c1 / (c1 + c2); }
};

RiskCurve risk_curve(const RegressionOptions& o) {
  const double square = o.mean * o.mean + o.variance;  // E y^2
  switch (o.noise) {
    case RegressionNoise::proportional: return {0.0, square, o.noise_variance};
    case RegressionNoise::deterministic: return {o.noise_variance, square - o.noise_variance, 0.0};
    case RegressionNoise::channel: return {0.0, 0.0, 1.0};
    case RegressionNoise::factor: break;
  }
  fail(ErrorKind::internal, "risk_curve: a factor judge has no single theta");
}

void set_risk(const RegressionOptions& options, RegressionJudge& judge) {
  const RiskCurve curve = risk_curve(options);
  judge.mse = curve.at(judge.theta);
  judge.mse_error = std::abs(curve.slope(judge.theta)) * judge.theta_error;
  if (std::isnan(judge.theta_interval.low)) {
    judge.mse_interval = judge.theta_interval;
    return;
  }
  const double ends[] = {curve.at(judge.theta_interval.low), curve.at(judge.theta_interval.high)};
  judge.mse_interval = {std::min(ends[0], ends[1]), std::max(ends[0], ends[1])};
  if (judge.theta_interval.contains(curve.lowest())) judge.mse_interval.low = curve.at(curve.lowest());
}

ValuePosterior deterministic_posterior(std::span<const double> row, std::span<const RegressionJudge*> judges,
                                       const RegressionOptions& options) {
  double sum = 0.0;
  double count = 0.0;
  for (std::size_t j = 0; j < row.size(); ++j) {
    if (std::isnan(row[j])) continue;
    sum += row[j] / judges[j]->theta;
    count += 1.0;
  }
  if (count == 0.0) return {options.mean, std::sqrt(options.variance)};
  return {sum / count, std::sqrt(options.noise_variance)};
}

// By column of `predictions`.
std::vector<const RegressionJudge*> match_judges(const RegressionModel& model, const Predictions& predictions) {
  std::vector<const RegressionJudge*> matched;
  for (std::size_t j = 0; j < predictions.judge_count(); ++j) {
    const auto found = std::find_if(model.judges.begin(), model.judges.end(),
                                    [&](const RegressionJudge& judge) { return judge.name == predictions.judges[j]; });
    if (found == model.judges.end()) {
      fail(ErrorKind::bad_data, fmt::format("judge '{}' is not in the model", predictions.judges[j]));
    }
    matched.push_back(&*found);
  }
  return matched;
}

}  // namespace

std::string_view name_of(RegressionNoise noise) {
  switch (noise) {
    case RegressionNoise::proportional: return "proportional";
    case RegressionNoise::deterministic: return "deterministic";
    case RegressionNoise::channel: return "channel";
    case RegressionNoise::factor: return "factor";
  }
  return "unknown";
}

double interval_factor(const RegressionOptions& options) { return normal_quantile(0.5 + 0.5 * options.confidence); }

JudgeLine line_of(const RegressionOptions& o, double theta) {
  switch (o.noise) {
    case RegressionNoise::proportional: return {0.0, theta, theta * theta * o.noise_variance};
    case RegressionNoise::channel: return {0.0, 1.0, theta * theta};
    case RegressionNoise::factor: return {0.0, theta, o.noise_variance};
    case RegressionNoise::deterministic: break;
  }
  const double share = (o.variance - o.noise_variance) / o.variance;  // of the truth that f carries
  return {theta * (1.0 - share) * o.mean, theta * share, theta * theta * share * o.noise_variance};
}

double mean_squared_error(const RegressionOptions& options, double theta, const JudgeLine& line) {
  if (options.noise != RegressionNoise::factor) return risk_curve(options).at(theta);
  const double bias = line.intercept + (line.slope - 1.0) * options.mean;
  return bias * bias + (line.slope - 1.0) * (line.slope - 1.0) * options.variance + line.residual;
}

RegressionFit fit_regression(const Predictions& predictions, const RegressionOptions& options, const RunContext& run) {
  check(options);
  check_values(predictions);
  RegressionData data{gather_patterns(predictions), {}};
  for (std::size_t j = 0; j < predictions.judge_count(); ++j) {
    data.single.push_back(pattern_of_judge(data.patterns, static_cast<std::uint32_t>(j)));
  }
  check_answerable(predictions, data, options);

  RegressionFit fit;
  fit.model.options = options;
  for (std::size_t j = 0; j < predictions.judge_count(); ++j) {
    RegressionJudge judge;
    judge.name = predictions.judges[j];
    judge.predictions = static_cast<std::size_t>(data.single[j].count);
    fit.model.judges.push_back(std::move(judge));
  }
  switch (options.noise) {
    case RegressionNoise::proportional:
      joint(options) ? fit_proportional(data, run, fit) : fit_from_own_moments(data, fit);
      break;
    case RegressionNoise::deterministic: fit_from_own_moments(data, fit); break;
    case RegressionNoise::channel:
      joint(options) ? fit_channel(data, run, fit) : fit_channel_separately(data, fit);
      break;
    case RegressionNoise::factor: fit_factor(data, run, fit); break;
  }
  if (options.noise != RegressionNoise::factor) {
    for (RegressionJudge& judge : fit.model.judges) set_risk(options, judge);
  }
  add_warnings(data, fit);
  return fit;
}

double log_likelihood(const RegressionModel& model, const Predictions& predictions) {
  check_values(predictions);
  std::vector<JudgeLine> lines;
  for (const RegressionJudge* judge : match_judges(model, predictions)) lines.push_back(judge->line);
  const std::vector<PredictionPattern> patterns = gather_patterns(predictions);
  if (joint(model.options)) return line_log_likelihood(patterns, lines, model.options.prior());
  double sum = 0.0;
  for (std::size_t j = 0; j < lines.size(); ++j) {
    const PredictionPattern own = pattern_of_judge(patterns, static_cast<std::uint32_t>(j));
    if (own.count > 0.0) sum += line_log_likelihood({&own, 1}, lines, model.options.prior());
  }
  return sum;
}

CombinedValues combine(const RegressionModel& model, const Predictions& predictions) {
  check_values(predictions);
  std::vector<const RegressionJudge*> judges = match_judges(model, predictions);
  std::vector<JudgeLine> lines;
  lines.reserve(judges.size());
  for (const RegressionJudge* judge : judges) lines.push_back(judge->line);
  CombinedValues combined;
  for (std::size_t i = 0; i < predictions.item_count(); ++i) {
    const ValuePosterior posterior = model.options.noise == RegressionNoise::deterministic
                                         ? deterministic_posterior(predictions.row(i), judges, model.options)
                                         : line_posterior(predictions.row(i), lines, model.options.prior());
    combined.mean.push_back(posterior.mean);
    combined.sd.push_back(posterior.sd);
  }
  return combined;
}

}  // namespace motet::judges
