// The main fit of every task adds over its items through the collective, always from where it was called: other
// processes can then take part, since all of them ask for the same sums in the same order.
#include <gtest/gtest.h>

#include <functional>
#include <thread>

#include "motet/judges/estimate.h"
#include "motet/judges/simulate.h"
#include "motet/multilabel/train.h"
#include "motet/roles/role_record.h"
#include "motet/superset/train.h"
#include "motet/temporal/fit.h"
#include "multilabel/training_cases.h"
#include "roles/mine_cases.h"
#include "superset/candidate_cases.h"
#include "temporal/row_cases.h"

namespace motet::collective_test {
namespace {

using judges::estimate_judges;
using judges::simulate_votes;
using judges::SimulateOptions;
using multilabel::drawn_items;
using multilabel::KnownItems;
using multilabel::train_multilabel;
using multilabel::trained_as;
using multilabel::TrainOptions;
using roles::chapter9;
using roles::Chapter9Sources;
using roles::mined;
using roles::PlantedAccess;
using roles::two_a_user;
using superset::easy_items;
using superset::SupersetMethod;
using superset::SupersetOptions;
using superset::train_superset;
using temporal::clustered_rows;
using temporal::fit_temporal;
using temporal::TemporalOptions;

class OrderedCollective final : public Collective {
 public:
  std::vector<double> sum(std::size_t task_count, std::size_t size, Threads threads,
                          const SumTask& task) const override {
    EXPECT_EQ(std::this_thread::get_id(), caller_) << "sums of two threads have no order";
    EXPECT_EQ(threads.collective, nullptr);
    ++asked;
    return sum_over_tasks(task_count, size, threads, task);
  }
  mutable std::size_t asked = 0;

 private:
  std::thread::id caller_ = std::this_thread::get_id();
};

void expect_asked(const std::function<Record(const RunContext&)>& fit) {
  const OrderedCollective collective;
  RunContext alone, together;
  alone.threads = {1};
  together.threads = {2, true, &collective, nullptr};
  const Record expected = fit(alone);
  EXPECT_EQ(fit(together), expected);
  EXPECT_GT(collective.asked, 0U);
}

TEST(FitsAskTheCollective, Judges) {
  judges::SimulateOptions made;
  made.items = 300;
  const Votes votes = judges::simulate_votes(made, Seed{3}).votes;
  expect_asked([&](const RunContext& run) { return to_record(judges::estimate_judges(votes, {}, run).model); });
}

TEST(FitsAskTheCollective, Roles) {
  const roles::PlantedAccess planted = roles::chapter9(roles::Chapter9Sources::overlapping, 0.3, 0.5, 5, 20);
  expect_asked([&](const RunContext& run) {
    return to_record(roles::mined(planted.access, 3, roles::two_a_user(), {}, run).model);
  });
}

TEST(FitsAskTheCollective, Superset) {
  const CandidateItems items = superset::easy_items(60);
  superset::SupersetOptions options{.components = 6, .restarts = 2, .folds = 2};
  for (const superset::SupersetMethod method :
       {superset::SupersetMethod::lsb_cmm, superset::SupersetMethod::logistic}) {
    options.method = method;
    expect_asked([&](const RunContext& run) { return to_record(superset::train_superset(items, options, run).model); });
  }
}

TEST(FitsAskTheCollective, Temporal) {
  const Features features = temporal::clustered_rows(900, 3, 2, 1.5, 8, 15);
  temporal::TemporalOptions options;
  options.radius = 3;
  options.max_iterations = 5;
  expect_asked([&](const RunContext& run) {
    return to_record(temporal::fit_temporal(features, 3, {}, {}, options, run).mixture);
  });
}

LabelledItems items_of(const TrainOptions& options) {
  const KnownItems drawn = drawn_items(options, 3, 2, 120, 11);
  LabelledItems items;
  items.features.columns = {"x1", "x2"};
  items.features.values = drawn.x;
  items.labels = {"a", "b", "c"};
  items.sets = drawn.index.sets.rows_of(drawn.index.of_row);
  return items;
}

// The statistics of label sets are held whole, and so are the parameters: only items are asked for.
TEST(FitsAskTheCollective, MultilabelForItemsAlone) {
  for (const multilabel::TrainOptions& options :
       {multilabel::trained_as(Family::gaussian, Combination::sum),
        multilabel::trained_as(Family::gamma, Combination::sum),
        multilabel::trained_as(Family::gaussian, Combination::sum, Covariance::full)}) {
    const LabelledItems items = items_of(options);
    const OrderedCollective collective;
    RunContext run;
    run.threads = {2, true, &collective, nullptr};
    const Record together = to_record(multilabel::train_multilabel(items, options, false, run).model);
    EXPECT_EQ(together, to_record(multilabel::train_multilabel(items, options, false, {}).model));
    EXPECT_LT(collective.asked, 10U);  // a sum for each step of the fit would be more
    EXPECT_GT(collective.asked, 0U);
  }
}

}  // namespace
}  // namespace motet::collective_test
