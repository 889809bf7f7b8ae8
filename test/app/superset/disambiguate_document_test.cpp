#include "motet/app/superset/disambiguate_document.h"

#include <gtest/gtest.h>

namespace motet::superset::disambiguate_document_test {
namespace {

TEST(DisambiguateReport, IsOneLineAndTheWarnings) {
  const Document document = disambiguate_document({12, 0.87654, {"something is odd"}});
  EXPECT_EQ(document.text,
            "12 items; mean probability of the likeliest candidate 0.877\n"
            "warning: something is odd\n");
  EXPECT_EQ(document.json.at("items").as_whole(), 12);
  EXPECT_EQ(document.json.at("mean_probability").as_number(), 0.87654);
  EXPECT_EQ(document.json.at("warnings").as_list().at(0).as_text(), "something is odd");
}

}  // namespace
}  // namespace motet::superset::disambiguate_document_test
