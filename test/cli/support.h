// The command line in a test: arguments in, exit code and texts out.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <initializer_list>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "experiments/experiment.h"
#include "io/support.h"
#include "motet/app/registry.h"
#include "motet/cli/cli.h"
#include "motet/io/file.h"
#include "motet/io/json.h"
#include "motet/report/document.h"
#include "support/texts.h"
#include "support/words.h"

namespace motet {

// Keeps what goes to standard output past streams, by its descriptor, until it is taken.
class StandardOutput {
 public:
  StandardOutput() : file_(std::tmpfile()), kept_(::dup(STDOUT_FILENO)) {
    std::fflush(stdout);
    ::dup2(::fileno(file_), STDOUT_FILENO);
  }
  ~StandardOutput() { take(); }
  StandardOutput(const StandardOutput&) = delete;

  std::string take() {
    if (file_ == nullptr) return "";
    ::dup2(kept_.number(), STDOUT_FILENO);
    std::string text;
    std::rewind(file_);
    for (int byte = std::fgetc(file_); byte != EOF; byte = std::fgetc(file_)) text += static_cast<char>(byte);
    std::fclose(std::exchange(file_, nullptr));
    return text;
  }

 private:
  std::FILE* file_;
  Descriptor kept_;
};

struct Ran {
  int code = 0;
  std::string out;
  std::string err;

  Value json() const { return parse_json(out, "standard output"); }
};

// Arrives with report number `at` of a stage of the work; 0: never.
struct Signal {
  std::string stage = "fitting";
  std::size_t at = 1;
  int number = SIGINT;
};

struct Stopped : Ran {
  std::size_t reports = 0;  // of the stage
};

// A model file as someone leaves it who edits it by hand.
inline std::string without_checksum(std::string text) {
  const std::size_t line = text.find(" \"checksum\"");
  return line == std::string::npos ? text : text.erase(line, text.find('\n', line) + 1 - line);
}

// A fresh folder in which commands are run: an argument that starts with '@' is the
// name of a file in it, and texts are shown without its path.
class CommandTest : public testing::Test {
 protected:
  Ran motet(const Words& words, const CancelFlag* cancel = nullptr) const {
    return run_with(words, all_of_the_program(), cancel);
  }

  // The same of a command that must succeed.
  Ran done(const Words& words, const CancelFlag* cancel = nullptr) const {
    Ran ran = motet(words, cancel);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran;
  }

  Stopped stopped(const Words& words, const Signal& signal) const {
    CancelFlag cancel;
    Stopped result;
    std::vector<Verb> verbs = all_of_the_program();
    for (Verb& verb : verbs) {
      verb.start = [start = verb.start, &signal, &cancel, &result] {
        Job job = start();
        job.run = [run = job.run, &signal, &cancel, &result](VerbContext& context) {
          context.run.observer = [&](const Progress& progress) {
            if (progress.stage == signal.stage && ++result.reports == signal.at) cancel.set(signal.number);
          };
          return run(context);
        };
        return job;
      };
    }
    static_cast<Ran&>(result) = run_with(words, verbs, &cancel);
    return result;
  }

  std::vector<std::string> lines_of(std::string_view name) const {
    std::vector<std::string> lines;
    std::istringstream text(folder.read(name));
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }
  Value json_of(std::string_view name) const { return parse_json(folder.read(name), name); }

  void expect_error(const Words& words, int code, const std::string& text) const {
    const Ran ran = motet(words);
    EXPECT_EQ(ran.code, code);
    EXPECT_EQ(ran.err, "motet: error: " + text + "\n");
    EXPECT_EQ(ran.out, "");
  }

  void expect_errors(int code, std::initializer_list<std::pair<Words, std::string>> commands) const {
    for (const auto& [words, text] : commands) expect_error(words, code, text);
  }
  // The same of words that follow those of `command`.
  void expect_refused(const Words& more, int code, const std::string& text) const {
    expect_error(command + more, code, text);
  }
  void expect_refusals(int code, std::initializer_list<std::pair<Words, std::string>> commands) const {
    for (const auto& [more, text] : commands) expect_refused(more, code, text);
  }

  // The sample that ships with the program: 7 judges, 300 items, classes a, b and c.
  static std::string sample() { return MOTET_TEST_DIR "/../samples/judges/votes.csv"; }
  static std::string sample_truth() { return MOTET_TEST_DIR "/../samples/judges/truth.csv"; }

  TemporaryFolder folder;
  Words command;

 private:
  static std::vector<Verb> all_of_the_program() {
    std::vector<Verb> verbs(all_verbs().begin(), all_verbs().end());
    verbs.push_back(reproduce_verb());
    return verbs;
  }

  Ran run_with(const Words& words, const std::vector<Verb>& verbs, const CancelFlag* cancel) const {
    std::vector<std::string> args;
    for (const std::string& word : words) args.push_back(word.starts_with('@') ? folder / word.substr(1) : word);
    std::ostringstream out;
    std::ostringstream err;
    StandardOutput direct;
    const int code = run_cli(args, verbs, {out, err, false, cancel});
    return {code, folder.without_path(direct.take() + out.str()), folder.without_path(err.str())};
  }
};

// Three judges on four items: enough to be answered.
inline const std::string small_votes =
    "item,judge,label\n"
    "1,ann,yes\n1,bob,yes\n1,cem,yes\n"
    "2,ann,no\n2,bob,no\n2,cem,yes\n"
    "3,ann,no\n3,bob,no\n3,cem,no\n"
    "4,ann,yes\n4,bob,no\n4,cem,yes\n";

}  // namespace motet
