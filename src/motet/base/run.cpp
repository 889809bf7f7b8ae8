#include "motet/base/run.h"

namespace motet {

std::string_view name_of(Stop stop) {
  switch (stop) {
    case Stop::converged: return "converged";
    case Stop::iteration_limit: return "iteration limit reached";
    case Stop::objective_fell: return "objective fell";
    case Stop::interrupted: return "interrupted";
  }
  return "unknown";
}

}  // namespace motet
