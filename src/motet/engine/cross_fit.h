// Cross-fitting: for each part of the rows a fit on the others, asked about the part. Nothing is copied: a fit gets
// two views. It runs on threads of the run, looks at cancellation between parts, and keeps what is finished.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "motet/base/run.h"
#include "motet/data/split.h"
#include "motet/engine/kept_tasks.h"

namespace motet {

struct HeldOutPart {
  std::size_t round = 0;  // how often this part was held out before
  std::size_t part = 0;
  std::span<const std::uint32_t> seen;    // rows to fit on, rising
  std::span<const std::uint32_t> unseen;  // rows of the part, rising; never empty: parts without rows are passed over
};

struct CrossFitRule {
  std::string_view doing = {};  // "calibrating", for an interruption; empty: only the fits look at cancellation
  std::string_view unit = {};   // of the progress told after each fit, such as "fits"; empty: none is told
  std::size_t rounds = 1;       // every part is held out so often, such as once for each way that is tried
  // Fits at a time. With one they follow each other and each has all threads; with more each has one thread, and what
  // they copy is there as often. The result is the same.
  std::size_t at_a_time = 1;
};

// `fit` returns numbers, -inf but not NaN among them, that `take` puts where they belong; `take` must bear other parts
// at the same time. Tasks of `kept` are numbered from `first_task` on, round after round. The run that `fit` gets keeps
// nothing. Throws Error{interrupted} when cancelled, after keeping what is finished.
using FitPart = std::function<std::vector<double>(const HeldOutPart& part, const RunContext& run)>;
using TakePart = std::function<void(const HeldOutPart& part, std::span<const double> numbers)>;
void cross_fit(const Parts& parts, const CrossFitRule& rule, const RunContext& run, KeptTasks& kept,
               std::size_t first_task, const FitPart& fit, const TakePart& take);

// Where nothing is kept, and `fit` puts its results where they belong itself.
using FitWhole = std::function<void(const HeldOutPart& part, const RunContext& run)>;
void cross_fit(const Parts& parts, const CrossFitRule& rule, const RunContext& run, const FitWhole& fit);

}  // namespace motet
