// A model made by hand, for tests of what is said of it and kept of it.
#pragma once

#include <vector>

#include "motet/superset/model.h"

namespace motet::superset {

// Of two classes and one feature, taken as it is: two members that are lines.
inline SupersetModel lines_model() {
  SupersetModel model;
  model.classes = {"no", "yes"};
  model.items = 10;
  model.preparation.columns = {"x"};
  for (const double slope : {2.0, -1.0}) {
    SupersetMember member;
    member.plan.method = SupersetMethod::clpl;
    member.linear = {1, 2, {0.0, slope, 0.5, 0.0}};
    model.members.push_back(member);
  }
  model.members[1].sharpness = 3.0;
  model.weights = {0.75, 0.25};
  model.sharpness = 2.0;
  model.credit = {1.0, 1.0};
  model.companions = {0.25, 0.5};
  model.scores = {{"clpl", -0.5, 0.125, 0.75}, {"clpl", -0.75, 0.25, 0.25}, {"average", -0.4375, 0.125, 1.0}};
  return model;
}

}  // namespace motet::superset
