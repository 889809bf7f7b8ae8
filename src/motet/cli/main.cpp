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

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is told as an error, not as a death
  const std::vector<std::string> args(argv + 1, argv + argc);
  std::vector<motet::Verb> verbs(motet::all_verbs().begin(), motet::all_verbs().end());
  verbs.push_back(motet::reproduce_verb());
  return motet::run_cli(args, verbs, {std::cout, std::cerr, isatty(STDERR_FILENO) == 1, &cancel});
}
