#include "motet/temporal/field/field_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/base/error.h"

namespace motet::temporal {
namespace {

std::vector<double> numbers_of(const std::string& text) {
  std::vector<double> numbers;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string word = text.substr(at, end - at);
    const Result<double> number = parse_double(word);
    if (!number || number.value() < 0.0) {
      fail(
          ErrorKind::usage,
          fmt::format("--weight-values: '{}' is not a number from 0 on; one for each distance, with commas, is allowed",
                      word));
    }
    numbers.push_back(number.value());
    at = end + 1;
  }
  return numbers;
}

}  // namespace

TimeField field_of(const TemporalOptions& options) {
  TimeField field;
  field.radius = options.radius;
  field.shape = options.weights;
  field.border = options.border;
  field.image_width = options.image_width;
  const bool is_custom = options.weights == WeightShape::custom;
  if (is_custom != !options.weight_values.empty()) {
    fail(ErrorKind::usage, is_custom ? "--weights custom needs --weight-values, one for each distance"
                                     : "--weight-values is for --weights custom");
  }
  if (!is_custom) return field;
  field.custom = numbers_of(options.weight_values);
  const std::size_t count = field.custom.size();
  if (options.radius != 0 && options.radius != count) {
    fail(ErrorKind::usage,
         fmt::format("--radius {} does not agree with the {} numbers of --weight-values; leave it out", options.radius,
                     count));
  }
  if (std::all_of(field.custom.begin(), field.custom.end(), [](double w) { return w == 0.0; })) {
    fail(ErrorKind::usage, "--weight-values are all 0; one at least has to be larger");
  }
  field.radius = count;
  // Weights are f_h(d) (h + 1 - d).
  for (std::size_t d = 1; d <= count; ++d) field.custom[d - 1] /= static_cast<double>(count + 1 - d);
  return field;
}

}  // namespace motet::temporal
