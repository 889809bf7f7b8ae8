#include "motet/discover/class_change.h"

#include <gtest/gtest.h>

#include "support/errors.h"

namespace motet::discover::class_change_test {
namespace {

Discovery search_with_classes() {
  Discovery discovery;
  discovery.mixture.columns = {"x"};
  discovery.mixture.classes = {"background", "forg", "owl", "frog"};
  for (const std::int32_t of_class : {0, 0, 1, 2, 3, -1}) {
    discovery.mixture.components.push_back({{0.0}, {1.0}, 0.1, of_class});
  }
  discovery.answers = {{1, AnswerKind::of_class, "forg"},
                       {2, AnswerKind::of_class, "frog"},
                       {3, AnswerKind::nothing, ""},
                       {4, AnswerKind::of_class, "owl"}};
  return discovery;
}

std::vector<std::int32_t> classes_of(const Discovery& discovery) {
  std::vector<std::int32_t> list;
  for (const Component& component : discovery.mixture.components) list.push_back(component.of_class);
  return list;
}

std::string refusal(const ClassChange& change) {
  Discovery discovery = search_with_classes();
  return error_of([&] { take_class_change(discovery, change); }, ErrorKind::usage);
}

TEST(ClassChange, ARenamedClassTakesItsAnswersAlong) {
  Discovery discovery = search_with_classes();
  take_class_change(discovery, {false, "owl", "tawny owl"});
  EXPECT_EQ(discovery.mixture.classes, (std::vector<std::string>{"background", "forg", "tawny owl", "frog"}));
  EXPECT_EQ(discovery.answers[3].class_name, "tawny owl");
  EXPECT_EQ(discovery.answers[0].class_name, "forg");
  EXPECT_EQ(classes_of(discovery), classes_of(search_with_classes()));
}

TEST(ClassChange, WhatWasTakenAlongGoesWithItsClass) {
  Discovery discovery = search_with_classes();
  discovery.carried.examples = {{"frog", {1.0}}, {"", {0.0}}, {"forg", {2.0}}};
  take_class_change(discovery, {true, "forg", "frog"});
  EXPECT_EQ(discovery.carried.examples[2].class_name, "frog");
  EXPECT_EQ(discovery.carried.examples[1].class_name, "");
}

TEST(ClassChange, AMergedClassLeavesItsComponentsToTheOther) {
  Discovery discovery = search_with_classes();
  take_class_change(discovery, {true, "forg", "frog"});
  EXPECT_EQ(discovery.mixture.classes, (std::vector<std::string>{"background", "owl", "frog"}));
  EXPECT_EQ(classes_of(discovery), (std::vector<std::int32_t>{0, 0, 2, 1, 2, -1}));
  EXPECT_EQ(discovery.answers[0].class_name, "frog");
  Discovery back = search_with_classes();
  take_class_change(back, {true, "frog", "forg"});
  EXPECT_EQ(classes_of(back), (std::vector<std::int32_t>{0, 0, 1, 2, 1, -1}));
}

TEST(ClassChange, ChangesThatCannotBe) {
  EXPECT_EQ(refusal({false, "hen", "cock"}), "class 'hen' is not there; the classes found are 'forg', 'owl', 'frog'");
  EXPECT_EQ(refusal({true, "owl", "hen"}), "class 'hen' is not there; the classes found are 'forg', 'owl', 'frog'");
  EXPECT_EQ(refusal({false, "background", "noise"}), "class 'background' stands for 'nothing here' and stays as it is");
  EXPECT_EQ(refusal({true, "background", "owl"}), "class 'background' stands for 'nothing here' and stays as it is");
  EXPECT_EQ(refusal({false, "owl", "background"}),
            "class 'owl' cannot be renamed to 'background', which stands for 'nothing here'; answer its items with "
            "--nothing");
  EXPECT_EQ(refusal({true, "owl", "background"}),
            "class 'owl' cannot be merged into 'background', which stands for 'nothing here'; answer its items with "
            "--nothing");
  EXPECT_EQ(refusal({false, "forg", "frog"}),
            "class 'frog' is there already; to make one class of both, use `motet discover merge` with 'forg' and "
            "'frog'");
  EXPECT_EQ(refusal({false, "owl", "owl"}), "class 'owl' has this name already");
  EXPECT_EQ(refusal({false, "owl", ""}), "class 'owl': its new name is empty");
  EXPECT_EQ(refusal({true, "owl", "owl"}), "class 'owl' cannot be merged into itself");
  Discovery discovery = search_with_classes();
  discovery.mixture.classes.resize(1);
  EXPECT_EQ(error_of(
                [&] {
                  take_class_change(discovery, {true, "owl", "frog"});
                },
                ErrorKind::usage),
            "class 'owl' is not there; none has been found yet");
}

TEST(ClassName, IsNotEndless) {
  check_class_name(std::string(1000, 'x'));
  EXPECT_EQ(error_of([&] { check_class_name(std::string(1001, 'x')); }, ErrorKind::usage),
            "a class name has 1001 bytes; there can be at most 1000");
}

TEST(ClassName, IsOneLineOfText) {
  check_class_name("Grasfrosch (männlich), \"rufend\"");
  for (const std::string name : {"a\tb", "a\nb", "a\rb",
                                 "a\x7F"
                                 "b",
                                 "a\x1B"
                                 "b"}) {
    EXPECT_EQ(error_of([&] { check_class_name(name); }, ErrorKind::usage),
              "class 'a b' has a tab, a line break or another control character; a class name is one line of text");
  }
}

}  // namespace
}  // namespace motet::discover::class_change_test
