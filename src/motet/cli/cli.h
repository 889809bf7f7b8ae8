// The command line as a function: arguments in, text and exit code out.
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "motet/app/verb.h"
#include "motet/base/run.h"

namespace motet {

// Where a run speaks to. Streams are the caller's; `cancel` may be null.
struct Console {
  std::ostream& out;
  std::ostream& err;
  bool err_is_terminal = false;
  const CancelFlag* cancel = nullptr;
};

// 0 done, 1 a defect of ours, 2 wrong usage, 3 bad input, 4 not answerable from these
// data, 5 a limit of the machine, 128 + n stopped by signal n.
int run_cli(std::span<const std::string> args, std::span<const Verb> verbs, const Console& console);

}  // namespace motet
