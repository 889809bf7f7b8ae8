#include "motet/multilabel/choice/learning_curve.h"

#include <fmt/format.h>

#include <cmath>

#include "motet/base/numeric.h"
#include "motet/base/streams.h"
#include "motet/engine/cross_fit.h"
#include "motet/measure/label_sets.h"
#include "motet/multilabel/choice/inner_run.h"

namespace motet::multilabel {
namespace {

constexpr double shares[] = {1.0 / 16, 1.0 / 8, 1.0 / 4, 1.0 / 2, 1.0};
constexpr std::size_t fewest_items = 10;

LabelledItems subset(const LabelledItems& train, double share, const RunContext& run) {
  if (share >= 1.0) return train;
  const double two[] = {share, 1.0 - share};
  return rows_of(
      train, stratified_parts(train.sets, two, whole_seed(run.seed, Stream::multilabel_evaluation_folds)).rows_of(0));
}

struct Collected {
  std::vector<double> errors;
  std::size_t failed = 0;
  std::size_t items = 0;
};

// One point for each share and method; `pairs` hands (train, test) pairs to a visitor.
template <class Pairs>
std::vector<LearningPoint> curve(const LearningCurveOptions& options, std::size_t test_items, const RunContext& run,
                                 std::vector<std::string>& warnings, const Pairs& pairs) {
  const std::vector<CurveMethod>& methods = options.methods;
  std::vector<LearningPoint> points;
  std::uint64_t number = 0;
  for (const double share : shares) {
    std::vector<Collected> collected(methods.size());
    pairs(share, [&](const LabelledItems& train, const LabelledItems& test) {
      const RunContext inner = inner_run(run, fmt::format("learning curve, {} items", train.rows()), ++number,
                                         Stream::multilabel_learning_curve);
      const LabelledItems part = subset(train, share, inner);
      if (part.rows() < fewest_items) return;
      for (std::size_t m = 0; m < methods.size(); ++m) {
        collected[m].items = part.rows();
        if (const std::optional<BitMatrix> sets = methods[m].decide(part, test, inner)) {
          collected[m].errors.push_back(label_set_quality(test.sets, *sets).error_rate);
        } else {
          ++collected[m].failed;
        }
      }
    });
    for (std::size_t m = 0; m < methods.size(); ++m) {
      const Collected& found = collected[m];
      if (found.failed > 0) {
        warnings.push_back(fmt::format("learning curve: {} could not be trained on {} of {} parts of {} items",
                                       methods[m].name, found.failed, found.failed + found.errors.size(), found.items));
      }
      if (found.errors.empty()) continue;
      const MeanSd over = mean_sd(found.errors);
      const double of_test = std::sqrt(over.mean * (1.0 - over.mean) / static_cast<double>(test_items));
      const double of_repeats = found.errors.size() > 1 ? over.error : 0.0;
      points.push_back({methods[m].name, found.items, over.mean, std::hypot(of_test, of_repeats)});
    }
  }
  return points;
}

}  // namespace

std::vector<LearningPoint> learning_curve(const LabelledItems& train, const LabelledItems& test,
                                          const LearningCurveOptions& options, const RunContext& run,
                                          std::vector<std::string>& warnings) {
  return curve(options, test.rows(), run, warnings, [&](double share, const auto& visit) {
    for (std::size_t r = 0; r < (share < 1.0 ? options.repeats : 1); ++r) visit(train, test);
  });
}

std::vector<LearningPoint> learning_curve(const LabelledItems& items, const Parts& parts,
                                          const LearningCurveOptions& options, const RunContext& run,
                                          std::vector<std::string>& warnings) {
  return curve(options, items.rows(), run, warnings, [&](double, const auto& visit) {
    cross_fit(parts, {}, run, [&](const HeldOutPart& part, const RunContext&) {
      visit(rows_of(items, part.seen), rows_of(items, part.unseen));
    });
  });
}

}  // namespace motet::multilabel
