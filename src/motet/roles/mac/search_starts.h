// The starts of the search, each a rounded model of its own: one role after the other,
// associations between permissions, rows of the data, and annealing.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "motet/roles/baselines/factorization.h"
#include "motet/roles/mac/kept_search.h"
#include "motet/roles/mac/search.h"

namespace motet::roles {

struct SearchStart {
  std::string name;
  RoleState state;
  std::optional<Factorization> factors =
      {};  // what it came from, in the data of the search, when a greedy method gave it
};

struct StartRules {
  std::size_t annealings = 4;
  const BitMatrix* previous = nullptr;  // roles x columns to begin with as well; may be null
};

// `told(done, total)` is called as starts are made. What is made is kept.
std::vector<SearchStart> search_starts(RoleSearch& search, std::size_t roles, const StartRules& rules,
                                       const RunContext& run, KeptSearch& kept,
                                       const std::function<void(double, double)>& told);

// One role after the other: the models of 1, 2, ... roles beside the kept ones.
std::vector<RoleState> growth_path(RoleSearch& search, std::size_t roles, Rng& rng);

// The whole search: starts, moves, and the best end first. Starts that were tried are told.
struct SearchResult {
  std::vector<SearchStart> ends;  // best objective first
};
SearchResult search_roles(RoleSearch& search, std::size_t roles, const StartRules& rules, const RunContext& run,
                          std::optional<KeptSearch> kept = {});

// The ends of a search with one role per user, which is a special case and costs little beside a search over all sets.
// They are states of `search`; their objective is that with one role.
std::vector<SearchStart> single_ends(RoleSearch& search, std::size_t roles, const StartRules& rules,
                                     const RunContext& run, std::optional<KeptSearch> kept = {});

}  // namespace motet::roles
