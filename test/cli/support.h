// The command line in a test: arguments in, exit code and texts out.
#pragma once

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "experiments/experiment.h"
#include "io/support.h"
#include "motet/app/registry.h"
#include "motet/cli/cli.h"
#include "motet/io/json.h"

namespace motet {

struct Ran {
  int code = 0;
  std::string out;
  std::string err;

  Value json() const { return parse_json(out, "standard output"); }
};

// A fresh folder in which commands are run: an argument that starts with '@' is the
// name of a file in it, and texts are shown without its path.
class CommandTest : public testing::Test {
 protected:
  Ran motet(const std::vector<std::string>& words, const CancelFlag* cancel = nullptr) const {
    std::vector<std::string> args;
    for (const std::string& word : words) args.push_back(word.starts_with('@') ? folder / word.substr(1) : word);
    std::vector<Verb> verbs(all_verbs().begin(), all_verbs().end());
    verbs.push_back(reproduce_verb());
    std::ostringstream out;
    std::ostringstream err;
    const int code = run_cli(args, verbs, {out, err, false, cancel});
    return {code, folder.without_path(out.str()), folder.without_path(err.str())};
  }

  Value json_of(std::string_view name) const { return parse_json(folder.read(name), name); }

  void expect_error(const std::vector<std::string>& words, int code, const std::string& text) const {
    const Ran ran = motet(words);
    EXPECT_EQ(ran.code, code);
    EXPECT_EQ(ran.err, "motet: error: " + text + "\n");
    EXPECT_EQ(ran.out, "");
  }

  // The sample that ships with the program: 7 judges, 300 items, classes a, b and c.
  static std::string sample() { return MOTET_TEST_DIR "/../samples/judges/votes.csv"; }
  static std::string sample_truth() { return MOTET_TEST_DIR "/../samples/judges/truth.csv"; }

  TemporaryFolder folder;
};

// Three judges on four items: enough to be answered.
inline const std::string small_votes =
    "item,judge,label\n"
    "1,ann,yes\n1,bob,yes\n1,cem,yes\n"
    "2,ann,no\n2,bob,no\n2,cem,yes\n"
    "3,ann,no\n3,bob,no\n3,cem,no\n"
    "4,ann,yes\n4,bob,no\n4,cem,yes\n";

}  // namespace motet
