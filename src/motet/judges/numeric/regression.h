// Mean squared error of numeric judges when the truth is never seen.
//
// The truth is y ~ N(mu, sigma^2) with mu and sigma^2 known. Judge j is one of
//   proportional   yhat = theta (y - eps), eps ~ N(0, tau^2) independent of y, theta > 0
//                  mse = theta^2 tau^2 + (1 - theta)^2 (mu^2 + sigma^2)
//   deterministic  y = f + eps, yhat = theta f, so Var yhat = theta^2 (sigma^2 - tau^2)
//                  mse = (1 - theta)^2 (mu^2 + sigma^2 - tau^2) + tau^2
//   channel        yhat = y + N(0, theta^2);  mse = theta^2
//   factor         yhat = a + b y + N(0, s^2);  mse = (a + (b - 1) mu)^2 + (b - 1)^2 sigma^2 + s^2
// Source: Donmez, Lebanon, Balasubramanian, eqs. 10-13, sections 2.1.2, 2.1.3 and 2.2.
// Errata: its derivation of (10) starts from the deterministic judge, whose noise is not
// independent of y (E8), hence two models; the closed form (E7); the channel's risk has no
// factor E(y) (E9); (13) is a Gaussian likelihood (E10); theta > 0 is needed (E11).
//
// Collaborative estimates maximise the joint likelihood of all judges, independent given
// y, which is more accurate; `separately` uses each judge's own predictions alone. Judges
// that are deterministic functions of one f are never independent, so they are always
// estimated separately. Missing predictions (NaN) drop out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "motet/base/fields.h"
#include "motet/base/interval.h"
#include "motet/base/run.h"
#include "motet/data/predictions.h"
#include "motet/judges/numeric/linear_gaussian.h"

namespace motet::judges {

enum class RegressionNoise { proportional, deterministic, channel, factor };
std::string_view name_of(RegressionNoise noise);

struct RegressionOptions {
  double mean = 0.0;            // mu
  double variance = 1.0;        // sigma^2
  double noise_variance = 1.0;  // tau^2; channel and factor do without
  RegressionNoise noise = RegressionNoise::proportional;
  bool separately = false;
  double confidence = 0.95;  // of the intervals

  TruthPrior prior() const { return {mean, variance}; }
  bool operator==(const RegressionOptions&) const = default;
};

template <class V>
void visit_fields(V& v, RegressionOptions& o) {
  v("mean", o.mean, Range<double>{-1e100, 1e100}, "mean of the truth");
  v("variance", o.variance, Range<double>{0.0, 1e100}, "variance of the truth");
  v("noise_variance", o.noise_variance, Range<double>{0.0, 1e100}, "variance of what no judge can know of the truth");
  v("noise", o.noise, Choices{{"proportional", "deterministic", "channel", "factor"}}, "how judges err");
  v("separately", o.separately, "rate each judge by its own predictions alone");
  v("confidence", o.confidence, Range<double>{0.5, 0.9999}, "probability that an interval holds the true value");
}

struct RegressionJudge {
  std::string name;
  std::size_t predictions = 0;
  double theta = 0.0;  // for factor: the slope b
  double theta_error = 0.0;
  Interval theta_interval;
  JudgeLine line;  // yhat given y: a, b and the residual variance, for any noise
  double mse = 0.0;
  double mse_error = 0.0;  // delta method; 0 where the mse has its minimum in theta
  Interval mse_interval;
  bool at_boundary = false;  // channel: theta = 0; factor: residual variance = 0

  bool operator==(const RegressionJudge&) const = default;
};

struct RegressionModel {
  static constexpr std::string_view kind = "judges_regression";
  static constexpr int newest_version = 1;

  RegressionOptions options;
  std::vector<RegressionJudge> judges;
};

struct RegressionFit {
  RegressionModel model;
  double log_likelihood = 0.0;  // separately: the sum over judges of their own
  FitSummary summary;           // objective, reason for stopping, warnings
};

// Standard errors come from the observed information, or from the expected one when a
// parameter is at its boundary. Intervals: theta on the log scale (proportional,
// deterministic), theta^2 cut at 0, one-sided at 0 (channel), b plain, mse on the log
// scale (factor). Elsewhere the interval of the mse is the image of that of theta, which
// stays honest where the delta method has slope 0.
// Throws Error{usage}, Error{bad_data} or Error{unanswerable}.
RegressionFit fit_regression(const Predictions& predictions, const RegressionOptions& options,
                             const RunContext& run = {});

double log_likelihood(const RegressionModel& model, const Predictions& predictions);
double mean_squared_error(const RegressionOptions& options, double theta, const JudgeLine& line);

// Half the width of an interval in standard errors.
double interval_factor(const RegressionOptions& options);

// The line yhat = a + b y + e that a judge with parameter theta follows.
JudgeLine line_of(const RegressionOptions& options, double theta);

// Best guess of each item's truth, rule (4) with the Gaussian posterior of E21, and its
// standard deviation, which takes the fitted parameters as exact. Judges are matched by
// name. Deterministic judges all show the same f: the average of yhat / theta, sd tau.
struct CombinedValues {
  std::vector<double> mean;  // by item
  std::vector<double> sd;
};
CombinedValues combine(const RegressionModel& model, const Predictions& predictions);

}  // namespace motet::judges
