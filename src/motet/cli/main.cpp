#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <iostream>
#include <vector>

#include "experiments/experiment.h"
#include "motet/app/registry.h"
#include "motet/cli/cli.h"

namespace {

motet::CancelFlag cancel;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): a signal handler needs it

extern "C" void on_signal(int signal) {
  cancel.set(signal);
  std::signal(signal, SIG_DFL);  // a second one ends the program at once
}

// With one of them closed, the next file opened would take its number, and messages
// would end up in that file. Writing to what is put there fails, as it should.
void fill_closed_standard_streams() {
  int file = 0;
  do {
    file = open("/dev/null", O_RDONLY);
  } while (file >= 0 && file <= STDERR_FILENO);
  if (file > STDERR_FILENO) close(file);
}

}  // namespace

int main(int argc, char** argv) {
  fill_closed_standard_streams();
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is told as an error, not as a death
  std::signal(SIGXFSZ, SIG_IGN);  // so is a file that reaches the size limit
  const std::vector<std::string> args(argv + 1, argv + argc);
  std::vector<motet::Verb> verbs(motet::all_verbs().begin(), motet::all_verbs().end());
  verbs.push_back(motet::reproduce_verb());
  return motet::run_cli(args, verbs, {std::cout, std::cerr, isatty(STDERR_FILENO) == 1, &cancel});
}
