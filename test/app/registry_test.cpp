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
  }
}

// Options are spelt one way in messages: as they are typed. Texts take anything here, all others refuse '?'.
TEST(OptionsOfVerbs, RefuseAsTheFlagThatIsTyped) {
  std::size_t refused = 0;
  for (const Verb& verb : all_verbs()) {
    const Job job = verb.start();
    for (const Field& field : job.fields) {
      if (field.range.empty() && !field.is_flag && field.shape.find('|') == std::string::npos) continue;
      if (field.file != FileUse::none) continue;
      try {
        field.set("?");
      } catch (const Error& error) {
        ++refused;
        const std::string text = error.what();
        EXPECT_TRUE(text.starts_with(flag_of(field.name) + ": '?' is not ")) << name_of(verb) << ": " << text;
      }
    }
  }
  EXPECT_GT(refused, 200U);
}

// FILE, MODEL.json, FEATURES.csv|.npy: what such an option names is read or written.
bool names_a_file(const Field& field) {
  return field.shape == "FILE" || field.shape == "TRAIN" || field.shape.find(".csv") != std::string::npos ||
         field.shape.find(".json") != std::string::npos || field.shape.find(".html") != std::string::npos ||
         field.shape.find(".xml") != std::string::npos || field.shape.find(".wav") != std::string::npos ||
         field.shape.find(".motet") != std::string::npos || field.shape.find(".txt") != std::string::npos ||
         field.shape.find(".png") != std::string::npos;
}

TEST(OptionsOfVerbs, EveryOptionThatNamesAFileSaysWhetherItIsReadOrWritten) {
  for (const Verb& verb : all_verbs()) {
    const Job job = verb.start();
    for (const Field& field : job.fields) {
      EXPECT_EQ(field.file != FileUse::none, names_a_file(field)) << name_of(verb) << " " << field.name;
    }
  }
}

}  // namespace
}  // namespace motet::registry_test
