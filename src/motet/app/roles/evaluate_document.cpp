#include "motet/app/roles/evaluate_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace motet::roles {
namespace {

std::vector<std::pair<std::string, ErrorRate>> all_rates(const EvaluateReport& report) {
  std::vector<std::pair<std::string, ErrorRate>> rates = {{"roles, by posterior", report.posterior},
                                                          {"roles, nearest set", report.literal}};
  if (report.with_known_users) rates.insert(rates.begin() + 1, {"roles and known users", *report.with_known_users});
  rates.insert(rates.end(), report.references.begin(), report.references.end());
  return rates;
}

// A simple rule that predicts better is worth knowing.
std::string reference_sentence(const EvaluateReport& report) {
  if (report.references.empty()) return "";
  const auto best = std::min_element(report.references.begin(), report.references.end(),
                                     [](const auto& a, const auto& b) { return a.second.value < b.second.value; });
  const double error = std::isnan(report.posterior.standard_error) ? 0.0 : report.posterior.standard_error;
  if (best->second.value > report.posterior.value + error) {
    return fmt::format("The roles predict better than every simple reference; the best of those is '{}'.", best->first);
  }
  return fmt::format("The simple reference '{}' predicts as well as or better than the roles.", best->first);
}

Value rate_value(const char* key, const ErrorRate& rate) {
  return Value::object({{key, rate.value}, {"standard_error", rate.standard_error}});
}

Value json_of(const EvaluateReport& report) {
  Value references = Value(Value::Object{});
  for (const auto& [name, rate] : report.references) references.set(name, rate_value("error", rate));
  Value json = Value::object({{"generalization_error", report.posterior.value},
                              {"standard_error", report.posterior.standard_error},
                              {"reveal", report.reveal},
                              {"repeats", report.repeats},
                              {"literal", rate_value("generalization_error", report.literal)},
                              {"references", std::move(references)},
                              {"users", report.users},
                              {"roles", report.roles},
                              {"warnings", Value::list_of(report.warnings)}});
  if (report.with_known_users) json.set("with_known_users", rate_value("error", *report.with_known_users));
  return json;
}

void say_rates(Document& document, const EvaluateReport& report) {
  const std::string error =
      std::isnan(report.posterior.standard_error) ? "" : fmt::format(" +- {:.4f}", report.posterior.standard_error);
  document.text = fmt::format(
      "generalization error {:.4f}{}: share of the hidden permissions predicted wrongly\n"
      "{} users, {} roles, {:g} % of the permissions shown, {} repeat{}\n",
      report.posterior.value, error, report.users, report.roles, 100.0 * report.reveal, report.repeats,
      report.repeats == 1 ? "" : "s");
  Listing listing{{{"prediction"}, {"error"}, {"+-"}}};
  for (const auto& [name, rate] : all_rates(report)) listing.rows.push_back({name, rate.value, rate.standard_error});
  document.show(listing.table());
  if (const std::string sentence = reference_sentence(report); !sentence.empty()) document.text += sentence + "\n";
  document.text += warning_lines(report.warnings);
}

}  // namespace

Document roles_evaluate_document(const EvaluateReport& report) {
  Document document{{"How well do the roles predict?", report.source, {}, {}}, {}, json_of(report)};
  say_rates(document, report);
  document.facts = {{"generalization error", fmt::format("{:.4f}", report.posterior.value)},
                    {"users", std::to_string(report.users)},
                    {"roles", std::to_string(report.roles)},
                    {"permissions shown", fmt::format("{:g} %", 100.0 * report.reveal)},
                    {"repeats", std::to_string(report.repeats)}};
  Bars bars;
  bars.name_title = "prediction";
  bars.value_title = "share of hidden permissions predicted wrongly";
  for (const auto& [name, rate] : all_rates(report)) {
    add(bars, name, rate.value, std::isnan(rate.standard_error) ? 0.0 : rate.standard_error);
    bars.low.back() = std::max(0.0, bars.low.back());
  }
  Section& section = document.section(
      "Against simple references",
      "A part of each user's permissions is shown to the model, which then predicts the rest; smaller is better. " +
          reference_sentence(report));
  section.notes = report.warnings;
  section.plots.push_back(
      bar_plot({"Errors", "Share of the hidden permissions predicted wrongly, with one standard error."}, bars));
  return document;
}

}  // namespace motet::roles
