#include "motet/app/superset/disambiguate_document.h"

#include <fmt/format.h>

namespace motet::superset {

Document disambiguate_document(const DisambiguateReport& report) {
  Document document;
  document.text = fmt::format("{} items; mean probability of the likeliest candidate {:.3f}\n{}", report.items,
                              report.mean_probability, warning_lines(report.warnings));
  document.json = Value::object({{"items", report.items},
                                 {"mean_probability", report.mean_probability},
                                 {"warnings", Value::list_of(report.warnings)}});
  return document;
}

}  // namespace motet::superset
