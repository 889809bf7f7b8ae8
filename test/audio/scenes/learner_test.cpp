#include "motet/audio/scenes/learner.h"

#include <algorithm>

#include "audio/scenes/blobs.h"
#include "support/errors.h"

namespace motet::audio::learner_test {
namespace {

Learned learned_of(const Blobs& blobs, LearnMethod method, unsigned threads = 1) {
  RunContext run;
  run.threads = {threads, true};
  Learned learned = learn(blobs.rows, blobs.target, blobs.groups, {method, 5, 40}, run);
  for (std::size_t d = 0; d < blobs.rows.width; ++d) learned.columns.push_back("x" + std::to_string(d));
  return learned;
}

constexpr LearnMethod all_methods[] = {LearnMethod::svm_linear, LearnMethod::svm_rbf, LearnMethod::forest,
                                       LearnMethod::linear};

TEST(Learner, EveryMethodLearnsAndComesBackFromItsRecord) {
  const Blobs classes = class_blobs(80, 3, 5, 5.0);
  const Blobs numbers = number_blobs(80, 4);
  for (const LearnMethod method : all_methods) {
    for (const Blobs* blobs : {&classes, &numbers}) {
      if (blobs->target.is_class() && method == LearnMethod::linear) continue;
      const Learned learned = learned_of(*blobs, method);
      const std::vector<double> said = learned.say(blobs->rows);
      EXPECT_LT(error_of_said(blobs->target, said), blobs->target.is_class() ? 0.05 : 0.6) << static_cast<int>(method);
      EXPECT_EQ(learned_from_record(to_record(learned)).say(blobs->rows), said) << static_cast<int>(method);
    }
  }
}

TEST(Learner, TheScoreOfTheClassThatIsSaidIsTheGreatest) {
  const Blobs classes = class_blobs(80, 3, 5, 5.0);
  for (const LearnMethod method : {LearnMethod::svm_linear, LearnMethod::svm_rbf, LearnMethod::forest}) {
    const Learned learned = learned_of(classes, method);
    const std::vector<double> said = learned.say(classes.rows);
    const Rows2d scores = learned.scores(classes.rows);
    ASSERT_EQ(scores.width, 3U);
    ASSERT_EQ(scores.rows(), said.size());
    for (std::size_t n = 0; n < said.size(); ++n) {
      const std::span<const double> row = scores.row(n);
      EXPECT_EQ(std::max_element(row.begin(), row.end()) - row.begin(), static_cast<std::ptrdiff_t>(said[n])) << n;
    }
  }
}

// Machines: learning_threads_test.cpp.
TEST(Learner, SameForestOnAnyNumberOfThreads) {
  const Blobs blobs = class_blobs(60, 3, 5, 2.0);
  EXPECT_EQ(to_record(learned_of(blobs, LearnMethod::forest, 1)), to_record(learned_of(blobs, LearnMethod::forest, 4)));
}

// Rows of one group are twins: who deals them apart finds the costliest machine best.
TEST(Learner, FoldsKeepGroupsTogether) {
  Blobs blobs = class_blobs(40, 2, 30, 0.0);
  Rows2d twins{30, {}};
  Target target{blobs.target.classes, {}};
  std::vector<std::uint32_t> groups;
  for (std::uint32_t n = 0; n < 40; ++n) {
    for (int copy = 0; copy < 2; ++copy) {
      const std::span<const double> row = blobs.rows.row(n);
      twins.values.insert(twins.values.end(), row.begin(), row.end());
      target.values.push_back(blobs.target.values[n]);
      groups.push_back(n);
    }
  }
  std::vector<std::uint32_t> alone(80);
  for (std::uint32_t n = 0; n < 80; ++n) alone[n] = n;
  const LearnOptions options{LearnMethod::svm_rbf, 10, 1};
  const Learned apart = learn(twins, target, alone, options, {});
  EXPECT_EQ(error_of_said(target, apart.say(twins)), 0.0);  // it chose to learn them by heart
  EXPECT_EQ(learn(twins, target, groups, options, {}).say(twins).size(), 80U);
}

TEST(Learner, BadInput) {
  const Blobs blobs = class_blobs(20, 2, 3, 1.0);
  const auto error = [&](Target target, std::vector<std::uint32_t> groups, LearnMethod method, ErrorKind kind) {
    return error_of([&] { learn(blobs.rows, target, groups, {method}, {}); }, kind);
  };
  EXPECT_EQ(error({blobs.target.classes, std::vector<double>(20)}, blobs.groups, LearnMethod::forest,
                  ErrorKind::unanswerable),
            "all clips to learn from are 'a'; two classes are the fewest");
  EXPECT_EQ(error(blobs.target, std::vector<std::uint32_t>(20), LearnMethod::forest, ErrorKind::unanswerable),
            "all clips to learn from are of one source; two sources are the fewest");
  EXPECT_EQ(error(blobs.target, blobs.groups, LearnMethod::linear, ErrorKind::usage),
            "--method linear: is for numbers; take svm-linear for classes");
  EXPECT_EQ(error_of(
                [&] {
                  learn({1, {1, 2}}, {{}, {1, 2}}, std::vector<std::uint32_t>{0, 1}, {}, {});
                },
                ErrorKind::unanswerable),
            "there are 2 clips to learn from; 4 are the fewest");
}

TEST(Learner, ModelsThatSomebodyEditedAreRefused) {
  const Record good = to_record(learned_of(class_blobs(40, 2, 3, 4.0), LearnMethod::svm_linear));
  const auto refused = [&](const char* key, Value value) {
    Record record = good;
    record.fields.set(key, std::move(value));
    return refusal([&] { learned_from_record(record); });
  };
  EXPECT_EQ(refused("method", 7), "field 'method' is none that is known");
  EXPECT_EQ(refused("columns", Value::List{}), "field 'columns' is empty");
  EXPECT_EQ(refused("vectors", Value::list({1.0})), "field 'vectors' is no whole number of rows");
  EXPECT_EQ(refused("order", Value::list({0, 9})), "field 'order' names a class that is not there");
  Value calibration = good.fields.at("calibration");
  calibration.set("offsets", Value::list({1.0, 2.0, 3.0}));
  EXPECT_EQ(refused("calibration", calibration), "field 'offsets' has not one number per class");
  calibration.set("offsets", Value::List{});
  calibration.set("residuals", Value::list({2.0, 1.0}));
  EXPECT_EQ(refused("calibration", calibration), "field 'residuals' does not rise");
  Record older = good;
  older.version = 1;
  Value::Object fields = older.fields.as_object();
  std::erase_if(fields, [](const auto& field) { return field.first == "calibration"; });
  older.fields = fields;
  EXPECT_TRUE(learned_from_record(older).calibration.offsets.empty());
  Record newer = good;
  newer.version = Learned::newest_version + 1;
  EXPECT_NE(refusal([&] { learned_from_record(newer); }), "accepted");
}

}  // namespace
}  // namespace motet::audio::learner_test
