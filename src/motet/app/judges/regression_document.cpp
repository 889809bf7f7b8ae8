#include "motet/app/judges/regression_document.h"

#include <fmt/format.h>

#include <cmath>

#include "motet/report/interval_text.h"

namespace motet::judges {
namespace {

Listing judge_listing(const RegressionFit& fit) {
  const RegressionOptions& options = fit.model.options;
  const bool is_factor = options.noise == RegressionNoise::factor;
  const std::string interval = fmt::format("{:g} % interval", 100.0 * options.confidence);
  Listing listing{{{"judge", "name"},
                   {"predictions", "predictions"},
                   {"", "theta"},
                   {"", "theta_interval"},
                   {"mse", "mse"},
                   {interval, "mse_interval"},
                   {is_factor ? "slope" : "theta"},
                   {interval},
                   {"", is_factor ? "intercept" : ""},
                   {"", is_factor ? "slope" : ""},
                   {"", is_factor ? "residual_variance" : ""}}};
  for (const RegressionJudge& judge : fit.model.judges) {
    const Value theta = interval_value(judge.theta_interval);
    listing.rows.push_back({judge.name, judge.predictions, judge.theta, theta, judge.mse,
                            interval_value(judge.mse_interval), judge.theta, theta, judge.line.intercept,
                            judge.line.slope, judge.line.residual});
  }
  return listing;
}

// Of values so large that their squares are no numbers any more there is none to tell.
std::string likelihood_text(const RegressionFit& fit, int digits) {
  return std::isfinite(fit.log_likelihood) ? fmt::format("{:.{}f}", fit.log_likelihood, digits) : "–";
}

Intervals judge_intervals(std::string value_title) {
  Intervals data;
  data.name_title = "judge";
  data.value_title = std::move(value_title);
  return data;
}

Value estimate_value(const ProbabilityEstimate& estimate) {
  return Value::object(
      {{"value", estimate.value}, {"standard_error", estimate.error}, {"interval", interval_value(estimate.interval)}});
}

Listing judge_listing(const TwoPopulationsResult& result, double confidence) {
  const std::string interval = fmt::format("{:g} % interval", 100.0 * confidence);
  Listing listing{{{"judge", "name"},
                   {"", "votes_a"},
                   {"", "votes_b"},
                   {"", "confusion"},
                   {"", "right_on_first"},
                   {"", "right_on_second"},
                   {"", "risk_a"},
                   {"", "risk_b"},
                   {"right on " + result.classes[0]},
                   {interval},
                   {"right on " + result.classes[1]},
                   {interval},
                   {"error in A"},
                   {"error in B"}}};
  for (const TwoPopulationsJudge& judge : result.judges) {
    const ProbabilityEstimate& first = judge.right_on_first;
    const ProbabilityEstimate& second = judge.right_on_second;
    listing.rows.push_back(
        {judge.name, judge.votes_a, judge.votes_b,
         Value::list({Value::list({first.value, 1.0 - first.value}), Value::list({1.0 - second.value, second.value})}),
         estimate_value(first), estimate_value(second), estimate_value(judge.risk_a), estimate_value(judge.risk_b),
         first.value, interval_value(first.interval), second.value, interval_value(second.interval), judge.risk_a.value,
         judge.risk_b.value});
  }
  return listing;
}

}  // namespace

Document regression_document(const RegressionFit& fit, const std::string& source, std::size_t items) {
  const RegressionOptions& options = fit.model.options;
  const Listing judges = judge_listing(fit);
  Document document{{"Numeric judges", source, {}, {}}, {}, {}};
  document.text =
      fmt::format("{} judges{}, truth with mean {:g} and variance {:g}; log-likelihood {}\n", name_of(options.noise),
                  options.separately ? " measured alone" : "", options.mean, options.variance, likelihood_text(fit, 4));
  document.show(judges.table());
  document.text += warning_lines(fit.summary.warnings);
  document.json = Value::object({{"noise", name_of(options.noise)},
                                 {"mean", options.mean},
                                 {"variance", options.variance},
                                 {"noise_variance", options.noise_variance},
                                 {"separately", options.separately},
                                 {"confidence", options.confidence},
                                 {"judges", judges.json()},
                                 {"log_likelihood", fit.log_likelihood},
                                 {"iterations", fit.summary.iterations()},
                                 {"converged", fit.summary.stop == Stop::converged},
                                 {"warnings", Value::list_of(fit.summary.warnings)}});
  document.facts = {{"judges", std::to_string(fit.model.judges.size())},
                    {"items", std::to_string(items)},
                    {"error model", std::string(name_of(options.noise))},
                    {"log-likelihood", likelihood_text(fit, 2)}};
  Intervals errors = judge_intervals("mean squared error");
  Intervals slopes = judge_intervals(options.noise == RegressionNoise::factor ? "slope" : "theta");
  for (const RegressionJudge& judge : fit.model.judges) {
    add(errors, judge.name, judge.mse, judge.mse_interval);
    add(slopes, judge.name, judge.theta, judge.theta_interval);
  }
  Section& section = document.section(
      "How large are the errors?",
      "The mean squared error of each judge, estimated without ever seeing the truth: smaller is better. Bars are "
      "intervals.");
  section.notes = fit.summary.warnings;
  section.plots = {interval_plot({"Mean squared error", "Estimated mean squared error of each judge"}, errors),
                   interval_plot({"Scale", "How strongly each judge follows the truth; 1 is right"}, slopes)};
  return document;
}

Document two_populations_document(const TwoPopulationsResult& result, const std::string& source, double confidence) {
  const Listing judges = judge_listing(result, confidence);
  Document document{{"Judges on two populations", source, {}, {}}, {}, {}};
  document.text = to_text(judges.table()) + warning_lines(result.warnings);
  document.json = Value::object({{"classes", Value::list_of(result.classes)},
                                 {"judges", judges.json()},
                                 {"warnings", Value::list_of(result.warnings)}});
  document.facts = {{"judges", std::to_string(result.judges.size())}};
  Section& section = document.section(
      "How often is each judge right?",
      "From unlabeled votes on two sets of items with known, unlike shares of the classes. Bars are intervals.");
  section.notes = result.warnings;
  const auto add_plot = [&](std::string name, std::string caption, ProbabilityEstimate TwoPopulationsJudge::*part) {
    Intervals data = judge_intervals("probability");
    for (const TwoPopulationsJudge& judge : result.judges) {
      add(data, judge.name, (judge.*part).value, (judge.*part).interval);
    }
    section.plots.push_back(interval_plot({std::move(name), std::move(caption)}, data));
  };
  const auto right = [&](std::size_t c) { return fmt::format("Right on '{}'", result.classes[c]); };
  add_plot(right(0), "Share of right votes on items of this class", &TwoPopulationsJudge::right_on_first);
  add_plot(right(1), "Share of right votes on items of this class", &TwoPopulationsJudge::right_on_second);
  add_plot("Errors in A", "Share of wrong votes in the first set", &TwoPopulationsJudge::risk_a);
  add_plot("Errors in B", "Share of wrong votes in the second set", &TwoPopulationsJudge::risk_b);
  return document;
}

}  // namespace motet::judges
