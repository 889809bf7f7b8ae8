// Real votes: figure 10 (RTE and TEMP) and the default on six public sets.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "experiments/agreement.h"
#include "experiments/judges/figures.h"
#include "experiments/judges/labels.h"
#include "experiments/judges/majority.h"
#include "experiments/judges/numbered_votes.h"
#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/io/gold_csv.h"
#include "motet/io/votes_csv.h"
#include "motet/judges/combine.h"
#include "motet/judges/confusion/confusion_em.h"
#include "motet/judges/estimate.h"
#include "motet/report/line_plot.h"

namespace motet::judges {

namespace {

struct PublicSet {
  Votes votes;                      // without gold, as the estimate sees them
  std::vector<std::int32_t> truth;  // by item
};

PublicSet read_set(const ExperimentContext& context, const std::string& name) {
  const std::string folder = data_folder(context, "judges/" + name);
  // One of the sets has judges who voted twice on an item; the first vote counts.
  PublicSet set{read_votes(folder + "/votes.csv", {VotesLayout::automatic, ',', RepeatedVotes::first}, context.run),
                {}};
  read_gold(folder + "/gold.csv", set.votes);
  set.truth = std::move(set.votes.known);
  set.votes.known.clear();
  return set;
}

// --- figure 10 --------------------------------------------------------------------

struct Annotators {
  std::string set;
  std::array<std::string_view, 5> names;
  std::vector<double> prior;  // of the whole set, as the document takes it
  std::array<std::size_t, 3> sizes;
  std::array<double, 3> reference;  // k = 5, mean absolute error
  std::array<double, 5> published;  // accuracies printed in the document
};

const std::array<Annotators, 2> figure_10 = {{
    {"rte",
     {"AEX5NCH03LWSG", "A15L6WGIK3VU7N", "AXBQF8RALCIGV", "A11GX90QFWDLMM", "A1Q4VUJBMY78YR"},
     {0.5, 0.5},
     {20, 60, 100},
     {.132, .062, .056},
     {.85, .92, .58, .50, .51}},
    {"temp",
     {"AYHHOK9GDSWNH", "AUPV5WJK85K4F", "A3G0MGLBT484I1", "A3PIXX8DQGYHGI", "A18WNE09USHJSG"},
     {0.56, 0.44},
     {20, 100, 190},
     {.063, .028, .021},
     {.93, .92, .54, .44, .92}},
}};

struct CommonItems {
  std::vector<std::vector<std::uint32_t>> labels;  // by item, one per judge
  std::vector<double> accuracy;                    // by judge, over all its answers
};

CommonItems common_items(const PublicSet& set, const Annotators& annotators) {
  const NameTable judges{set.votes.judges};
  const std::size_t k = set.votes.class_count();
  std::vector<std::uint32_t> number;
  for (const std::string_view name : annotators.names) number.push_back(judges.find(name));
  CommonItems common;
  std::vector<double> right(5, 0.0);
  std::vector<double> total(5, 0.0);
  for (std::size_t i = 0; i < set.votes.item_count(); ++i) {
    std::vector<std::uint32_t> labels(5, NameTable::absent);
    for (const std::uint32_t code : set.votes.of_item(i)) {
      const auto at = std::find(number.begin(), number.end(), code / k);
      if (at == number.end()) continue;
      const auto j = static_cast<std::size_t>(at - number.begin());
      labels[j] = static_cast<std::uint32_t>(code % k);
      total[j] += 1.0;
      if (static_cast<std::int32_t>(code % k) == set.truth[i]) right[j] += 1.0;
    }
    if (std::find(labels.begin(), labels.end(), NameTable::absent) == labels.end()) common.labels.push_back(labels);
  }
  for (std::size_t j = 0; j < 5; ++j) common.accuracy.push_back(right[j] / total[j]);
  return common;
}

Votes first_votes(const CommonItems& common, const std::vector<std::size_t>& order, std::size_t n, std::size_t k) {
  std::vector<Vote> list;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < k; ++j) list.push_back({i, j, common.labels[order[i]][j]});
  }
  return numbered_votes(n, k, list);
}

