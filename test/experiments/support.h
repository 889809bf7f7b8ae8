// What the tests of the published experiments share.
#pragma once

#include <filesystem>
#include <string>

#include "cli/support.h"

namespace motet {

// Each experiment of a task, named by the parameter, on small data.
class ExperimentTest : public CommandTest, public testing::WithParamInterface<const char*> {
 protected:
  void expect_the_same_on_any_number_of_threads() const {
    const std::string name = GetParam();
    const Words command = Words{"reproduce", name} + "--quick --quiet --data @";
    const Ran one = done(command + "--threads 1 --json @1.json --report @r.html");
    EXPECT_TRUE(one.out.ends_with("note: --quick has small data; its figures are not to be compared\n"));
    EXPECT_EQ(json_of("1.json").at("experiment").as_text(), name);
    EXPECT_EQ(one.out.find(" nan"), std::string::npos) << one.out;
    EXPECT_EQ(motet(command + "--threads 2 --json @2.json").out, one.out);
    EXPECT_EQ(folder.read("2.json"), folder.read("1.json"));
  }
};

// As GoogleTest takes names.
inline std::string plain_name(const testing::TestParamInfo<const char*>& info) {
  std::string name = info.param;
  std::erase_if(name, [](char c) { return c == '-' || c == '.'; });
  return name;
}

// Public data of a task in a folder of their own.
class PublicData : public testing::Test {
 protected:
  explicit PublicData(std::string_view task) {
    std::filesystem::create_directory(folder / task);
    context.data = std::filesystem::path(folder / task).parent_path().string();
  }

  TemporaryFolder folder;
  ExperimentContext context;
};

}  // namespace motet
