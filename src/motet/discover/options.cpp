#include "motet/discover/options.h"

namespace motet::discover {

std::string_view name_of(Strategy strategy) {
  switch (strategy) {
    case Strategy::temporal: return "temporal";
    case Strategy::static_mixture: return "static";
    case Strategy::literal: return "literal";
    case Strategy::interleave: return "interleave";
    case Strategy::nndm: return "nndm";
    case Strategy::random: return "random";
  }
  return "?";
}

}  // namespace motet::discover