// Mean absolute error against the overall accuracies, averaged over random subsets.
MeanSd annotator_error(const CommonItems& common, const std::vector<double>& prior, std::size_t n, std::size_t k,
                       Rng rng) {
  constexpr std::size_t subsets = 200;
  std::vector<double> errors;
  std::vector<std::size_t> order(common.labels.size());
  for (std::size_t s = 0; s < (n == order.size() ? 1 : subsets); ++s) {
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    for (std::size_t i = 0; i < n; ++i) std::swap(order[i], order[i + rng.below(order.size() - i)]);
    const Votes votes = first_votes(common, order, n, k);
    const VoteTable table = make_vote_table(votes);
    ConfusionSpec spec;
    spec.noise = JudgeNoise::symmetric;
    spec.known_prior = prior;
    const EmResult fit = run_em(confusion_problem(table, spec), equal_accuracy_start(table, spec, 0.7), {}, {});
    double error = 0.0;
    for (std::size_t j = 0; j < k; ++j) error += std::abs(accuracy_of(fit.parameters, 2, j) - common.accuracy[j]);
    errors.push_back(error / static_cast<double>(k));
  }
  return mean_sd(errors);
}

// --- six sets ---------------------------------------------------------------------

constexpr double gold_votes_needed = 10.0;  // for a judge's gold accuracy to mean something

double majority_accuracy(const PublicSet& set) {  // ties count by their chance
  const std::size_t k = set.votes.class_count();
  double right = 0.0;
  double total = 0.0;
  std::vector<std::size_t> count(k);
  for (std::size_t i = 0; i < set.votes.item_count(); ++i) {
    if (set.truth[i] == Votes::unknown || set.votes.of_item(i).empty()) continue;
    std::fill(count.begin(), count.end(), 0U);
    for (const std::uint32_t code : set.votes.of_item(i)) ++count[code % k];
    const std::size_t most = *std::max_element(count.begin(), count.end());
    total += 1.0;
    if (count[static_cast<std::size_t>(set.truth[i])] == most) {
      right += 1.0 / static_cast<double>(std::count(count.begin(), count.end(), most));
    }
  }
  return right / total;
}

struct Quality {
  double labels = 0.0;
  double judges = 0.0;  // mean absolute error of the accuracies
  std::string way;
};

Quality quality_of(const PublicSet& set, const JudgesOptions& options, const RunContext& run) {
  const JudgesFit fit = estimate_judges(set.votes, options, run);
  const std::size_t k = set.votes.class_count();
  std::vector<std::int32_t> labels(set.votes.item_count());
  combine(fit.model, set.votes, [&](std::size_t i, std::span<const double> posterior) {
    labels[i] = static_cast<std::int32_t>(best_label(posterior).label);
  });
  std::vector<double> right(set.votes.judge_count(), 0.0);
  std::vector<double> total(set.votes.judge_count(), 0.0);
  for (std::size_t i = 0; i < set.votes.item_count(); ++i) {
    if (set.truth[i] == Votes::unknown) continue;
    for (const std::uint32_t code : set.votes.of_item(i)) {
      total[code / k] += 1.0;
      if (static_cast<std::int32_t>(code % k) == set.truth[i]) right[code / k] += 1.0;
    }
  }
  std::vector<double> estimated;
  for (std::size_t j = 0; j < right.size(); ++j) {
    right[j] = total[j] >= gold_votes_needed ? right[j] / total[j] : std::numeric_limits<double>::quiet_NaN();
    estimated.push_back(fit.judges[j].accuracy);
  }
  return {label_accuracy(set.truth, labels), mean_absolute_error(estimated, right),
          std::string(fit.model.model_kind().name)};
}

}  // namespace

