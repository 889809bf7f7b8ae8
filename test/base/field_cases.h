// Options of every type that fields have.
#pragma once

#include <cstddef>
#include <optional>

#include "motet/base/fields.h"

namespace motet {

enum class Colour { red, green };

struct SomeOptions {
  double share = 0.5;
  std::size_t count = 3;
  bool loud = false;
  Colour colour = Colour::green;
  std::optional<double> weight;
};

template <class V>
void visit_fields(V& v, SomeOptions& o) {
  v("share", o.share, Range<double>{0.0, 1.0}, "a share");
  v("count", o.count, Range<std::size_t>{1, 10}, "a count");
  v("loud", o.loud, "a flag");
  v("colour", o.colour, Choices{{"red", "green"}}, "a choice");
  v("weight", o.weight, Range<double>{0.0, 9.0}, "a number or auto");
}

}  // namespace motet
