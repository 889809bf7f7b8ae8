// What models say about items they have not seen: the one pass behind the choice of a way of
// training and behind calibration.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/labelled_items.h"
#include "motet/data/rows.h"
#include "motet/data/split.h"
#include "motet/multilabel/choice/thresholds.h"
#include "motet/multilabel/options.h"

namespace motet::multilabel {

struct HeldOutItems {
  bool fitted = true;                // in every fold
  std::string reason;                // why not, in the first fold where it is not
  std::vector<std::uint8_t> right;   // the likeliest of the observed sets is the true one
  std::vector<double> posterior;     // of the likeliest set
  std::vector<double> log_true;      // log posterior of the true set; -inf when the fold's training items lack it
  std::vector<double> log_evidence;  // log p(x)
  ThresholdCounts counts;            // where the ways' optimize is by label
};

// When trying must end. A way that no time is left for is not fitted; the first one always is.
struct Deadline {
  std::optional<std::chrono::steady_clock::time_point> at;
  bool is_over() const { return at && std::chrono::steady_clock::now() >= *at; }
};

// One for each way, of the `rows` of the items that `parts` splits. Parts are tasks, each with all ways that share a
// preparation: the features are prepared once for the largest number of components, and statistics are gathered once
// for each number. A label that is in no training item of a part is left out there. Finished tasks are kept in the
// run's checkpoint under the name of the stage.
std::vector<HeldOutItems> predict_held_out(const LabelledItems& items, Rows rows, std::span<const TrainOptions> ways,
                                           const Parts& parts, std::string_view stage, const RunContext& run,
                                           const Deadline& deadline = {});

}  // namespace motet::multilabel
