// What a fit of judges leaves behind: a plain value, one record.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "motet/data/record.h"
#include "motet/judges/confusion/information.h"
#include "motet/judges/model_kinds.h"
#include "motet/judges/states/item_states.h"
#include "motet/judges/tied/dependence.h"

namespace motet::judges {

// Tables by hidden state; those of JudgesModel are then their means over the states and levels of a class.
struct ItemStates {
  StateShape shape;
  std::vector<double> parameters;  // see item_states.h
  // Pseudo votes that held judges to what they have in common: in how often they are right, and in what is said else.
  double right_strength = 0.0;
  double wrong_strength = 0.0;
};

// Everything needed to combine further votes and to add to the estimate later.
struct JudgesModel {
  static constexpr std::string_view kind = "judges";
  static constexpr int newest_version = 1;

  std::vector<std::string> classes;
  std::vector<std::string> judges;
  JudgeNoise noise = JudgeNoise::confusion;
  bool prior_known = false;
  std::vector<double> parameters;      // prior and tables, see confusion_em.h
  ConfusionPrior pseudo;               // what the estimate was smoothed with
  double vote_weight = 1.0;            // what a vote counts as, see hierarchy.h
  std::vector<double> statistics;      // expected counts behind it, see confusion_em.h
  std::vector<double> judge_votes;     // by judge: votes given
  std::vector<double> accuracy_votes;  // by judge: precision, see information.h
  std::vector<double> seen_accuracy;   // by judge: share of right votes among those given, where that is told; or empty
  double items = 0.0;
  std::optional<ErrorDependence> dependence;
  std::optional<ItemStates> states;
  JudgeNumbers by_judge;  // of a model of its own kind, see model_kinds.h

  std::size_t class_count() const { return classes.size(); }
  std::size_t judge_count() const { return judges.size(); }
  double prior(std::size_t y) const { return parameters[y]; }
  double cell(std::size_t judge, std::size_t said, std::size_t truth) const {
    return parameters[class_count() + (judge * class_count() + said) * class_count() + truth];
  }
  double accuracy(std::size_t judge) const { return accuracy_of(parameters, class_count(), judge); }
  const JudgeModelKind& model_kind() const { return judge_model_kinds()[static_cast<std::size_t>(noise)]; }
  bool is_table() const { return model_kind().fit == nullptr && !states; }
};

Record to_record(const JudgesModel& model);
JudgesModel judges_from_record(const Record& record);

}  // namespace motet::judges
