#include "motet/cli/cli.h"

#include <gtest/gtest.h>

#include "cli/support.h"

namespace motet::cli_test {
namespace {

class Cli : public CommandTest {};

TEST_F(Cli, TellsItsVersion) {
  const Ran ran = motet("--version");
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(ran.out.starts_with("motet 0.")) << ran.out;
  EXPECT_EQ(ran.err, "");
}

TEST_F(Cli, HelpListsTheTasks) {
  const Ran ran = motet("--help");
  EXPECT_EQ(ran.code, 0);
  for (const char* word : {"Usage: motet", "judges", "demo", "reproduce"}) {
    EXPECT_NE(ran.out.find(word), std::string::npos) << word;
  }
  EXPECT_EQ(motet("help").out, ran.out);
}

TEST_F(Cli, HelpOfATaskListsItsVerbs) {
  const Ran ran = motet("judges --help");
  EXPECT_EQ(ran.code, 0);
  expect_in(ran.out, {"two-populations"});
  EXPECT_EQ(motet("help judges").out, ran.out);
}

TEST_F(Cli, HelpOfEveryVerbIsItsOwnAndNotTooWide) {
  constexpr std::size_t widest = 110;
  for (const Verb& verb : all_verbs()) {
    const Words words = Words(std::string(verb.task)) + std::string(verb.name);
    const Ran ran = motet(words + "--help");
    EXPECT_EQ(ran.code, 0);
    const std::string usage = "Usage: motet" + (verb.task.empty() ? "" : " " + std::string(verb.task)) + " " +
                              std::string(verb.name) + " [OPTIONS]";
    expect_in(ran.out, {usage});
    const Job job = verb.start();
    for (const Field& field : job.fields) EXPECT_NE(ran.out.find(flag_of(field)), std::string::npos) << field.name;
    std::istringstream lines(ran.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), widest) << line;
    EXPECT_EQ(motet(Words("help") + words).out, ran.out);
  }
}

TEST_F(Cli, HelpSaysWhatIsRequired) {
  const Ran ran = motet("judges regression --help");
  expect_in(ran.out, {"mean of the truth (-1e+100 to 1e+100; required)"});
}

TEST_F(Cli, AsksForATaskAndAVerb) {
  expect_errors(
      2,
      {{{},
        "one of {judges, multilabel, roles, superset, temporal, discover, audio, demo, reproduce} must follow 'motet'; "
        "see motet --help"},
       {"judges",
        "one of {estimate, combine, regression, two-populations, simulate} must follow 'motet judges'; see "
        "motet judges --help"}});
}

TEST_F(Cli, RefusesUnknownWords) {
  expect_errors(
      2,
      {{"jugdes",
        "'jugdes' is not one of {judges, multilabel, roles, superset, temporal, discover, audio, demo, reproduce}; see "
        "motet --help"},
       {"judges guess",
        "'guess' is not one of {estimate, combine, regression, two-populations, simulate}; see motet judges "
        "--help"},
       {"--nope", "there is no option '--nope'; see motet --help"},
       {"judges estimate --nope 3", "there is no option '--nope'; see motet judges estimate --help"},
       {"judges estimate a.csv b.csv", "'b.csv' is one argument too many; see motet judges estimate --help"},
       {"judges simulate --report r.html", "there is no option '--report'; see motet judges simulate --help"}});
}

TEST_F(Cli, RefusesOptionsWithoutAValueOrWithTwo) {
  expect_errors(
      2,
      {{"judges estimate a.csv --seed", "--seed needs a value; see motet judges estimate --help"},
       {"judges estimate a.csv --seed 1 --seed 2", "--seed is given more than once; see motet judges estimate --help"},
       {"judges estimate a.csv --separately=false", "--separately takes no value; see motet judges estimate --help"}});
}

TEST_F(Cli, RefusesValuesOutsideTheirRange) {
  expect_errors(2, {{"judges estimate a.csv --noise loud",
                     "--noise: 'loud' is not one of {symmetric, confusion, glad, shared, subtypes, auto}"},
                    {"judges estimate a.csv --confidence 95", "--confidence 95 is outside [0.5, 0.9999]"},
                    {"judges estimate a.csv --seed -1", "--seed: '-1' is not a whole number"},
                    {"judges estimate a.csv --smoothing nan", "--smoothing: 'nan' is not a finite number"}});
}

TEST_F(Cli, AsksForRequiredArguments) {
  expect_errors(2, {{"judges combine", "VOTES.csv is required; see motet judges combine --help"},
                    {"judges combine a.csv", "combine: needs --model and --combined"},
                    {"judges estimate", "a file of votes is needed (or --update)"},
                    {"judges two-populations a.csv b.csv --prior-a a=0.5,b=0.5", "two-populations: needs --prior-b"}});
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
  return {"", "fail", "fails", {}, {}, true, [body = std::move(body)] {
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
