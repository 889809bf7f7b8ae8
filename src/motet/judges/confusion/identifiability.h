// Can these votes answer the question at all? Asked before the fit.
//
// Errata E14, E18 and E19 of the document: with an unknown or uniform class prior a
// judge can be measured only on items that two others have judged too; a full
// confusion table always needs that; a symmetric judge with a known, unequal prior
// needs nobody else. Known labels (gold) take the place of the others.
#pragma once

#include <string>
#include <vector>

#include "motet/judges/confusion/confusion_em.h"

namespace motet::judges {

struct Identifiability {
  std::string refusal;                    // empty: go ahead
  std::vector<std::size_t> undetermined;  // judges the votes say nothing of
  std::vector<std::string> warnings;
};

Identifiability check_identifiable(const VoteTable& table, const ConfusionSpec& spec, bool separately,
                                   const NameList& judges);

// Throws Error{usage} when an item is known to be of a class that the prior rules out.
void check_known_classes(const Votes& votes, std::span<const double> known_prior);

// "'ann', 'bob' and 3 more"
std::string name_some(const std::vector<std::size_t>& which, const NameList& names);

}  // namespace motet::judges
