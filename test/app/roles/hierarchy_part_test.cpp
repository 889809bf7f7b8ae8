#include "motet/app/roles/hierarchy_part.h"

#include <gtest/gtest.h>

#include "data/bits.h"

namespace motet::roles::hierarchy_part_test {
namespace {

TEST(HierarchyPart, TellsWhatContainsWhat) {
  const Document part = hierarchy_part(role_hierarchy(bits_of({"111", "110", "001", "110"})), {"A", "B", "C", "D"});
  EXPECT_EQ(part.text,
            "hierarchy: 1 role contains others, 1 role is the same as another\n"
            "role  contains  same as\n"
            "A     B, C\n"
            "D               B\n");
  EXPECT_EQ(part.json.as_list()[0].at("contains"), Value::list({"B", "C"}));
  EXPECT_TRUE(part.json.as_list()[0].at("same_as").is_null());
  EXPECT_EQ(part.json.as_list()[1].at("same_as").as_text(), "B");
  ASSERT_EQ(part.sections.size(), 1U);
  EXPECT_EQ(part.sections[0].plots.size(), 1U);
}

TEST(HierarchyPart, IsEmptyWhereNoRoleContainsAnother) {
  const Document part = hierarchy_part(role_hierarchy(bits_of({"110", "011"})), {"A", "B"});
  EXPECT_EQ(part.text, "");
  EXPECT_TRUE(part.sections.empty());
  EXPECT_EQ(part.json.as_list().size(), 0U);
}

TEST(HierarchyPart, EqualRolesAloneNeedNoDiagram) {
  const Document part = hierarchy_part(role_hierarchy(bits_of({"110", "110"})), {"A", "B"});
  EXPECT_TRUE(part.text.starts_with("hierarchy: 0 roles contain others, 1 role is the same as another\n")) << part.text;
  EXPECT_TRUE(part.sections[0].plots.empty());
}

}  // namespace
}  // namespace motet::roles::hierarchy_part_test
