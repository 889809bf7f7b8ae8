#include "motet/base/run.h"

namespace motet {

std::string_view name_of(Stop stop) {
  constexpr std::string_view words[] = {"converged", "iteration limit reached", "objective fell", "interrupted"};
  return words[static_cast<std::size_t>(stop)];
}

}  // namespace motet
