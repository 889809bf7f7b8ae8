#include "motet/app/registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace motet::registry_test {
namespace {

std::string name_of(const Verb& verb) { return std::string(verb.task) + " " + std::string(verb.name); }

TEST(AllVerbs, HaveNamesOfTheirOwnTaskByTask) {
  std::set<std::string> names;
  std::vector<std::string_view> tasks;
  for (const Verb& verb : all_verbs()) {
    EXPECT_TRUE(names.insert(name_of(verb)).second) << name_of(verb) << " is there twice";
    EXPECT_FALSE(verb.purpose.empty()) << name_of(verb);
    if (tasks.empty() || tasks.back() != verb.task) tasks.push_back(verb.task);
  }
  EXPECT_EQ(tasks, (std::vector<std::string_view>{"judges", "multilabel", "roles", "superset", "temporal", "discover",
                                                  "audio", ""}));
}

TEST(PurposeOfTask, EveryTaskHasItsOwn) {
  std::set<std::string_view> purposes;
  std::set<std::string_view> tasks;
  for (const Verb& verb : all_verbs()) {
    if (!verb.task.empty() && tasks.insert(verb.task).second) purposes.insert(purpose_of_task(verb.task));
  }
  EXPECT_EQ(purposes.size(), tasks.size());
  EXPECT_FALSE(purposes.contains(""));
  EXPECT_EQ(purpose_of_task(""), "");
  EXPECT_EQ(purpose_of_task("judge"), "");
}

// What a verb says of its options it says of options that are there.
TEST(OptionsOfVerbs, HaveNamesOfTheirOwnAndAreAllThere) {
  CommonOptions common;
  for (const Verb& verb : all_verbs()) {
    const Job job = verb.start();
    std::set<std::string, std::less<>> names;
    for (const auto& fields : {job.fields, fields_of(common)}) {
      for (const Field& field : fields) {
        EXPECT_TRUE(names.insert(field.name).second) << name_of(verb) << " has two options " << field.name;
      }
    }
    const auto expect_there = [&](std::string_view option) {
      EXPECT_TRUE(names.contains(option)) << name_of(verb) << " has no option " << option;
    };
    for (const Required& required : verb.required) expect_there(required.option);
    for (const std::string_view input : verb.inputs) expect_there(input);
    for (const OutputOption& output : verb.outputs) expect_there(output.option);
  }
}

// FILE, MODEL.json, FEATURES.csv|.npy: what such an option names is read or written.
bool names_a_file(const Field& field) {
  return field.shape == "FILE" || field.shape == "TRAIN" || field.shape.find(".csv") != std::string::npos ||
         field.shape.find(".json") != std::string::npos || field.shape.find(".html") != std::string::npos ||
         field.shape.find(".xml") != std::string::npos;
}

TEST(OptionsOfVerbs, EveryOptionThatNamesAFileSaysWhetherItIsReadOrWritten) {
  for (const Verb& verb : all_verbs()) {
    const Job job = verb.start();
    for (const Field& field : job.fields) {
      const bool is_read = std::find(verb.inputs.begin(), verb.inputs.end(), field.name) != verb.inputs.end();
      const bool is_written = std::any_of(verb.outputs.begin(), verb.outputs.end(),
                                          [&](const OutputOption& output) { return output.option == field.name; });
      EXPECT_EQ(is_read + is_written, names_a_file(field) ? 1 : 0) << name_of(verb) << " " << field.name;
    }
  }
}

}  // namespace
}  // namespace motet::registry_test
