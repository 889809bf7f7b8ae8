// What is learnt from items that fits had not seen: whether candidates are weighed (companions.h), how
// sharp each member's scores are, the weights of an average (stack.h), its sharpness, and the quantiles
// of prediction sets. Every member is fitted on parts of the items and asked about the rest.
#pragma once

#include "motet/superset/model.h"

namespace motet::superset {

struct SupersetCalibration {
  std::vector<double> credit;     // what a candidate of each class counts
  std::vector<double> sharpness;  // of each member
  std::vector<double> weight;     // of each member; 0: left out
  double average_sharpness = 1.0;
  std::vector<MemberScore> scores;
  std::vector<double> companions;
  SetCalibration sets;
};

// Features of the items are prepared. Throws Error{interrupted} when cancelled; what was done by then is kept.
SupersetCalibration calibrate(std::span<const MemberPlan> plans, const CandidateItems& items,
                              const SupersetOptions& options, const RunContext& run);

}  // namespace motet::superset
