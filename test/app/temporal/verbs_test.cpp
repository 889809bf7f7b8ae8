// `motet temporal fit` and `apply`.
#include "motet/app/temporal/verbs.h"

#include <gtest/gtest.h>

#include <map>

#include "cli/support.h"
#include "io/audio_support.h"
#include "motet/base/rng.h"

namespace motet::temporal::verbs_test {
namespace {

// Two states that take turns every 20 rows, in two sequences; every fifth row says which.
std::string small_rows() {
  Rng rng(Seed{5});
  std::string text = "sequence,x,y,state\n";
  for (int s = 0; s < 2; ++s) {
    for (int n = 0; n < 60; ++n) {
      const bool is_high = n / 20 % 2 == 1;
      const double centre = is_high ? 3.0 : 0.0;
      text += std::string(s == 0 ? "a" : "b") + "," + to_text(centre + rng.normal()) + "," +
              to_text(centre - rng.normal()) + "," +
              (n % 5 != 0 ? ""
               : is_high  ? "high"
                          : "low") +
              "\n";
    }
  }
  return text;
}

class TemporalVerb : public CommandTest {
 protected:
  TemporalVerb() { folder.write("x.csv", small_rows()); }

  Ran fit(const Words& more) const { return motet(joined({"temporal", "fit", "@x.csv", "--components", "2"}, more)); }
};

TEST_F(TemporalVerb, NeighboursMendWhatSingleRowsGetWrong) {
  const auto wrong = [&](const Words& more) {
    EXPECT_EQ(fit(joined({"--labels-column", "state", "--assignments", "@a.csv"}, more)).code, 0);
    const std::vector<std::string> lines = lines_of("a.csv");
    EXPECT_EQ(lines.size(), 121U);
    EXPECT_EQ(lines[0], "item,sequence,component,class,probability");
    int errors = 0;
    for (std::size_t n = 0; n + 1 < lines.size(); ++n) {
      const std::string expected = n % 60 / 20 % 2 == 1 ? ",high," : ",low,";
      errors += lines[n + 1].find(expected) == std::string::npos ? 1 : 0;
    }
    return errors;
  };
  EXPECT_LE(wrong("--radius 2"), 1);
  EXPECT_LE(wrong("--radius 2 --inference exact"), 1);
}

TEST_F(TemporalVerb, TellsTheWholeResultToMachines) {
  const Ran ran = fit("--leave-out state --radius 2 --coupling 3 --json @r.json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("120 rows, 2 columns, 2 sequences\n2 components, full covariance; converged after "))
      << ran.out;
  expect_in(ran.out, {"neighbours up to 2 rows away count, together at most 3 nats\n"});
  const Value json = json_of("r.json");
  EXPECT_EQ(json.at("rows").as_whole(), 120);
  EXPECT_EQ(json.at("radius").as_whole(), 2);
  EXPECT_NEAR(json.at("coupling").as_number(), 3.0, 1e-12);
  EXPECT_TRUE(json.at("converged").as_bool());
  EXPECT_EQ(json.at("iterations").as_whole(), static_cast<std::int64_t>(json.at("objective_trace").as_list().size()));
  EXPECT_EQ(json.at("objective").as_number(), json.at("objective_trace").as_list().back().as_number());
  ASSERT_EQ(json.at("components").as_list().size(), 2U);
  double shares = 0.0;
  std::int64_t rows = 0;
  for (const Value& component : json.at("components").as_list()) {
    EXPECT_EQ(numbers_at(component, "mean").size(), 2U);
    EXPECT_EQ(component.at("covariance").as_list().size(), 2U);
    EXPECT_TRUE(component.at("class").is_null());
    shares += component.at("share").as_number();
    rows += component.at("rows").as_whole();
  }
  EXPECT_NEAR(shares, 1.0, 1e-9);
  EXPECT_EQ(rows, 120);
}

TEST_F(TemporalVerb, RowsHaveTheNumbersOfTheirComponentsFromOne) {
  ASSERT_EQ(fit({"--leave-out", "state", "--radius", "2", "--assignments", "@a.csv", "--json", "@r.json"}).code, 0);
  std::map<std::string, std::int64_t> rows;
  const std::vector<std::string> lines = lines_of("a.csv");
  for (std::size_t n = 1; n < lines.size(); ++n) {
    const std::size_t component = lines[n].find(',', lines[n].find(',') + 1) + 1;
    ++rows[lines[n].substr(component, lines[n].find(',', component) - component)];
  }
  const Value json = json_of("r.json");
  const Value::List& components = json.at("components").as_list();
  EXPECT_EQ(rows, (std::map<std::string, std::int64_t>{{"1", components.at(0).at("rows").as_whole()},
                                                       {"2", components.at(1).at("rows").as_whole()}}));
}

TEST_F(TemporalVerb, APageForPeople) {
  ASSERT_EQ(fit("--labels-column state --radius 2 --report @r.html").code, 0);
  const std::string page = folder.read("r.html");
  for (const char* part : {"Components over time", "Which component when?", "How long components last", "Objective"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
}

TEST_F(TemporalVerb, TheModelFindsTheSameAgain) {
  ASSERT_EQ(fit("--leave-out state --radius 2 --model @m.json --assignments @a.csv").code, 0);
  const Ran ran = done("temporal apply @x.csv --leave-out state --model @m.json --assignments @b.csv --json @r.json");
  const std::vector<std::string> fitted = lines_of("a.csv");
  const std::vector<std::string> applied = lines_of("b.csv");
  ASSERT_EQ(fitted.size(), applied.size());
  int different = 0;
  for (std::size_t i = 0; i < fitted.size(); ++i) {
    const auto state = [](const std::string& line) { return line.substr(0, line.rfind(',')); };
    different += state(fitted[i]) == state(applied[i]) ? 0 : 1;
  }
  EXPECT_EQ(different, 0);
  EXPECT_EQ(json_of("r.json").at("rows").as_whole(), 120);
}

TEST_F(TemporalVerb, TellsWhatTheObjectiveIs) {
  const std::vector<std::pair<std::string, std::string>> kinds = {{"icm", "pseudo-log-likelihood"},
                                                                  {"mean-field", "lower bound of the log-likelihood"},
                                                                  {"exact", "log-likelihood"}};
  double before = 0.0;
  for (const auto& [inference, kind] : kinds) {
    const Ran ran = fit({"--leave-out", "state", "--radius", "2", "--coupling", "3", "--inference", inference, "--json",
                         "@r.json", "--model", "@m.json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const Value json = json_of("r.json");
    EXPECT_EQ(json.at("objective_kind").as_text(), kind);
    EXPECT_EQ(json.at("log_likelihood").is_null(), inference == "icm");
    EXPECT_EQ(json.at("bic").is_null(), inference == "icm");
    EXPECT_EQ(json.at("parameters").as_whole(), 10);
    if (inference == "mean-field") before = json.at("log_likelihood").as_number();
    if (inference == "exact") {
      EXPECT_GT(json.at("log_likelihood").as_number(), before);
      EXPECT_LT(json.at("log_likelihood").as_number(), before + 0.02);
      expect_in(ran.out, {"\nlog-likelihood -"});
    }
    ASSERT_EQ(motet({"temporal", "apply", "@x.csv", "--leave-out", "state", "--model", "@m.json", "--assignments",
                     "@b.csv", "--inference", inference, "--json", "@r.json"})
                  .code,
              0);
    EXPECT_EQ(json_of("r.json").at("objective_kind").as_text(), kind);
  }
}

TEST_F(TemporalVerb, AHiddenMarkovChain) {
  const Ran ran =
      fit("--labels-column state --method hmm --model @m.json --assignments @a.csv --json @r.json --report @r.html");
  ASSERT_EQ(ran.code, 0) << ran.err;
  expect_in(ran.out, {"\na hidden Markov chain: ", "from component"});
  const Value json = json_of("r.json");
  EXPECT_EQ(json.at("method").as_text(), "hmm");
  EXPECT_EQ(json.at("objective_kind").as_text(), "log-likelihood");
  EXPECT_EQ(json.at("start").as_list().size(), 2U);
  EXPECT_EQ(json.at("transition").as_list().size(), 2U);
  expect_in(folder.read("r.html"), {"Which component comes next"});
  const std::vector<std::string> fitted = lines_of("a.csv");
  EXPECT_EQ(fitted[0], "item,sequence,component,class,probability,path");
  ASSERT_EQ(motet("temporal apply @x.csv --leave-out state --model @m.json --assignments @b.csv").code, 0);
  EXPECT_EQ(lines_of("b.csv")[0], fitted[0]);
  expect_errors(2, {{"temporal apply @x.csv --model @m.json --assignments - --inference exact",
                     "--inference: belongs to a field; a hidden Markov chain has none"},
                    {"temporal fit @x.csv --components 2 --leave-out state --method hmm --radius 2",
                     "--radius: belongs to a field; a hidden Markov chain has none"}});
}

TEST_F(TemporalVerb, TakesRecordingsAsTheyAre) {
  std::vector<float> sound = tone(80'000, 0.02, 0.1);
  for (std::size_t n = 32'000; n < 48'000; ++n) sound[n] += static_cast<float>(0.5 * std::sin(0.9 * double(n)));
  ASSERT_TRUE(write_sound(folder / "a.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 8000, 1, sound));
  const Words fit = "--components 2 --covariance diagonal --radius 2 --coefficients 4";
  const Words sound_fit = "temporal fit @a.wav --assignments @direct.csv --model @m.json";
  const Ran direct = done(sound_fit + fit);
  EXPECT_TRUE(direct.out.starts_with("98 rows, 4 columns, 1 sequence")) << direct.out;
  done("audio features @a.wav --coefficients 4 --out @f.csv");
  const Words table_fit =
      "temporal fit @f.csv --components 2 --covariance diagonal --radius 2 --assignments @table.csv";
  done(table_fit);
  EXPECT_EQ(folder.read("direct.csv"), folder.read("table.csv"));
  done("temporal apply @a.wav --coefficients 4 --model @m.json --assignments @again.csv");
  EXPECT_EQ(lines_of("again.csv").size(), 99U);
  expect_error("temporal fit @a.wav --components 2 --labels-column y", 2,
               "--labels-column: recordings have no columns; give a table");
  expect_error("temporal fit @f.csv @f.csv --components 2", 2,
               "f.csv: one table is read at a time; several are possible for recordings");
}

TEST_F(TemporalVerb, AChainOfOneComponentStaysForEver) {
  const Ran ran = done("temporal fit @x.csv --components 1 --leave-out state --method hmm --quiet");
  expect_in(ran.out, {"1                                 1.0000\n"});
}

TEST_F(TemporalVerb, ApplyTakesColumnsByName) {
  ASSERT_EQ(fit("--leave-out state --model @m.json").code, 0);
  folder.write("new.csv", "y,more,x\n3,7,3\n0,7,0\n");
  const Ran ran = done("temporal apply @new.csv --model @m.json --assignments -");
  EXPECT_TRUE(ran.out.starts_with("item,component,probability\n1,")) << ran.out;
  folder.write("new.csv", "y,z\n3,3\n");
  expect_error("temporal apply @new.csv --model @m.json --assignments -", 3,
               "new.csv: there is no column 'x', which the model was fitted to; found 'y', 'z'");
}

TEST_F(TemporalVerb, SameBytesOnAnyNumberOfThreads) {
  for (const char* threads : {"1", "2", "4"}) {
    ASSERT_EQ(fit({"--leave-out", "state", "--radius", "2", "--threads", threads, "--model",
                   std::string("@m") + threads + ".json"})
                  .code,
              0);
  }
  EXPECT_EQ(folder.read("m1.json"), folder.read("m2.json"));
  EXPECT_EQ(folder.read("m1.json"), folder.read("m4.json"));
}

TEST_F(TemporalVerb, GoesOnFromACheckpoint) {
  ASSERT_EQ(fit("--leave-out state --model @whole.json").code, 0);
  ASSERT_EQ(fit("--leave-out state --checkpoint @c.json --checkpoint-every 0 --model @m.json").code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder / "c.json"));
  EXPECT_EQ(folder.read("m.json"), folder.read("whole.json"));
  expect_error("temporal fit @x.csv --leave-out state --components 2 --resume", 2, "--resume: needs --checkpoint FILE");
}

TEST_F(TemporalVerb, StudentComponentsAreToldAndKept) {
  const Ran ran =
      fit("--leave-out state --radius 2 --emission student-t --model @m.json --assignments @a.csv --json @r.json "
          "--report @r.html");
  ASSERT_EQ(ran.code, 0) << ran.err;
  expect_in(ran.out, {"\n2 student-t components, full covariance; ", "  degrees  mean x"});
  const Value json = json_of("r.json");
  EXPECT_EQ(json.at("emission").as_text(), "student-t");
  for (const Value& component : json.at("components").as_list()) {
    EXPECT_GE(component.at("degrees").as_number(), 0.5);
    EXPECT_LE(component.at("degrees").as_number(), 1000.0);
  }
  expect_in(folder.read("r.html"), {"Components are Student"});
  ASSERT_EQ(motet("temporal apply @x.csv --leave-out state --model @m.json --assignments @b.csv").code, 0);
  const std::vector<std::string> fitted = lines_of("a.csv");
  const std::vector<std::string> applied = lines_of("b.csv");
  ASSERT_EQ(fitted.size(), applied.size());
  for (std::size_t i = 0; i < fitted.size(); ++i) {
    EXPECT_EQ(fitted[i].substr(0, fitted[i].rfind(',')), applied[i].substr(0, applied[i].rfind(',')));
  }
  expect_error("temporal fit @x.csv --components 2 --leave-out state --degrees 4", 2,
               "--degrees 4 is for student-t; components are gaussian");
}

TEST_F(TemporalVerb, AStudentFitGoesOnFromACheckpoint) {
  const Words student = "--leave-out state --emission student-t --model";
  ASSERT_EQ(fit(student + "@whole.json").code, 0);
  ASSERT_EQ(fit(student + "@m.json --checkpoint @c.json --checkpoint-every 0").code, 0);
  EXPECT_EQ(folder.read("m.json"), folder.read("whole.json"));
}

TEST_F(TemporalVerb, WeightsOfYourOwn) {
  ASSERT_EQ(fit("--leave-out state --radius 3 --coupling literal --assignments @a.csv").code, 0);
  const Ran ran =
      fit("--leave-out state --weights custom --weight-values 3,2,1 --coupling literal --assignments @b.csv --model "
          "@m.json --json @r.json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(folder.read("a.csv"), folder.read("b.csv"));
  EXPECT_EQ(json_of("r.json").at("weights").as_text(), "custom");
  EXPECT_EQ(json_of("r.json").at("radius").as_whole(), 3);
  EXPECT_EQ(numbers_at(json_of("r.json"), "weight_values"), (std::vector<double>{3.0, 2.0, 1.0}));
  ASSERT_EQ(motet("temporal apply @x.csv --leave-out state --model @m.json --assignments @c.csv").code, 0);
  const auto cut = [](const std::string& line) { return line.substr(0, line.rfind(',')); };
  const std::vector<std::string> fitted = lines_of("b.csv");
  const std::vector<std::string> applied = lines_of("c.csv");
  ASSERT_EQ(fitted.size(), applied.size());
  for (std::size_t i = 0; i < fitted.size(); ++i) EXPECT_EQ(cut(fitted[i]), cut(applied[i]));
  expect_error("temporal fit @x.csv --components 2 --leave-out state --weights custom", 2,
               "--weights custom needs --weight-values, one for each distance");
}

TEST_F(TemporalVerb, ClassesMayShareComponents) {
  const Ran ran = fit(
      "--labels-column state --class-assignment soft --radius 2 --model @m.json --assignments @a.csv --json @r.json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(lines_of("a.csv")[0], "item,sequence,component,class,probability,class_probability");
  const Value json = json_of("r.json");
  for (const Value& component : json.at("components").as_list()) {
    const std::vector<double> shares = numbers_at(component, "class_probabilities");
    ASSERT_EQ(shares.size(), 2U);
    EXPECT_NEAR(shares[0] + shares[1], 1.0, 1e-12);
  }
  const Ran applied = done("temporal apply @x.csv --leave-out state --model @m.json --assignments -");
  EXPECT_TRUE(applied.out.starts_with("item,sequence,component,class,probability,class_probability\n"));
  expect_error("temporal fit @x.csv --components 2 --leave-out state --class-assignment soft", 2,
               "--class-assignment soft needs rows with a label; there are none");
}

TEST_F(TemporalVerb, StackedRowsAreKeptInTheModel) {
  const Ran ran = fit("--leave-out state --stack 2 --model @m.json --assignments @a.csv --json @r.json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  expect_in(ran.out, {"each row with the 2 before and the 2 after it: 10 columns\n"});
  EXPECT_EQ(json_of("r.json").at("stack").as_whole(), 2);
  EXPECT_EQ(json_of("r.json").at("columns").as_list().size(), 10U);
  folder.write("new.csv", "y,more,x\n3,7,3\n0,7,0\n");
  const Ran applied = done("temporal apply @new.csv --model @m.json --assignments -");
  EXPECT_TRUE(applied.out.starts_with("item,component,probability\n1,")) << applied.out;
  expect_error("temporal fit @x.csv --components 2 --leave-out state --stack 20", 2,
               "--stack 20 makes 82 columns of 2, too many for 2 components of 120 rows; at least 166 rows, a smaller "
               "--stack or --covariance diagonal would do");
}

TEST_F(TemporalVerb, Errors) {
  expect_error("temporal fit @x.csv", 2, "fit: needs --components");
  expect_errors(
      3, {{"temporal fit @none.csv --components 2", "none.csv: cannot be opened: No such file or directory"},
          {"temporal fit @x.csv --components 2",
           "x.csv:2: row 1 column 'state' is 'low', which is no number; a column that holds text has to be left out or "
           "named as labels"},
          {"temporal fit @x.csv --components 2 --labels-column kind",
           "x.csv:1: there is no column 'kind'; found 'sequence', 'x', 'y', 'state'"}});
  expect_error("temporal fit @x.csv --components 2 --leave-out state --model @x.csv", 2,
               "x.csv: would overwrite an input; choose another name");
  folder.write("nan.csv", "x,y\n1,2\n3,nan\n");
  expect_error("temporal fit @nan.csv --components 1", 3,
               "nan.csv:3: row 2 column 'y' is 'nan'; every feature needs a finite number");
  expect_error("temporal apply @x.csv --model @x.csv", 2, "apply: needs --assignments");
  folder.write("m.json", "{}");
  expect_error("temporal apply @x.csv --model @m.json --assignments -", 3, "m.json: not a motet model file");
}

TEST_F(TemporalVerb, ARadiusLongerThanTheSequences) {
  expect_error("temporal fit @x.csv --components 2 --leave-out state --radius 60", 2,
               "--radius 60 is too long; the longest sequence has 60 rows");
}

}  // namespace
}  // namespace motet::temporal::verbs_test
