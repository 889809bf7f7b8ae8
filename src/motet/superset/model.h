// A trained classifier from candidates: how features are prepared, its members and their weights,
// what made the choice, and what prediction sets need.
//
// p(l | x) = softmax(sharpness log sum_m w_m softmax(s_m g_m(x)))_l.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "motet/data/preparation.h"
#include "motet/data/record.h"
#include "motet/superset/member.h"

namespace motet::superset {

// How well a member foresaw candidates of items it had not seen.
struct MemberScore {
  std::string name;
  double log_likelihood = 0.0;  // mean over items of log sum_l M_nl p_nl
  double error = 0.0;           // its standard error
  double weight = 0.0;          // in the average

  bool operator==(const MemberScore&) const = default;
};

// Quantiles of 1 - p of the right label among items that were not seen, where the right label is
// spread over the candidates as the model thinks (predict.h says what that promises).
struct SetCalibration {
  std::size_t items = 0;
  std::vector<double> quantile;  // at levels 0, 1/1000, ..., 1; rising

  bool operator==(const SetCalibration&) const = default;
};

struct SupersetModel {
  std::vector<std::string> classes;
  std::vector<std::string> never;  // classes no training item had as a candidate
  std::size_t items = 0;           // of the training
  Preparation preparation;
  SupersetOptions options;
  std::vector<SupersetMember> members;
  std::vector<double> weights;      // >= 0, sum 1, one per member
  double sharpness = 1.0;           // of the average
  std::vector<double> credit;       // what a candidate of each class counts; all 1 where they are equal
  std::vector<double> companions;   // how often each class is a candidate of an item of another
  std::vector<MemberScore> scores;  // of all that were tried; the last is the average, when there are several
  SetCalibration sets;

  std::size_t dimensions() const { return preparation.outputs(); }
  bool is_weighed() const {
    return std::any_of(credit.begin(), credit.end(), [](double c) { return c != 1.0; });
  }
};

Record to_record(const SupersetModel& model);
SupersetModel superset_from_record(const Record& record);

}  // namespace motet::superset
