#include "motet/judges/states/choose.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "motet/base/error.h"
#include "motet/judges/confusion/fit.h"

namespace motet::judges {
namespace {

constexpr std::size_t most_compared_votes = 300'000;
constexpr double most_numbers = 2e7;  // of the tables with levels
constexpr std::size_t trial_steps = 40;
constexpr double trial_tolerance = 1e-4;
constexpr double votes_for_subtypes = 4.0;  // per item; with fewer nothing tells subtypes from chance
constexpr double clear_errors_ahead = 2.0;  // standard errors that count as clear
constexpr std::array<std::size_t, 2> subtype_counts = {3, 6};

// Every so many-th item.
Votes some_items(const Votes& votes, std::size_t step) {
  Votes some;
  some.judges = votes.judges;
  some.classes = votes.classes;
  some.starts.push_back(0);
  for (std::size_t i = 0; i < votes.item_count(); i += step) {
    some.items.push_back(votes.items[i]);
    const auto codes = votes.of_item(i);
    some.codes.insert(some.codes.end(), codes.begin(), codes.end());
    some.starts.push_back(static_cast<std::uint32_t>(some.codes.size()));
    if (!votes.known.empty()) some.known.push_back(votes.known[i]);
  }
  return some;
}

FittingWay subtypes_way(std::size_t per_class) {
  return {fmt::format("{} subtypes of items per class", per_class), JudgeNoise::subtypes, {per_class, {0.0}}, 0.0};
}

std::vector<FittingWay> all_subtypes() { return {subtypes_way(subtype_counts[0]), subtypes_way(subtype_counts[1])}; }

std::vector<FittingWay> all_ways(const VoteTable& table) {
  std::vector<FittingWay> ways = {{"tables around a common centre", JudgeNoise::shared, {1, {0.0}}, 0.0}};
  if (shared_options(table).levels.size() > 1) {
    ways.push_back({"tables around a common centre, hard items", JudgeNoise::shared, shared_options(table), 0.0});
  }
  const double votes = static_cast<double>(table.codes.size());
  if (table.class_count == 2 && votes >= votes_for_subtypes * static_cast<double>(table.row_count())) {
    for (FittingWay& way : all_subtypes()) ways.push_back(std::move(way));
  }
  ways.push_back({"tables with one pseudo vote per cell", JudgeNoise::confusion, {}, 1.0});
  ways.push_back({"one accuracy per judge", JudgeNoise::symmetric, {}, 1.0});
  return ways;
}

// log p of held votes by item; empty when the run was stopped.
std::vector<double> try_way(const HeldVotes& held, const VoteTable& table, const FittingWay& way,
                            const std::vector<double>& known_prior, const RunContext& run) {
  if (way.noise == JudgeNoise::shared || way.noise == JudgeNoise::subtypes) {
    const StateFit fit = learn_states(table, way.states, known_prior, run);
    return fit.result.summary.stop == Stop::interrupted ? std::vector<double>{} : foreseen(held, fit);
  }
  ConfusionSpec spec;
  spec.noise = way.noise;
  spec.known_prior = known_prior;
  spec.prior.cells.assign(table.class_count * table.class_count, way.smoothing);
  const EmResult result = run_em(confusion_problem(table, spec), vote_share_start(table, spec),
                                 {trial_steps, trial_tolerance, 1.0, true}, unheard(run));
  return result.summary.stop == Stop::interrupted ? std::vector<double>{} : foreseen(held, result.parameters);
}

// Way by way, from the plainest: one that is clearly ahead of the best so far takes its place.
std::size_t best_of(const HeldVotes& held, const std::vector<std::vector<double>>& by_item) {
  std::size_t best = 0;
  for (std::size_t w = 1; w < by_item.size(); ++w) {
    const Foresight ahead = advantage(held, by_item[w], by_item[best]);
    if (ahead.mean > clear_errors_ahead * ahead.error) best = w;
  }
  return best;
}

WayChoice compare_ways(const Votes& votes, std::vector<FittingWay> ways, const std::vector<double>& known_prior,
                       const RunContext& run) {
  const std::size_t step = 1 + votes.vote_count() / most_compared_votes;
  const HeldVotes held = hold_out(step == 1 ? votes : some_items(votes, step));
  const VoteTable table = make_vote_table(held.shown);
  WayChoice choice;
  choice.items = held.shown.item_count();
  std::vector<std::vector<double>> by_item;
  for (FittingWay& way : ways) {
    by_item.push_back(try_way(held, table, way, known_prior, run));
    if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while comparing ways of fitting");
    choice.ways.push_back({std::move(way), advantage(held, by_item.back()), {}});
  }
  choice.best = best_of(held, by_item);
  for (std::size_t w = 0; w < choice.ways.size(); ++w) {
    if (w != choice.best) choice.ways[w].behind = advantage(held, by_item[choice.best], by_item[w]);
  }
  return choice;
}

}  // namespace

StateOptions shared_options(const VoteTable& table) {
  const double numbers = static_cast<double>(table.judge_count) * static_cast<double>(table.class_count) *
                         static_cast<double>(table.class_count) * static_cast<double>(usual_levels().size());
  return {1, numbers <= most_numbers ? usual_levels() : std::vector<double>{0.0}};
}

WayChoice choose_way(const Votes& votes, const VoteTable& table, const std::vector<double>& known_prior,
                     const RunContext& run) {
  return compare_ways(votes, all_ways(table), known_prior, run);
}

WayChoice choose_subtypes(const Votes& votes, const std::vector<double>& known_prior, const RunContext& run) {
  return compare_ways(votes, all_subtypes(), known_prior, run);
}

}  // namespace motet::judges
