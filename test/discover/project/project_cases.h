// What the tests of the project file share.
#pragma once

#include <sqlite3.h>

#include <string>
#include <vector>

#include "io/support.h"
#include "motet/base/rng.h"
#include "motet/discover/project/project.h"
#include "support/errors.h"

namespace motet::discover {

// Two recordings of noise with one loud stretch in each.
inline Features small_features(std::size_t rows = 240, std::uint64_t seed = 3) {
  Features features;
  features.columns = {"a", "b", "c"};
  features.clock = {0.1, 0.25};
  Rng rng(Seed{seed});
  for (std::size_t n = 0; n < rows; ++n) {
    const bool is_event = n % (rows / 2) >= rows / 4 && n % (rows / 2) < rows / 4 + 12;
    for (std::size_t d = 0; d < 3; ++d) features.values.push_back(rng.normal() + (is_event ? 6.0 : 0.0));
  }
  features.starts = {0, rows / 2, rows};
  features.sequences = {"one.wav", "two.wav"};
  return features;
}

inline Features more_features(const std::string& name = "three.wav", std::size_t rows = 60) {
  Features features = small_features(2 * rows, 9);
  features.values.resize(rows * 3);
  features.starts = {0, rows};
  features.sequences = {name};
  return features;
}

inline DiscoverOptions small_options() {
  DiscoverOptions options{.strategy = Strategy::temporal, .radius = 5, .components = 2};
  return options;
}

class ProjectTest : public testing::Test {
 protected:
  Project::Settings settings() {
    Project::Settings made;
    made.wait_seconds = 0.05;
    made.now = [this] { return 1000 * ++clock_; };
    return made;
  }
  Project create(const std::string& name = "p.motet", const Features& features = small_features()) {
    return Project::create(folder / name, features, "made by a test", small_options(), {}, settings());
  }
  Project open(const std::string& name = "p.motet", Project::Use use = Project::Use::writing) {
    Project::Settings made = settings();
    made.use = use;
    return Project::open(folder / name, {}, made);
  }

  // SQL from outside, as a stranger would run it.
  void sql(const std::string& name, const std::string& statements) const {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open((folder / name).c_str(), &database), SQLITE_OK);
    char* problem = nullptr;
    EXPECT_EQ(sqlite3_exec(database, statements.c_str(), nullptr, nullptr, &problem), SQLITE_OK)
        << (problem == nullptr ? "" : problem);
    sqlite3_free(problem);
    sqlite3_close(database);
  }

  std::string error_of_opening(const std::string& name, ErrorKind kind = ErrorKind::bad_data) {
    return folder.error_of([&] { open(name); }, kind);
  }

  TemporaryFolder folder;

 private:
  std::int64_t clock_ = 0;
};

inline Answer nothing_at(std::size_t row) { return {row, AnswerKind::nothing, ""}; }
inline Answer class_at(std::size_t row, const std::string& name) { return {row, AnswerKind::of_class, name}; }

// An answer to what is asked first, or to some row when nothing is.
inline Answer next_answer(Project& project, std::size_t i) {
  const std::vector<Nomination>& queue = project.discovery().queue;
  const std::size_t row = queue.empty() ? (37 * i) % project.features().rows() : queue.front().row;
  if (i % 5 == 4) return {row, AnswerKind::not_sure, ""};
  return i % 3 == 1 ? class_at(row, i % 2 == 0 ? "frog" : "owl") : nothing_at(row);
}

}  // namespace motet::discover
