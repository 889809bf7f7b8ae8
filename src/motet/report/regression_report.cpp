#include "motet/report/regression_report.h"

#include <fmt/format.h>

#include <cmath>

#include "motet/report/interval_text.h"
#include "motet/report/plots.h"
#include "motet/report/text_table.h"

namespace motet {
namespace {

std::string_view theta_name(RegressionNoise noise) { return noise == RegressionNoise::factor ? "slope" : "theta"; }

Table judge_table(const RegressionFit& fit) {
  const RegressionOptions& options = fit.model.options;
  const std::string interval = fmt::format("{:g} % interval", 100.0 * options.confidence);
  Table table{{{"judge"}, {"predictions"}, {"mse"}, {interval}, {std::string(theta_name(options.noise))}, {interval}},
              {}};
  for (const RegressionJudge& judge : fit.model.judges) {
    table.rows.push_back({judge.name, static_cast<std::int64_t>(judge.predictions), judge.mse,
                          interval_text(judge.mse_interval, 4), judge.theta, interval_text(judge.theta_interval, 4)});
  }
  return table;
}

Value::List warnings_value(const std::vector<std::string>& warnings) { return Value::list_of(warnings).as_list(); }

Value estimate_value(const ProbabilityEstimate& estimate) {
  return Value::object(
      {{"value", estimate.value}, {"standard_error", estimate.error}, {"interval", interval_value(estimate.interval)}});
}

// Of values so large that their squares are no numbers any more there is none to tell.
std::string likelihood_text(const RegressionFit& fit, int digits) {
  return std::isfinite(fit.log_likelihood) ? fmt::format("{:.{}f}", fit.log_likelihood, digits) : "–";
}

}  // namespace

std::string regression_text(const RegressionFit& fit) {
  const RegressionOptions& options = fit.model.options;
  return fmt::format("{} judges{}, truth with mean {:g} and variance {:g}; log-likelihood {}\n\n{}{}",
                     name_of(options.noise), options.separately ? " measured alone" : "", options.mean,
                     options.variance, likelihood_text(fit, 4), to_text(judge_table(fit)),
                     warning_lines(fit.summary.warnings));
}

Value regression_json(const RegressionFit& fit) {
  const RegressionOptions& options = fit.model.options;
  Value::List judges;
  for (const RegressionJudge& judge : fit.model.judges) {
    Value value = Value::object({{"name", judge.name},
                                 {"predictions", judge.predictions},
                                 {"theta", judge.theta},
                                 {"theta_interval", interval_value(judge.theta_interval)},
                                 {"mse", judge.mse},
                                 {"mse_interval", interval_value(judge.mse_interval)}});
    if (options.noise == RegressionNoise::factor) {
      value.set("intercept", judge.line.intercept);
      value.set("slope", judge.line.slope);
      value.set("residual_variance", judge.line.residual);
    }
    judges.push_back(std::move(value));
  }
  return Value::object({{"noise", name_of(options.noise)},
                        {"mean", options.mean},
                        {"variance", options.variance},
                        {"noise_variance", options.noise_variance},
                        {"separately", options.separately},
                        {"confidence", options.confidence},
                        {"judges", std::move(judges)},
                        {"log_likelihood", fit.log_likelihood},
                        {"iterations", fit.summary.iterations()},
                        {"converged", fit.summary.stop == Stop::converged},
                        {"warnings", warnings_value(fit.summary.warnings)}});
}

Page regression_page(const RegressionFit& fit, const std::string& source, std::size_t items) {
  Page page;
  page.title = "Numeric judges";
  page.subtitle = source;
  page.facts = {{"judges", std::to_string(fit.model.judges.size())},
                {"items", std::to_string(items)},
                {"error model", std::string(name_of(fit.model.options.noise))},
                {"log-likelihood", likelihood_text(fit, 2)}};
  Intervals errors;
  errors.name_title = "judge";
  errors.value_title = "mean squared error";
  Intervals slopes = errors;
  slopes.value_title = std::string(theta_name(fit.model.options.noise));
  for (const RegressionJudge& judge : fit.model.judges) {
    errors.names.push_back(judge.name);
    errors.value.push_back(judge.mse);
    errors.low.push_back(judge.mse_interval.low);
    errors.high.push_back(judge.mse_interval.high);
    slopes.names.push_back(judge.name);
    slopes.value.push_back(judge.theta);
    slopes.low.push_back(judge.theta_interval.low);
    slopes.high.push_back(judge.theta_interval.high);
  }
  Section section;
  section.title = "How large are the errors?";
  section.lead =
      "The mean squared error of each judge, estimated without ever seeing the truth: smaller is better. Bars "
      "are intervals.";
  section.notes = fit.summary.warnings;
  section.plots.push_back(interval_plot({"Mean squared error", "Estimated mean squared error of each judge"}, errors));
  section.plots.push_back(interval_plot({"Scale", "How strongly each judge follows the truth; 1 is right"}, slopes));
  page.sections.push_back(std::move(section));
  return page;
}

std::string two_populations_text(const TwoPopulationsResult& result, double confidence) {
  const std::string interval = fmt::format("{:g} % interval", 100.0 * confidence);
  Table table{{{"judge"},
               {"right on " + result.classes[0]},
               {interval},
               {"right on " + result.classes[1]},
               {interval},
               {"error in A"},
               {"error in B"}},
              {}};
  for (const TwoPopulationsJudge& judge : result.judges) {
    table.rows.push_back({judge.name, judge.right_on_first.value, interval_text(judge.right_on_first.interval, 4),
                          judge.right_on_second.value, interval_text(judge.right_on_second.interval, 4),
                          judge.risk_a.value, judge.risk_b.value});
  }
  return to_text(table) + warning_lines(result.warnings);
}

Page two_populations_page(const TwoPopulationsResult& result, const std::string& source) {
  Page page;
  page.title = "Judges on two populations";
  page.subtitle = source;
  page.facts = {{"judges", std::to_string(result.judges.size())}};
  Section section;
  section.title = "How often is each judge right?";
  section.lead =
      "From unlabeled votes on two sets of items with known, unlike shares of the classes. Bars are intervals.";
  section.notes = result.warnings;
  const auto add = [&](const std::string& name, std::string caption, ProbabilityEstimate TwoPopulationsJudge::*part) {
    Intervals data;
    data.name_title = "judge";
    data.value_title = "probability";
    for (const TwoPopulationsJudge& judge : result.judges) {
      data.names.push_back(judge.name);
      data.value.push_back((judge.*part).value);
      data.low.push_back((judge.*part).interval.low);
      data.high.push_back((judge.*part).interval.high);
    }
    section.plots.push_back(interval_plot({name, std::move(caption)}, data));
  };
  const auto right = [&](std::size_t c) { return fmt::format("Right on '{}'", result.classes[c]); };
  add(right(0), "Share of right votes on items of this class", &TwoPopulationsJudge::right_on_first);
  add(right(1), "Share of right votes on items of this class", &TwoPopulationsJudge::right_on_second);
  add("Errors in A", "Share of wrong votes in the first set", &TwoPopulationsJudge::risk_a);
  add("Errors in B", "Share of wrong votes in the second set", &TwoPopulationsJudge::risk_b);
  page.sections.push_back(std::move(section));
  return page;
}

Value two_populations_json(const TwoPopulationsResult& result) {
  Value::List judges;
  for (const TwoPopulationsJudge& judge : result.judges) {
    const double first = judge.right_on_first.value;
    const double second = judge.right_on_second.value;
    judges.push_back(Value::object(
        {{"name", judge.name},
         {"votes_a", judge.votes_a},
         {"votes_b", judge.votes_b},
         {"confusion", Value::list({Value::list({first, 1.0 - first}), Value::list({1.0 - second, second})})},
         {"right_on_first", estimate_value(judge.right_on_first)},
         {"right_on_second", estimate_value(judge.right_on_second)},
         {"risk_a", estimate_value(judge.risk_a)},
         {"risk_b", estimate_value(judge.risk_b)}}));
  }
  return Value::object({{"classes", Value::list_of(result.classes)},
                        {"judges", std::move(judges)},
                        {"warnings", warnings_value(result.warnings)}});
}

}  // namespace motet
