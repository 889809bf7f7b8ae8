// An estimate of judges, told once.
#pragma once

#include <string>
#include <vector>

#include "motet/judges/estimate.h"
#include "motet/report/document.h"

namespace motet::judges {

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
  std::vector<DisputedItem> disputed = {};  // most doubtful first
  double disputed_share = 0.0;              // of all items, with less than 0.9 for the best class
  std::vector<double> gold_accuracy = {};   // by judge, on items of known class; NaN without; may be empty
  const NameList* item_names = nullptr;     // needed where the fit tells difficulties
};

// The JSON grows with judges times classes squared; it can be left out.
Document judges_document(const JudgesReport& report, bool has_json = true);

// Items labelled by a model that is at hand: `labels` counts them by label.
Document labels_document(const JudgesReport& report, const std::vector<std::string>& warnings, const Listing& labels);

}  // namespace motet::judges
