// What a person should be told about single judges: always the same answer, worse
// than chance, copies of each other.
#pragma once

#include <string>
#include <vector>

#include "motet/judges/baselines/agreement.h"
#include "motet/judges/estimate.h"

namespace motet::judges {

struct JudgePair : SharedVotes {
  double expected = 0.0;  // agreements that two independent judges of this kind would have
  double z = 0.0;         // standard deviations between the two
};

struct JudgeFindings {
  std::vector<std::size_t> constant;
  std::vector<std::size_t> worse_than_chance;
  std::vector<JudgePair> copies;      // nearly always agree, far more often than expected
  std::vector<JudgePair> alike;       // agree far more often than expected, though not always; most striking first
  std::vector<std::string> warnings;  // the same in sentences
};

JudgeFindings find_oddities(const VoteTable& table, const NameList& judges, const NameList& classes,
                            const JudgesFit& fit);

}  // namespace motet::judges
