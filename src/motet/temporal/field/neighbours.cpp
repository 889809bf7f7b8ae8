#include "motet/temporal/field/neighbours.h"

#include <fmt/format.h>

#include "motet/base/error.h"

namespace motet::temporal {

FieldTables::FieldTables(const TimeField& of) : field(of), factors(factors_of(of)), weights(factors) {
  for (std::size_t d = 1; d <= field.radius; ++d) weights[d - 1] *= static_cast<double>(field.radius + 1 - d);
}

Neighbours::Neighbours(const FieldTables& tables, std::size_t rows)
    : tables_(&tables), rows_(rows), reach_(std::min(radius(), rows - 1)), clique_radius_(reach_) {
  if (!is_image()) return;
  const std::size_t width = field().image_width;
  if (rows % width != 0) {
    fail(ErrorKind::usage,
         fmt::format("--image-width {} does not divide the {} rows of a sequence; an image is given row by row, "
                     "every row {} pixels long",
                     width, rows, width));
  }
  reach_ = radius() < rows / width ? std::max<std::size_t>(radius() * width, radius()) : rows - 1;
  reach_ = std::min(reach_, rows - 1);
}

}  // namespace motet::temporal
