#include "motet/app/answers.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <map>

#include "cli/support.h"
#include "motet/base/rng.h"
#include "motet/io/csv.h"
#include "support/errors.h"

namespace motet::answers_test {
namespace {

TEST(RequireAnswers, NamesTheFirstRowWithoutANumber) {
  const TemporaryFolder folder;
  const double infinite = std::numeric_limits<double>::infinity();
  const double none = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [&](const std::vector<double>& numbers, std::size_t a_row) {
    return folder.error_of([&] { require_answers("m.json", numbers, a_row); });
  };
  const auto row = [](const char* number) {
    return std::string("m.json: gives row ") + number +
           " no answer; numbers of the model, or of the data, are too far from the others";
  };
  require_answers("m.json", {});
  require_answers("m.json", std::vector<double>{0.0, -1e308, 5e-324}, 3);
  EXPECT_EQ(refused({0.0, 1.0, none, infinite}, 1), row("3"));
  EXPECT_EQ(refused({0.0, 1.0, 2.0, -infinite, 4.0, 5.0}, 3), row("2"));
  EXPECT_EQ(refused({0.0, 1.0, infinite, 3.0, 4.0, none}, 3), row("1"));
}

// Models with one number changed: each is refused with the name of what is wrong, or gives numbers.
struct Edited {
  std::string name;
  std::vector<Words> before;  // data, then the model @m.json
  std::vector<Words> after;   // verbs that read @e.json
};

void PrintTo(const Edited& edited, std::ostream* out) { *out << edited.name; }

const std::string samples = MOTET_TEST_DIR "/../samples/";

std::vector<Edited> all_edited() {
  const std::string votes = samples + "judges/votes.csv";
  const Words items = {"multilabel", "simulate", "--items",      "120", "--labels", "3",
                       "--features", "2",        "--separation", "3",   "--out",    "@d.csv"};
  const Words candidates = {"superset", "simulate",     "--items", "90",    "--classes",
                            "3",        "--dimensions", "2",       "--out", "@d.csv"};
  const auto trained = [](Words words) { return joined(std::move(words), {"--model", "@m.json", "--quiet"}); };
  const auto superset = [&](const std::string& method, const Words& more = {}) {
    return trained(
        joined({"superset", "train", "@d.csv", "--truth-column", "truth", "--method", method, "--folds", "2"}, more));
  };
  const Words predict = "superset predict @d.csv --out @o.csv";
  const Words disambiguate = "superset disambiguate @d.csv --out @o.csv";
  const std::string events = samples + "discover/events.csv";
  const auto apply = [&](const char* inference) {
    return Words{"temporal", "apply", events, "--leave-out", "y", "--inference", inference, "--assignments", "@o.csv"};
  };
  const auto temporal = [&](const char* radius) {
    return trained({"temporal", "fit", events, "--leave-out", "y", "--components", "3", "--radius", radius});
  };
  return {
      {"Judges",
       {trained({"judges", "estimate", votes})},
       {{"judges", "combine", votes, "--combined", "@o.csv"},
        {"judges", "estimate", "--update", votes, "--combined", "@o.csv"}}},
      {"Regression",
       {trained("judges regression @n.csv --mean 0 --variance 2 --noise-variance 0.3")},
       {{"judges", "combine", "@n.csv", "--combined", "@o.csv"}}},
      {"Roles",
       {trained({"roles", "mine", samples + "roles/access.csv", "--attributes", samples + "roles/hr.csv", "--roles",
                 "4", "--starts", "1"})},
       {{"roles", "assign", samples + "roles/access.csv", "--attributes", samples + "roles/hr.csv", "--assignments",
         "@o.csv"}}},
      {"Multilabel",
       {items, trained("multilabel train @d.csv --label-count 3 --method deconvolution")},
       {{"multilabel", "predict", "@d.csv", "--label-count", "3", "--out", "@o.csv"},
        {"multilabel", "separate", "@d.csv", "--label-count", "3", "--out", "@o.csv"},
        {"multilabel", "simulate", "--items", "20", "--out", "@o.csv"}}},
      {"MultilabelPrepared",
       {items, trained("multilabel train @d.csv --label-count 3 --method new --standardize --pca 2 --covariance full "
                       "--no-calibration")},
       {{"multilabel", "predict", "@d.csv", "--label-count", "3", "--out", "@o.csv"}}},
      {"SupersetMixture",
       {candidates, superset("lsb-cmm", {"--restarts", "1"})},
       {predict, disambiguate, {"superset", "update", "@d.csv", "--new-model", "@o.json"}}},
      {"SupersetLinear", {candidates, superset("logistic-em")}, {predict, disambiguate}},
      {"SupersetNeighbours", {candidates, superset("knn")}, {predict}},
      {"TemporalStatic", {temporal("0")}, {apply("icm")}},
      {"TemporalField", {temporal("2")}, {apply("icm"), apply("mean-field"), apply("exact")}},
  };
}

// Numbers of a tree in order, by the names that lead to them; `at` of them is replaced.
class Leaves {
 public:
  static std::map<std::string, std::vector<std::size_t>> of(const Value& tree) {
    Leaves leaves;
    leaves.visit(tree, "");
    return leaves.by_name_;
  }
  static Value replaced(const Value& tree, std::size_t at, const Value& by) {
    Leaves leaves;
    leaves.wanted_ = at;
    leaves.by_ = &by;
    return leaves.visit(tree, "");
  }

