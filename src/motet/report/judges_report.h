// An estimate of judges told to a terminal, to machines and to a browser. Nothing is
// computed here.
#pragma once

#include <string>
#include <vector>

#include "motet/data/value.h"
#include "motet/judges/estimate.h"
#include "motet/report/page.h"

namespace motet {

// An item on which the judges leave doubt.
struct DisputedItem {
  std::string item;
  std::string label;
  double probability = 0.0;
  std::string runner_up;
  double runner_up_probability = 0.0;
  std::string votes;  // "ann: yes, bob: no"
};

struct JudgesReport {
  const JudgesFit& fit;
  std::string source;  // file the votes came from
  std::size_t items = 0;
  std::size_t votes = 0;
  std::size_t gold = 0;  // items of known class
  double confidence = 0.95;
  std::vector<DisputedItem> disputed;  // most doubtful first
  double disputed_share = 0.0;         // of all items, with less than 0.9 for the best class
  std::vector<double> gold_accuracy;   // by judge, on items of known class; NaN without; may be empty
};

std::string judges_text(const JudgesReport& report);
Value judges_json(const JudgesReport& report);
Page judges_page(const JudgesReport& report);

// Items labelled by a model that is at hand: `labels` counts them by label.
Page labels_page(const JudgesReport& report, const std::vector<std::string>& warnings, const Table& labels);

}  // namespace motet
