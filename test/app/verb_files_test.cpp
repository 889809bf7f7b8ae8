#include "motet/app/verb_files.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "io/support.h"
#include "support/errors.h"

namespace motet::verb_files_test {
namespace {

// Names of files as options would give them.
class CheckFiles : public testing::Test {
 protected:
  VerbContext check(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
    VerbFiles files;
    texts.assign(outputs.size(), "");
    fields.clear();
    for (std::string& text : texts)
      fields.push_back({"out", "", "FILE", "", "", false, [&text](auto given) { text = given; }});
    for (const std::string& path : inputs) files.inputs.push_back({nullptr, "DATA", path, true});
    for (std::size_t i = 0; i < outputs.size(); ++i) files.outputs.push_back({&fields[i], "out", outputs[i], true});
    VerbContext context;
    check_files(files, context);
    return context;
  }
  std::string refused(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                      ErrorKind kind = ErrorKind::usage) {
    return folder.error_of([&] { check(inputs, outputs); }, kind);
  }

  TemporaryFolder folder;
  std::vector<Field> fields;
  std::vector<std::string> texts;  // what options were set to
};

TEST_F(CheckFiles, AllowsNewAndOldFilesAndDevices) {
  const std::string input = folder.write("in", "x");
  EXPECT_FALSE(check({input}, {folder / "new", folder.write("old", "x")}).writes_standard_output);
  check({"-"}, {"/dev/null", "/dev/null", "/dev/full", "-"});
  check({}, {});
  EXPECT_EQ(folder.file_count(), 2U);
}

TEST_F(CheckFiles, SeesThroughNamesAndLinks) {
  const std::string input = folder.write("in", "x");
  std::filesystem::create_symlink("in", folder / "link");
  std::filesystem::create_hard_link(input, folder / "hard");
  for (const char* name : {"in", "./in", "link", "hard"}) {
    EXPECT_EQ(refused({input}, {folder / name}), std::string(name) + ": would overwrite an input; choose another name");
  }
  EXPECT_EQ(refused({}, {folder / "a", folder / "./a"}), "./a: is named for two outputs");
  std::filesystem::create_symlink("new", folder / "dangling");
  EXPECT_EQ(refused({}, {folder / "new", folder / "dangling"}), "dangling: is named for two outputs");
  EXPECT_EQ(refused({}, {folder / "link", folder / "hard"}), "hard: is named for two outputs");
}

TEST_F(CheckFiles, StandardStreamsAreTakenOnce) {
  std::filesystem::create_symlink("/dev/stdout", folder / "link");
  const std::string output = "-: standard output can take only one output; name a file for the other";
  for (const std::string& name :
       {std::string("-"), std::string("/dev/stdout"), std::string("/dev/fd/1"), folder / "link"}) {
    EXPECT_EQ(refused({}, {"-", name}), output);
    EXPECT_TRUE(check({}, {name, folder / "a"}).writes_standard_output);
    EXPECT_EQ(texts[0], "-") << name;
    EXPECT_EQ(texts[1], "");
  }
  const std::string input = "-: standard input can be read only once; name a file for the other input";
  for (const char* name : {"-", "/dev/stdin", "/dev/fd/0"}) EXPECT_EQ(refused({"-", name}, {}), input);
}

TEST_F(CheckFiles, EmptyNamesAreRefused) {
  EXPECT_EQ(refused({""}, {}), "DATA: the name of the file is empty");
  EXPECT_EQ(refused({}, {""}), "--out: the name of the file is empty; name one, or leave out --out");
}

TEST_F(CheckFiles, WhatCannotBeWrittenIsToldBeforeTheWork) {
  std::filesystem::create_symlink(folder / "none/x", folder / "link");
  EXPECT_EQ(refused({}, {folder / "link"}, ErrorKind::machine_limit),
            "link: cannot be written: No such file or directory");
  EXPECT_EQ(refused({}, {"/dev/fd/987"}, ErrorKind::machine_limit),
            "/dev/fd/987: cannot be written: Bad file descriptor");
}

TEST_F(CheckFiles, KeepsWhatIsReadUnasked) {
  folder.write("d.xml", "x");
  const VerbContext context = check({}, {folder / "./d.xml"});
  keep_input(context, "");
  EXPECT_EQ(folder.error_of([&] { keep_input(context, folder / "d.xml"); }, ErrorKind::usage),
            "./d.xml: would overwrite an input; choose another name");
}

}  // namespace
}  // namespace motet::verb_files_test