 private:
  Value visit(const Value& value, const std::string& name) {
    if (value.is_list()) {
      Value::List list;
      for (const Value& item : value.as_list()) list.push_back(visit(item, name));
      return list;
    }
    if (value.is_object()) {
      Value object = Value::object({});
      for (const auto& [key, field] : value.as_object()) object.set(key, visit(field, name + "." + key));
      return object;
    }
    if (!value.is_number()) return value;
    const std::size_t number = next_++;
    by_name_[name].push_back(number);
    return by_ != nullptr && number == wanted_ ? *by_ : value;
  }

  std::map<std::string, std::vector<std::size_t>> by_name_;
  std::size_t next_ = 0;
  std::size_t wanted_ = 0;
  const Value* by_ = nullptr;
};

class EditedModelSlow : public CommandTest, public testing::WithParamInterface<Edited> {
 protected:
  EditedModelSlow() {
    std::string numbers = "item,a,b,c\n";
    const Rng rng(Seed{1});
    Rng draw = rng.child(1);
    for (int i = 0; i < 40; ++i) {
      const double truth = draw.normal();
      numbers += fmt::format("{},{:.3f},{:.3f},{:.3f}\n", i, truth + 0.3 * draw.normal(),
                             0.8 * truth + 0.5 * draw.normal(), truth + draw.normal());
    }
    folder.write("n.csv", numbers);
    for (const Words& words : GetParam().before) {
      const Ran ran = motet(words);
      EXPECT_EQ(ran.code, 0) << ran.err;
    }
  }

  // What is wrong with the table that a verb has written, if anything.
  std::string problem_of_table() const {
    static const std::vector<std::string> texts = {"item", "user", "role", "label", "labels", "class", "set", "source"};
    if (!std::filesystem::exists(folder / "o.csv")) return "";
    CsvReader reader(folder / "o.csv");
    const std::vector<std::string>& names = reader.header();
    for (CsvRows rows = reader.next_rows(); rows.size() != 0; rows = reader.next_rows()) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t c = 0; c < rows[i].size(); ++c) {
          const std::string field(rows[i][c]);
          const bool is_text = std::find(texts.begin(), texts.end(), names[c]) != texts.end();
          if (!is_text && (field.empty() || field.find_first_of("nN") != std::string::npos)) {
            return fmt::format("column {} holds '{}'", names[c], field);
          }
        }
      }
    }
    return "";
  }

  void expect_sound(const Words& verb, const Value& model, const std::string& what) const {
    for (const char* name : {"o.csv", "o.json"}) std::filesystem::remove(folder / name);
    folder.write("e.json", to_json(model, 1));
    const Ran ran = motet(joined(verb, {"--model", "@e.json", "--threads", "1", "--quiet"}));
    const std::string where = fmt::format("{} {}: {}\n{}", verb[0], verb[1], what, ran.err);
    EXPECT_TRUE(ran.code == 0 || ran.code == 3 || ran.code == 4) << ran.code << " " << where;
    if (ran.code != 0) return;
    EXPECT_EQ(problem_of_table(), "") << where;
    for (const char* word : {" nan", " -nan", " inf", " -inf"})
      EXPECT_EQ(ran.out.find(word), std::string::npos) << where;
  }
};

TEST_P(EditedModelSlow, IsRefusedOrGivesNumbers) {
  const std::array<Value, 7> slips = {Value(-1),
                                      Value(0),
                                      Value(1e308),
                                      Value(1e-308),
                                      Value(-1e100),
                                      Value(std::numeric_limits<std::int64_t>::max()),
                                      Value(std::int64_t{1} << 62)};
  Value whole = json_of("m.json");
  Value document;
  for (const auto& [key, field] : whole.as_object()) {
    if (key != "checksum") document.set(key, field);
  }
  for (const Words& verb : GetParam().after) expect_sound(verb, document, "as it is");
  Rng draw(Seed{2});
  for (const auto& [name, numbers] : Leaves::of(document.at("fields"))) {
    if (name == ".field.radius") continue;
    for (const Value& slip : slips) {
      const std::size_t at = numbers[draw.below(numbers.size())];
      Value edited = document;
      edited.set("fields", Leaves::replaced(document.at("fields"), at, slip));
      for (const Words& verb : GetParam().after) {
        expect_sound(verb, edited, fmt::format("{} (number {}) = {}", name, at, to_json(slip, 0)));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Tasks, EditedModelSlow, testing::ValuesIn(all_edited()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace motet::answers_test
