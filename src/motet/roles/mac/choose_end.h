// Which end of a search the fit on all users goes on from, and whether its roles are yes/no or probabilities.
//
// Of the ends as yes/no roles the best on all users stays, unless one near it predicts a fifth of the users better.
// Roles as probabilities contain them, so that they are likelier on the users they are fitted to. Unless the best end
// as probabilities predicts that fifth worse, they are fitted from several ends (soft_starts.h); the likeliest wins
// unless users held out, each once, are predicted better by the yes/no roles, or it leaves more wrong cells, read as
// yes and no, than both the yes/no roles and the greedy method.
#pragma once

#include <vector>

#include "motet/roles/mac/mac_setting.h"
#include "motet/roles/mac/search_starts.h"

namespace motet::roles {

// The users that were searched, and what was found of them.
struct SearchedUsers {
  Access access;
  MergedMatrix data;
  std::vector<SearchStart> ends;    // the best objective first
  std::vector<SearchStart> single;  // of a search with one role per user, with the sets of the others
};

struct ChosenEnd {
  bool rounded = true;
  std::vector<double> parameters;  // of the shape on all users
  std::vector<StartTrial> starts;  // those of `ends`, then the best one as probabilities, if there is one
  std::size_t winner = 0;          // of the starts
};

ChosenEnd choose_end(const MacSetting& setting, const MergedMatrix& all, const SearchedUsers& users);

}  // namespace motet::roles
