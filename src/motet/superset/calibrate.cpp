#include "motet/superset/calibrate.h"

#include <algorithm>
#include <cmath>

#include "motet/base/numeric.h"
#include "motet/base/streams.h"
#include "motet/engine/cross_fit.h"
#include "motet/superset/companions.h"
#include "motet/superset/predict.h"
#include "motet/superset/stack.h"

namespace motet::superset {
namespace {

constexpr double least_member_weight = 0.01;  // of a member that is kept
constexpr double power_to_learn = 0.5;        // of companions' rates, where candidates are weighed (companions.h)
constexpr double errors_to_weigh = 2.0;       // by which held-out sets must be likelier then
constexpr double least_gain = 0.01;           // of the logarithm per set; below it rates are as good as equal
constexpr int turns = 3;                      // of rates and what goes by them

// Fits of parts of the items, asked about the rest.
class HeldOut {
 public:
  HeldOut(const CandidateItems& items, const SupersetOptions& options, const RunContext& run)
      : x_(items.features.values),
        dimensions_(items.features.dimensions()),
        options_(options),
        run_(run),
        kept_(run, "superset"),
        parts_(random_parts(items.rows(), options.folds, stream(run.seed, Stream::superset_calibration_folds))) {}

  // Scores of every row from fits that did not see it.
  std::vector<double> scores(const MemberPlan& plan, const EvidenceMatrix& evidence) {
    const std::size_t classes = evidence.classes;
    const std::string doing = "fitting " + name_of(plan);
    std::vector<double> g(evidence.values.size());
    cross_fit(
        parts_, {doing}, run_, kept_, fits_,
        [&](const HeldOutPart& part, const RunContext& run) { return scores_of_part(plan, evidence, part, run); },
        [&](const HeldOutPart& part, std::span<const double> scores) {
          for (std::size_t i = 0; i < part.unseen.size(); ++i) {
            std::copy_n(scores.data() + i * classes, classes, g.data() + part.unseen[i] * classes);
          }
        });
    fits_ += parts_.count;
    return g;
  }

 private:
  std::vector<double> scores_of_part(const MemberPlan& plan, const EvidenceMatrix& evidence, const HeldOutPart& part,
                                     const RunContext& run) const {
    const SupersetMember member = fit_member(plan, rows_of(evidence, part.seen), pick_rows(x_, dimensions_, part.seen),
                                             dimensions_, options_, run)
                                      .member;
    return member_scores(member, pick_rows(x_, dimensions_, part.unseen), dimensions_, run.threads);
  }

  std::span<const double> x_;
  std::size_t dimensions_;
  const SupersetOptions& options_;
  const RunContext& run_;
  KeptTasks kept_;
  std::size_t fits_ = 0;  // in a fixed order
  Parts parts_;
};

// Evidence to judge probabilities by: candidates by the rates of companions that go with them.
EvidenceMatrix judging(const EvidenceMatrix& plain, std::span<const double> p) {
  return credited(plain, credits(fit_companions(plain, p).rate, 1.0));
}

double judged_sharpness(const EvidenceMatrix& plain, std::span<const double> g) {
  double sharpness = 1.0;
  for (int turn = 0; turn < turns; ++turn) {
    sharpness = fit_sharpness(judging(plain, sharpened(g, plain.classes, sharpness)), g);
  }
  return sharpness;
}

std::vector<double> judged_weights(const EvidenceMatrix& plain, std::span<const std::vector<double>> members) {
  std::vector<double> weight(members.size(), 1.0 / static_cast<double>(members.size()));
  for (int turn = 0; turn < turns && members.size() > 1; ++turn) {
    weight = fit_stack(judging(plain, weighted_average(weight, members)), members).weight;
  }
  double kept = 0.0;
  for (double& w : weight) kept += w = w < least_member_weight ? 0.0 : w;
  for (double& w : weight) w /= kept;
  return weight;
}

MemberScore score_of(std::string name, const EvidenceMatrix& plain, std::span<const double> p, double weight) {
  const MeanSd mean = mean_sd(companion_log_likelihoods(plain, p, fit_companions(plain, p).rate));
  return {std::move(name), mean.mean, mean.error, weight};
}

// Scores of rows not seen after learning from plain and from weighed candidates: whether sets are likelier
// then beyond doubt, and the scores of the better way.
struct Weighing {
  bool is_better = false;
  std::vector<double> scores;
};

Weighing weigh(HeldOut& held_out, const MemberPlan& plan, const EvidenceMatrix& plain, const EvidenceMatrix& weighed) {
  std::vector<std::vector<double>> found;
  std::vector<double> scores[2];
  for (const bool is_weighed : {false, true}) {
    std::vector<double>& g = scores[is_weighed ? 1 : 0];
    g = held_out.scores(plan, is_weighed ? weighed : plain);
    const std::vector<double> p = sharpened(g, plain.classes, judged_sharpness(plain, g));
    found.push_back(companion_log_likelihoods(plain, p, fit_companions(plain, p).rate));
  }
  std::vector<double> gain = std::move(found[1]);
  for (std::size_t n = 0; n < gain.size(); ++n) gain[n] -= found[0][n];
  const MeanSd mean = mean_sd(gain);
  const bool is_better = mean.mean > std::max(least_gain, errors_to_weigh * mean.error);
  return {is_better, std::move(scores[is_better ? 1 : 0])};
}

}  // namespace

SupersetCalibration calibrate(std::span<const MemberPlan> plans, const CandidateItems& items,
                              const SupersetOptions& options, const RunContext& run) {
  SupersetCalibration result;
  const std::size_t classes = items.classes.size();
  const EvidenceMatrix plain = evidence_of(items, options.outside_probability);
  HeldOut held_out(items, options, run);

  result.credit = credits(even_companion_rates(plain), power_to_learn);
  Weighing weighing{options.companions == CompanionRule::weighed, {}};
  if (options.companions == CompanionRule::automatic && options.method == SupersetMethod::automatic) {
    if (run.observer) run.observer({"weighing candidates", 0.0, static_cast<double>(plans.size()), "methods"});
    weighing = weigh(held_out, plans.front(), plain, credited(plain, result.credit));
  }
  if (!weighing.is_better) result.credit.assign(classes, 1.0);
  const EvidenceMatrix evidence = credited(plain, result.credit);

  std::vector<std::vector<double>> unseen;
  for (const MemberPlan& plan : plans) {
    if (run.observer) {
      run.observer({"trying " + name_of(plan), static_cast<double>(unseen.size()), static_cast<double>(plans.size()),
                    "methods"});
    }
    const bool is_known = unseen.empty() && !weighing.scores.empty();
    const std::vector<double> g = is_known ? std::move(weighing.scores) : held_out.scores(plan, evidence);
    result.sharpness.push_back(judged_sharpness(plain, g));
    unseen.push_back(sharpened(g, classes, result.sharpness.back()));
  }

  result.weight = judged_weights(plain, unseen);
  for (std::size_t m = 0; m < plans.size(); ++m) {
    result.scores.push_back(score_of(name_of(plans[m]), plain, unseen[m], result.weight[m]));
  }
  std::vector<double> average = weighted_average(result.weight, unseen);
  if (plans.size() > 1) {
    const std::vector<double> g = log_scores(average);
    result.average_sharpness = judged_sharpness(plain, g);
    average = sharpened(g, classes, result.average_sharpness);
    result.scores.push_back(score_of("average", plain, average, 1.0));
  }
  result.companions = fit_companions(plain, average).rate;
  result.sets = calibrate_sets(credited(plain, credits(result.companions, 1.0)), average);
  return result;
}

}  // namespace motet::superset
