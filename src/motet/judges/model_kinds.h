// The ways judges may err, as --noise names them. `judge_model_kinds()` is the one list: a
// model is a line there, and its name, its help, its fit, its place in model files, what it
// says of judges and items, and how it combines votes all come from that line.
//
// The first two are the tables of confusion_em.h, which estimate.cpp fits in all its ways,
// two are the tables of states/item_states.h; the others bring a fit of their own and are
// told by one accuracy per judge beside their own numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "motet/base/interval.h"
#include "motet/base/run.h"
#include "motet/engine/em.h"
#include "motet/judges/vote_table.h"

namespace motet::judges {

struct ModelQuestion {
  const VoteTable& table;
  std::span<const double> known_prior;  // empty: estimated
  EmRule rule;
  double confidence;
  const RunContext& run;
  std::string_view stage;  // of checkpoints
};

// How hard an item is: 1 is the average, 2 is twice as hard.
struct ItemDifficulty {
  double difficulty = 1.0;
  Interval interval;
};

using JudgeNumbers = std::vector<std::vector<double>>;  // by JudgeModelKind::by_judge, then by judge

struct ModelAnswer {
  std::vector<double> prior;
  std::vector<double> accuracy;  // by judge
  JudgeNumbers by_judge;
  std::vector<double> accuracy_votes;      // precision, see information.h
  std::vector<double> prior_votes;         // by class, the same
  std::vector<ItemDifficulty> difficulty;  // by row of the table; empty: all alike
  FitSummary summary;
  double log_likelihood = 0.0;
  std::string start;  // where the fit began, in words
  std::vector<std::string> warnings;
};

// p(class | votes): fills the posterior, returns the log-likelihood of the votes.
using RowPosterior =
    std::function<double(std::span<const std::uint32_t> codes, std::int32_t known, std::span<double> posterior)>;

struct JudgeModelKind {
  std::string_view name;
  std::string_view meaning;                // for --help
  std::vector<std::string_view> by_judge;  // names of its own numbers, one of each per judge
  ModelAnswer (*fit)(const ModelQuestion&) = nullptr;
  RowPosterior (*posterior)(std::span<const double> prior, const JudgeNumbers& by_judge) = nullptr;
  bool has_states = false;  // the model keeps tables by hidden state, see states/item_states.h
};

const std::vector<JudgeModelKind>& judge_model_kinds();

std::vector<std::string_view> judge_model_names();
std::vector<std::string_view> judge_noise_names();  // these and "auto", as --noise takes them
std::string judge_model_help();
std::string models_of_items();  // names of those that tell items apart, "glad"

}  // namespace motet::judges
