#include "motet/app/discover/search_document.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/discover/search_cases.h"
#include "support/texts.h"

namespace motet::discover::search_document_test {
namespace {

ToldItem asked() { return {11, "12", "noon.wav", 5, true, 0.5, 0.75, "odd", 0, -3.0}; }

TEST(SearchDocument, TellsWhatToLookAtNext) {
  DiscoverStatus status = Found().status();
  status.next = {asked()};
  const Document document = next_document(status);
  EXPECT_EQ(document.text,
            "item  where                        why\n"
            "12    0.5 s to 0.75 s of noon.wav  odd\n");
  EXPECT_EQ(document.json.at("items").as_list()[0], Value::object({{"item", "12"},
                                                                   {"row", 12},
                                                                   {"recording", "noon.wav"},
                                                                   {"begin", 0.5},
                                                                   {"end", 0.75},
                                                                   {"why", "odd"},
                                                                   {"component", 1},
                                                                   {"log_density", -3.0}}));
}

TEST(SearchDocument, LeavesOutWhatAnItemDoesNotHave) {
  DiscoverStatus status = Found().status();
  ToldItem item = asked();
  item.has_time = false;
  item.recording = "";
  item.component = -1;
  status.next = {item};
  EXPECT_EQ(place_of(item), "row 6");
  EXPECT_EQ(next_document(status).json.at("items").as_list()[0],
            Value::object({{"item", "12"}, {"row", 12}, {"why", "odd"}}));
}

TEST(SearchDocument, ClassesForPeopleHaveAlsoWhatNobodyCouldTell) {
  const Document document = status_document(Found().status(), nullptr);
  expect_in(document.text, {"class       answers  first\n"
                            "background        1      2\n"
                            "bird              1      1\n"
                            "(not sure)        1\n"});
  ASSERT_EQ(document.json.at("classes").as_list().size(), 2U);
  EXPECT_EQ(document.json.at("classes").as_list()[1],
            Value::object({{"class", "bird"}, {"answers", 1}, {"first_answer", 1}}));
  EXPECT_TRUE(document.sections.empty());
}

TEST(SearchDocument, FactsCountTheAnswersThatHold) {
  Found found;
  found.discovery.mixture.classes.push_back("spare");
  found.discovery.answers.push_back({8, AnswerKind::nothing, ""});
  const Document document = found.document();
  EXPECT_EQ(document.facts[0], (std::pair<std::string, std::string>("classes found", "1")));
  EXPECT_EQ(document.facts[1], (std::pair<std::string, std::string>("answers", "3")));
}

TEST(SearchDocument, SaysWhenNothingIsLeft) {
  DiscoverStatus status = Found().status();
  status.certificate.complete = true;
  EXPECT_EQ(next_document(status).text, "Nothing is left to ask. Nothing that lasts 0.5 s or longer is left.\n");
  EXPECT_TRUE(start_document(status, nullptr)
                  .text.starts_with("birds.motet: 12 rows of 2 features in 2 recordings, 1.5 s; strategy temporal\n"));
}

}  // namespace
}  // namespace motet::discover::search_document_test
