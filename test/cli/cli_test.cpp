#include "motet/cli/cli.h"

#include <gtest/gtest.h>

#include "cli/support.h"

namespace motet::cli_test {
namespace {

class Cli : public CommandTest {};

TEST_F(Cli, TellsItsVersion) {
  const Ran ran = motet({"--version"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(ran.out.starts_with("motet 0.")) << ran.out;
  EXPECT_EQ(ran.err, "");
}

TEST_F(Cli, HelpListsTheTasks) {
  const Ran ran = motet({"--help"});
  EXPECT_EQ(ran.code, 0);
  for (const char* word : {"Usage: motet", "judges", "demo", "reproduce"}) {
    EXPECT_NE(ran.out.find(word), std::string::npos) << word;
  }
  EXPECT_EQ(motet({"help"}).out, ran.out);
}

TEST_F(Cli, HelpOfATaskListsItsVerbs) {
  const Ran ran = motet({"judges", "--help"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(ran.out.find("two-populations"), std::string::npos);
  EXPECT_EQ(motet({"help", "judges"}).out, ran.out);
}

TEST_F(Cli, HelpOfEveryVerbIsItsOwnAndNotTooWide) {
  constexpr std::size_t widest = 110;
  for (const Verb& verb : all_verbs()) {
    std::vector<std::string> words = {std::string(verb.name), "--help"};
    if (!verb.task.empty()) words.insert(words.begin(), std::string(verb.task));
    const Ran ran = motet(words);
    EXPECT_EQ(ran.code, 0);
    const std::string usage = "Usage: motet" + (verb.task.empty() ? "" : " " + std::string(verb.task)) + " " +
                              std::string(verb.name) + " [OPTIONS]";
    EXPECT_NE(ran.out.find(usage), std::string::npos) << ran.out;
    const Job job = verb.start();
    for (const Field& field : job.fields) EXPECT_NE(ran.out.find(flag_of(field)), std::string::npos) << field.name;
    std::istringstream lines(ran.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), widest) << line;
    words.pop_back();
    words.insert(words.begin(), "help");
    EXPECT_EQ(motet(words).out, ran.out);
  }
}

TEST_F(Cli, HelpSaysWhatIsRequired) {
  const Ran ran = motet({"judges", "regression", "--help"});
  EXPECT_NE(ran.out.find("mean of the truth (-1e+100 to 1e+100; required)"), std::string::npos) << ran.out;
}

TEST_F(Cli, AsksForATaskAndAVerb) {
  expect_error(
      {}, 2,
      "one of {judges, multilabel, roles, superset, temporal, discover, audio, demo, reproduce} must follow 'motet'; "
      "see motet --help");
  expect_error({"judges"}, 2,
               "one of {estimate, combine, regression, two-populations, simulate} must follow 'motet judges'; see "
               "motet judges --help");
}

TEST_F(Cli, RefusesUnknownWords) {
  expect_error(
      {"jugdes"}, 2,
      "'jugdes' is not one of {judges, multilabel, roles, superset, temporal, discover, audio, demo, reproduce}; see "
      "motet --help");
  expect_error({"judges", "guess"}, 2,
               "'guess' is not one of {estimate, combine, regression, two-populations, simulate}; see motet judges "
               "--help");
  expect_error({"--nope"}, 2, "there is no option '--nope'; see motet --help");
  expect_error({"judges", "estimate", "--nope", "3"}, 2,
               "there is no option '--nope'; see motet judges estimate --help");
  expect_error({"judges", "estimate", "a.csv", "b.csv"}, 2,
               "'b.csv' is one argument too many; see motet judges estimate --help");
  expect_error({"judges", "simulate", "--report", "r.html"}, 2,
               "there is no option '--report'; see motet judges simulate --help");
}

TEST_F(Cli, RefusesOptionsWithoutAValueOrWithTwo) {
  expect_error({"judges", "estimate", "a.csv", "--seed"}, 2, "--seed needs a value; see motet judges estimate --help");
  expect_error({"judges", "estimate", "a.csv", "--seed", "1", "--seed", "2"}, 2,
               "--seed is given more than once; see motet judges estimate --help");
  expect_error({"judges", "estimate", "a.csv", "--separately=false"}, 2,
               "--separately takes no value; see motet judges estimate --help");
}

TEST_F(Cli, RefusesValuesOutsideTheirRange) {
  expect_error({"judges", "estimate", "a.csv", "--noise", "loud"}, 2,
               "noise: 'loud' is not one of {symmetric, confusion, glad}");
  expect_error({"judges", "estimate", "a.csv", "--confidence", "95"}, 2, "confidence = 95 is outside [0.5, 0.9999]");
  expect_error({"judges", "estimate", "a.csv", "--seed", "-1"}, 2, "seed: '-1' is not a whole number");
  expect_error({"judges", "estimate", "a.csv", "--smoothing", "nan"}, 2, "smoothing: 'nan' is not a finite number");
}

TEST_F(Cli, AsksForRequiredArguments) {
  expect_error({"judges", "combine"}, 2, "VOTES.csv is required; see motet judges combine --help");
  expect_error({"judges", "combine", "a.csv"}, 2, "combine: needs --model and --combined");
  expect_error({"judges", "estimate"}, 2, "a file of votes is needed (or --update)");
  expect_error({"judges", "two-populations", "a.csv", "b.csv", "--prior-a", "a=0.5,b=0.5"}, 2,
               "two-populations: needs --prior-b");
}

TEST_F(Cli, AnErrorIsOneLineWhateverTheNamesHold) {
  const Ran ran = motet({"judges", "estimate", "no\nsuch\x1b[31mfile"});
  EXPECT_EQ(ran.code, 3);
  EXPECT_EQ(ran.err, "motet: error: no such [31mfile: cannot be opened: No such file or directory\n");
}

TEST_F(Cli, AFailingStandardOutputIsAnError) {
  std::ostringstream err;
  std::ostream closed(nullptr);
  const std::vector<std::string> args = {"judges", "simulate", "--items", "3", "--out", "/dev/null"};
  EXPECT_EQ(run_cli(args, all_verbs(), {closed, err}), 5);
  EXPECT_EQ(err.str(), "motet: error: standard output cannot be written\n");
}

// A verb made to fail in ways no input can cause.
Verb failing_verb(std::function<void()> body) {
  return {"", "fail", "fails", {}, [body = std::move(body)] {
            return Job{{}, [body](VerbContext&) {
                         body();
                         return Outcome{};
                       }};
          }};
}

TEST_F(Cli, TellsDefectsAndLimitsOfTheMachineApart) {
  const auto run = [](std::function<void()> body) {
    const std::vector<Verb> verbs = {failing_verb(std::move(body))};
    std::ostringstream out;
    std::ostringstream err;
    const std::vector<std::string> args = {"fail"};
    const int code = run_cli(args, verbs, {out, err});
    return std::to_string(code) + " " + err.str();
  };
  EXPECT_EQ(run([] { throw std::bad_alloc(); }), "5 motet: error: not enough memory\n");
  EXPECT_EQ(run([] { throw std::runtime_error("x is y"); }),
            "1 motet: error: a defect of motet: x is y; please report it\n");
  EXPECT_EQ(run([] { throw std::system_error(EAGAIN, std::generic_category(), "no thread"); }),
            "5 motet: error: no thread: Resource temporarily unavailable\n");
  EXPECT_EQ(run([] { fail(ErrorKind::internal, "an invariant"); }), "1 motet: error: an invariant\n");
}

}  // namespace
}  // namespace motet::cli_test
