#include "motet/app/verb.h"

#include <gtest/gtest.h>

#include "io/support.h"
#include "support/errors.h"

namespace motet::verb_test {
namespace {

TEST(ParseDelimiter, KnowsOneCharacterAndTab) {
  expect_each([](const std::string& text) { return std::string(1, parse_delimiter(text)); },
              {{",", ","}, {";", ";"}, {"tab", "\t"}, {"\\t", "\t"}, {"\t", "\t"}});
}

TEST(ParseDelimiter, RefusesTheRest) {
  const TemporaryFolder folder;
  for (const char* text : {"", "ab", "\"", "\n", "\r", "\xC2\xA7"}) {
    EXPECT_EQ(folder.error_of([&] { parse_delimiter(text); }, ErrorKind::usage),
              std::string("--delimiter: '") + text + "' is not one character or 'tab'");
  }
}

TEST(RequireGiven, NamesAllThatIsMissing) {
  const TemporaryFolder folder;
  VerbContext context;
  context.given = {"mean"};
  const auto missing = [&](const std::vector<std::string_view>& options) {
    return folder.error_of([&] { require_given("verb", context, options); }, ErrorKind::usage);
  };
  require_given("verb", context, {"mean"});
  EXPECT_EQ(missing({"mean", "variance"}), "verb: needs --variance");
  EXPECT_EQ(missing({"a", "b"}), "verb: needs --a and --b");
  EXPECT_EQ(missing({"a", "mean", "b", "noise_variance"}), "verb: needs --a, --b and --noise-variance");
}

TEST(Deliver, WritesWhatIsAskedFor) {
  const TemporaryFolder folder;
  Outcome outcome{"text\n", Value::object({{"a", 1}}), {}};
  CommonOptions common;
  EXPECT_EQ(deliver(outcome, common), "text\n");
  common.json = "-";
  EXPECT_EQ(deliver(outcome, common), "{\n \"a\": 1\n}\n");
  common.json = folder / "r.json";
  EXPECT_EQ(deliver(outcome, common), "text\n");
  EXPECT_EQ(folder.read("r.json"), "{\n \"a\": 1\n}\n");
  common.report = folder / "r.html";
  EXPECT_EQ(folder.error_of([&] { deliver(outcome, common); }, ErrorKind::usage),
            "--report: this verb has no page to write");
}

}  // namespace
}  // namespace motet::verb_test
