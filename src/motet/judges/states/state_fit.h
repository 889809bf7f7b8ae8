// The fit of item_states.h, and what it learns before: the rows that judges have in common and how strongly
// each judge is held to them.
//
// In a few rounds of some steps each (learn_states), the rows become m_zc ~ 2 u_zc + sum_j n_jzc, with u a row that is
// right 6 times in 10. The strengths s and t are those of 1, 2, 4, ... 128 pseudo votes under which the expected votes
// are likeliest (Dirichlet-multinomial rows, with a log-normal prior around 4). Then all of these stand still, and
// the last fit climbs one objective to its end (finish_states).
#pragma once

#include <string_view>
#include <vector>

#include "motet/judges/states/item_states.h"

namespace motet::judges {

struct StateFit {
  StateSpec spec;
  EmResult result;
  double log_likelihood() const { return result.statistics[0]; }
};

struct StateOptions {
  std::size_t per_class = 1;
  std::vector<double> levels = {0.0};
};

// The levels that items are given where hard items are looked for.
std::vector<double> usual_levels();

// The rounds only, from the shares of votes on each item. An empty known prior is estimated.
StateFit learn_states(const VoteTable& table, const StateOptions& options, const std::vector<double>& known_prior,
                      const RunContext& run);
// On from there to the end of the climb.
StateFit finish_states(const VoteTable& table, StateFit learnt, const EmRule& rule, const RunContext& run,
                       std::string_view stage = {});

// The same spec with the strengths under which expected votes, laid out as the statistics, are likeliest.
StateSpec with_likeliest_strengths(StateSpec spec, std::span<const double> statistics);

}  // namespace motet::judges
