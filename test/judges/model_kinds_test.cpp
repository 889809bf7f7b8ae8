#include "motet/judges/model_kinds.h"

#include <gtest/gtest.h>

#include "motet/judges/confusion/confusion_em.h"

namespace motet::judges::model_kinds_test {
namespace {

TEST(ModelKinds, TablesStandWhereTheirNamesSay) {
  const std::vector<JudgeModelKind>& kinds = judge_model_kinds();
  EXPECT_EQ(kinds[static_cast<std::size_t>(JudgeNoise::symmetric)].name, "symmetric");
  EXPECT_EQ(kinds[static_cast<std::size_t>(JudgeNoise::confusion)].name, "confusion");
}

TEST(ModelKinds, AModelWithItsOwnFitCombinesVotesAndAppearsInTheHelp) {
  for (const JudgeModelKind& kind : judge_model_kinds()) {
    EXPECT_EQ(kind.fit == nullptr, kind.posterior == nullptr) << kind.name;
    EXPECT_NE(judge_model_help().find(kind.meaning), std::string::npos) << kind.name;
  }
}

TEST(ModelKinds, OnlyGladTellsItemsApart) { EXPECT_EQ(models_of_items(), "glad"); }

}  // namespace
}  // namespace motet::judges::model_kinds_test
