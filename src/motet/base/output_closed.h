// Whoever read our standard output has had enough, as `head` does: no failure, but the end of the run.
#pragma once

#include "motet/base/error.h"

namespace motet {

class OutputClosed : public Error {
 public:
  OutputClosed() : Error(ErrorKind::machine_limit, "standard output cannot be written: Broken pipe") {}
};

}  // namespace motet
