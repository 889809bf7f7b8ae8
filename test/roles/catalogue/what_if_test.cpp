#include "motet/roles/catalogue/what_if.h"

#include <gtest/gtest.h>

#include "data/bits.h"
#include "support/errors.h"

namespace motet::roles::what_if_test {
namespace {

using Numbers = std::vector<std::uint32_t>;

RoleCatalogue four_roles() {
  return {{"A", "B", "C", "D"}, bits_of({"1000", "0100", "0010", "0001"}), {{0, 3}, {1, 2}}};
}

TEST(WhatIf, RemovedRolesGoAndMergedOnesJoin) {
  const ChangedCatalogue changed = changed_catalogue(four_roles(), {{1}, {0, 2}});
  EXPECT_EQ(changed.catalogue.names, (std::vector<std::string>{"A + C", "D"}));
  EXPECT_EQ(changed.catalogue.permissions, bits_of({"1010", "0001"}));
  EXPECT_EQ(changed.now_at, (Numbers{0, ChangedCatalogue::gone, 0, 1}));
  EXPECT_EQ(changed.catalogue.never_with_one_user, (std::vector<NumberPair>{{0, 1}}));
  EXPECT_EQ(carried_assignments(bits_of({"1000", "0110", "0001", "0100"}), changed), bits_of({"10", "10", "01", "00"}));
}

TEST(WhatIf, ANameThatIsThereAlreadyGetsANumber) {
  RoleCatalogue catalogue = four_roles();
  catalogue.names[3] = "A + B";
  EXPECT_EQ(changed_catalogue(catalogue, {{}, {0, 1}}).catalogue.names,
            (std::vector<std::string>{"A + B", "C", "A + B (2)"}));
}

TEST(WhatIf, NoChangeChangesNothing) {
  const ChangedCatalogue same = changed_catalogue(four_roles(), {});
  EXPECT_EQ(same.catalogue.names, four_roles().names);
  EXPECT_EQ(same.catalogue.permissions, four_roles().permissions);
  EXPECT_EQ(same.catalogue.never_with_one_user, four_roles().never_with_one_user);
}

TEST(WhatIf, ContradictionsAreNamed) {
  const auto text = [](const CatalogueChange& change) {
    return error_of([&] { changed_catalogue(four_roles(), change); }, ErrorKind::usage);
  };
  EXPECT_EQ(text({{0}, {0, 1}}), "--remove and --merge: both name role 'A'");
  EXPECT_EQ(text({{}, {1, 2}}), "--merge: roles 'B' and 'C' must never share a user; they cannot become one");
  EXPECT_EQ(text({{0, 1, 2, 3}, {}}), "--remove: no role would be left");
}

TEST(WhatIf, EffectIsEveryCellThatChanges) {
  const ChangeEffect effect =
      effect_of(bits_of({"1100", "1100"}), bits_of({"1010", "1100"}), bits_of({"0101", "1100"}));
  EXPECT_EQ(effect.lost_cover, (std::vector<Holding>{{0, 0}}));
  EXPECT_EQ(effect.new_cover, (std::vector<Holding>{{0, 1}}));
  EXPECT_EQ(effect.not_granted, (std::vector<Holding>{{0, 2}}));
  EXPECT_EQ(effect.newly_granted, (std::vector<Holding>{{0, 3}}));
  EXPECT_EQ(effect.touched, Numbers{0});
}

}  // namespace
}  // namespace motet::roles::what_if_test
