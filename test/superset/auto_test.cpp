// auto on blobs that no straight line parts, with three false candidates an item.
#include <gtest/gtest.h>

#include "motet/superset/evaluate.h"
#include "motet/superset/predict.h"
#include "superset/candidate_cases.h"

namespace motet::superset::auto_test {
namespace {

TEST(SupersetAutoSlow, BlobsWithThreeFalseCandidatesAreTold) {
  BlobOptions blobs;
  blobs.items = 700;
  const CandidateItems items = simulate_candidates(simulate_blobs(blobs, Rng(Seed{1})), {1.0, 3, 0.0}, Rng(Seed{101}));
  std::vector<std::uint32_t> in, out;
  for (std::uint32_t n = 0; n < items.rows(); ++n) (n % 7 == 0 ? out : in).push_back(n);
  SupersetOptions options;
  options.folds = 2;
  const TrainedSuperset trained = train_superset(rows_of(items, in), options, {});
  const CandidateItems fresh = rows_of(items, out);
  EXPECT_GE(accuracy_of(predict(trained.model, fresh.features, {}, {1}).probability, fresh), 0.83);
}

}  // namespace
}  // namespace motet::superset::auto_test