Outcome run_figure_10(const ExperimentContext& context) {
  ExperimentWriter writer("judges-fig10", "Figure 10: annotators of RTE and TEMP, measured without labels");
  ReferenceAgreement agreement;
  for (const Annotators& annotators : figure_10) {
    const PublicSet set = read_set(context, annotators.set);
    const CommonItems common = common_items(set, annotators);
    writer.section(annotators.set,
                   fmt::format("{} items that all five judged; symmetric model, known prior; the error is "
                               "against each annotator's accuracy over all its answers.",
                               common.labels.size()));
    Table accuracies{{{"annotator"}, {"accuracy over all answers", 3}, {"printed in the document", 2}}, {}};
    for (std::size_t j = 0; j < 5; ++j) {
      accuracies.rows.push_back({std::string(annotators.names[j]), common.accuracy[j], annotators.published[j]});
    }
    writer.table(annotators.set + " annotators", std::move(accuracies));
    Table table{{{"judges", 0}, {"items", 0}, {"mean absolute error (ours)"}, {"reference", 3}}, {}};
    Lines lines;
    for (std::size_t k = 1; k <= 5; ++k) {
      const bool meaningless = annotators.set == "rte" && k <= 2;
      Series series;
      series.name = fmt::format("{} judge{}", k, k == 1 ? "" : "s");
      for (std::size_t s = 0; s < annotators.sizes.size(); ++s) {
        const std::size_t n = annotators.sizes[s];
        const MeanSd error = annotator_error(common, annotators.prior, n, k, Rng(context.run.seed).child(n * 10 + k));
        // Of all items there is one fit, which has no error to tell.
        const bool whole = n == common.labels.size();
        const std::string told = whole ? fmt::format("{:.4f}", error.mean) : with_error(error.mean, error.error);
        table.rows.push_back({static_cast<std::int64_t>(k), static_cast<std::int64_t>(n),
                              meaningless ? std::string("not identifiable") : told,
                              k == 5 ? annotators.reference[s] : std::numeric_limits<double>::quiet_NaN()});
        if (k == 5) {
          // Of all items only the rounding of the reference lies between.
          agreement.add(fmt::format("{}, {} items", annotators.set, n), {error.mean, whole ? 0.0 : error.error},
                        {annotators.reference[s], whole ? 0.0003 : 0.0});
        }
        series.x.push_back(static_cast<double>(n));
        series.y.push_back(error.mean);
      }
      if (!meaningless) lines.series.push_back(std::move(series));
    }
    lines.x_title = "unlabelled items";
    lines.y_title = "mean absolute error";
    writer.table(annotators.set + " errors", std::move(table));
    writer.plot(line_plot({"Figure 10, " + annotators.set, "Error of the estimated accuracies."}, lines));
    if (annotators.set == "rte") {
      writer.note(
          "with equally frequent classes one or two judges cannot be measured at all: the document's curves for "
          "them show only where its search started");
    }
  }
  agreement.note(writer);
  return writer.finish();
}

Outcome run_public_sets(const ExperimentContext& context) {
  ExperimentWriter writer("judges-public-sets", "One default for six public sets");
  writer.section("Labels", "Share of items labelled right, against the gold labels; the estimates never see them.");
  Table table{{{"set"},
               {"items", 0},
               {"judges", 0},
               {"classes", 0},
               {"majority"},
               {"default"},
               {"gain in points", 2},
               {"plain maximum likelihood"},
               {"symmetric"},
               {"way of the default"},
               {"error of accuracies"},
               {"same, plain"},
               {"same, symmetric"}},
              {}};
  std::vector<double> gains;
  std::vector<double> accuracy;
  std::vector<double> judge_errors;
  for (const std::string name : {"bluebird", "dog", "rte", "temp", "trec", "zencrowd"}) {
    const PublicSet set = read_set(context, name);
    const double majority = majority_accuracy(set);
    JudgesOptions plain{.smoothing = 0.0, .starts = 1};
    JudgesOptions symmetric;
    symmetric.noise = JudgeNoise::symmetric;
    symmetric.starts = 1;
    const Quality ours = quality_of(set, {}, context.run);
    const Quality likelihood = quality_of(set, plain, context.run);
    const Quality coin = quality_of(set, symmetric, context.run);
    gains.push_back(100.0 * (ours.labels - majority));
    accuracy.push_back(ours.labels);
    judge_errors.push_back(ours.judges);
    table.rows.push_back({name, static_cast<std::int64_t>(set.votes.item_count()),
                          static_cast<std::int64_t>(set.votes.judge_count()),
                          static_cast<std::int64_t>(set.votes.class_count()), majority, ours.labels, gains.back(),
                          likelihood.labels, coin.labels, ours.way, ours.judges, likelihood.judges, coin.judges});
  }
  writer.table("Six sets", std::move(table));
  const std::string summary = fmt::format(
      "mean label accuracy {:.4f}; mean error of the judges' accuracies {:.4f}; worst set against majority vote "
      "{:+.2f} points",
      mean_sd(accuracy).mean, mean_sd(judge_errors).mean, *std::min_element(gains.begin(), gains.end()));
  writer.note(summary);
  return writer.finish(
      "the ways that the default compares were settled with these sets in sight: the table says how it does on them, "
      "not how it will do on a seventh");
}

}  // namespace motet::judges
