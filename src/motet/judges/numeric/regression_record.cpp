#include "motet/judges/numeric/regression_record.h"

#include <fmt/format.h>

#include <cmath>

#include "motet/base/error.h"
#include "motet/data/record_fields.h"

namespace motet::judges {
namespace {

Value number_or_null(double x) { return std::isfinite(x) ? Value(x) : Value(); }
Value pair_of(Interval interval) { return Value::list({number_or_null(interval.low), number_or_null(interval.high)}); }

double number_from(const Value& value) { return value.is_null() ? std::nan("") : value.as_number(); }
Interval interval_from(const Value& value) {
  const Value::List& ends = value.as_list();
  if (ends.size() != 2) fail(ErrorKind::bad_data, fmt::format("an interval has {} ends; 2 are needed", ends.size()));
  return {number_from(ends[0]), number_from(ends[1])};
}

Value to_value(const RegressionJudge& judge) {
  return Value::object({{"name", judge.name},
                        {"predictions", judge.predictions},
                        {"theta", judge.theta},
                        {"theta_error", number_or_null(judge.theta_error)},
                        {"theta_interval", pair_of(judge.theta_interval)},
                        {"intercept", judge.line.intercept},
                        {"slope", judge.line.slope},
                        {"residual_variance", judge.line.residual},
                        {"mse", judge.mse},
                        {"mse_error", number_or_null(judge.mse_error)},
                        {"mse_interval", pair_of(judge.mse_interval)},
                        {"at_boundary", judge.at_boundary}});
}

RegressionJudge judge_from(const Value& value) {
  const std::int64_t predictions = value.at("predictions").as_whole();
  RegressionJudge judge;
  judge.name = value.at("name").as_text();
  judge.predictions = predictions < 0 ? 0 : static_cast<std::size_t>(predictions);
  judge.theta = value.at("theta").as_number();
  judge.theta_error = number_from(value.at("theta_error"));
  judge.theta_interval = interval_from(value.at("theta_interval"));
  judge.line = {value.at("intercept").as_number(), value.at("slope").as_number(),
                value.at("residual_variance").as_number()};
  judge.mse = value.at("mse").as_number();
  judge.mse_error = number_from(value.at("mse_error"));
  judge.mse_interval = interval_from(value.at("mse_interval"));
  judge.at_boundary = value.at("at_boundary").as_bool();
  if (!(judge.line.residual >= 0.0)) {
    fail(ErrorKind::bad_data, fmt::format("residual_variance = {} is negative", to_text(judge.line.residual)));
  }
  return judge;
}

}  // namespace

Record to_record(const RegressionModel& model) {
  Value::List judges;
  for (const RegressionJudge& judge : model.judges) judges.push_back(to_value(judge));
  return {std::string(RegressionModel::kind), RegressionModel::newest_version,
          Value::object({{"options", options_value(model.options)}, {"judges", std::move(judges)}})};
}

RegressionModel regression_from_record(const Record& record) {
  require_model(record, RegressionModel::kind, RegressionModel::newest_version);
  RegressionModel model;
  model.options = with_frame("options", [&] { return options_from<RegressionOptions>(record.fields.at("options")); });
  if (!(model.options.variance > 0.0)) fail(ErrorKind::bad_data, "options: field 'variance' is not above 0");
  const Value::List& judges = record.fields.at("judges").as_list();
  for (std::size_t j = 0; j < judges.size(); ++j) {
    model.judges.push_back(with_frame(fmt::format("judges[{}]", j), [&] { return judge_from(judges[j]); }));
  }
  return model;
}

}  // namespace motet::judges
