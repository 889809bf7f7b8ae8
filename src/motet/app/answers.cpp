#include "motet/app/answers.h"

#include <fmt/format.h>

#include <cmath>

#include "motet/base/error.h"

namespace motet {

void require_answers(const std::string& model, std::span<const double> numbers, std::size_t a_row) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (std::isfinite(numbers[i])) continue;
    fail(ErrorKind::bad_data,
         fmt::format("{}: gives row {} no answer; numbers of the model, or of the data, are too far "
                     "from the others",
                     model, i / a_row + 1));
  }
}

}  // namespace motet
