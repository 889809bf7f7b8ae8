// Figures 6.1 to 6.6 and the constants behind them: two sources.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "experiments/multilabel/curves.h"
#include "experiments/multilabel/figures.h"
#include "experiments/multilabel/simulated.h"
#include "experiments/multilabel/two_sources.h"
#include "experiments/panel.h"
#include "motet/base/numeric.h"
#include "motet/report/heat_map.h"
#include "motet/report/line_plot.h"

namespace motet::multilabel {

namespace {

using TrainingReferences = std::map<Training, std::map<double, Measured>>;

const GaussianPair gaussian_pair{{-3.5, 3.5}, {1.0, 1.0}};
const BernoulliPair bernoulli_pair{{0.4, 0.2}};
constexpr std::size_t bernoulli_dimensions = 10;

Sources gaussian_sources() {
  Sources sources;
  sources.dimensions = 1;
  sources.count = 2;
  sources.location = {gaussian_pair.mean[0], gaussian_pair.mean[1]};
  sources.spread = {gaussian_pair.variance[0], gaussian_pair.variance[1]};
  return sources;
}

Sources bernoulli_sources() {
  Sources sources{Family::bernoulli, Combination::logical_or, Covariance::diagonal, bernoulli_dimensions, 2};
  sources.location.assign(bernoulli_dimensions, bernoulli_pair.probability[0]);
  sources.location.insert(sources.location.end(), bernoulli_dimensions, bernoulli_pair.probability[1]);
  return sources;
}

BitMatrix three_sets() {
  BitMatrix sets(3, 2);
  sets.set(0, 0);
  sets.set(1, 1);
  sets.set(2, 0);
  sets.set(2, 1);
  return sets;
}

// Of one training and size, one entry per data set.
struct PairRuns {
  std::vector<double> squares;                                // mean over parameters
  std::vector<double> balanced_error, precision, recall, f1;  // (2.16) to (2.19): of each label, averaged over labels
};

struct PairStudy {
  std::vector<std::size_t> sizes;
  std::size_t repeats = 0;
  std::vector<std::array<PairRuns, 5>> runs;  // by size, then as five_trainings
};

PairStudy study(const ExperimentContext& context, const Sources& truth, std::vector<std::size_t> sizes) {
  PairStudy result;
  if (context.quick) sizes = {60, 300};
  result.repeats = context.repeats_or(context.quick ? 4 : 100);
  const std::size_t test_items = context.quick ? 200 : sizes.back();
  result.sizes = sizes;
  result.runs.resize(sizes.size());
  for (auto& of_size : result.runs) {
    for (PairRuns& runs : of_size) {
      for (std::vector<double>* list : {&runs.squares, &runs.balanced_error, &runs.precision, &runs.recall, &runs.f1}) {
        list->assign(result.repeats, 0.0);
      }
    }
  }
  const BitMatrix sets = three_sets();
  run_grid(context, "items", sizes.size(), result.repeats,
           [&](std::size_t level, std::size_t repeat, const RunContext& run) {
             const Rng rng = Rng(run.seed).child(sizes[level]);
             // A variance needs two items.
             const DrawnItems train =
                 draw_items(truth, sets, draw_counts(3, sizes[level], 2, rng.child(0)), rng.child(1));
             const DrawnItems test = draw_items(truth, sets, draw_counts(3, test_items, 1, rng.child(2)), rng.child(3));
             for (std::size_t m = 0; m < 5; ++m) {
               PairRuns& runs = result.runs[level][m];
               const TrainedSources trained = train_drawn(train, truth, five_trainings[m], false, run);
               runs.squares[repeat] = mean_sd(squared_errors(trained, truth)).mean;
               const LabelSetQuality quality = label_set_quality(test.sets, classify(trained, {}, test.x, false));
               runs.balanced_error[repeat] = quality.balanced_error_rate;
               runs.precision[repeat] = quality.macro_precision;
               runs.recall[repeat] = quality.macro_recall;
               runs.f1[repeat] = quality.macro_f1;
             }
           });
  return result;
}

template <class Pair>
Curves root_mean_squares(const PairStudy& found, const std::string& title, const Pair& pair,
                         const TrainingReferences& references) {
  Curves curves(title, "root mean square error");
  for (std::size_t m = 0; m < 5; ++m) {
    const Training method = five_trainings[m];
    const auto reference = references.find(method);
    for (std::size_t i = 0; i < found.sizes.size(); ++i) {
      const auto items = static_cast<double>(found.sizes[i]);
      curves.add(word_of(method), items, root_mean_of(found.runs[i][m].squares),
                 std::sqrt(pair_precision(pair, {}, items, method).mean_square_error),
                 reference == references.end() ? std::map<double, Measured>{} : reference->second);
    }
  }
  return curves;
}

Curves qualities(const PairStudy& found, const std::string& title, const std::string& what,
                 std::vector<double> PairRuns::*list, const TrainingReferences& references) {
  Curves curves(title, what);
  for (std::size_t m = 0; m < 5; ++m) {
    const auto reference = references.find(five_trainings[m]);
    for (std::size_t i = 0; i < found.sizes.size(); ++i) {
      curves.add(word_of(five_trainings[m]), static_cast<double>(found.sizes[i]), mean_of(found.runs[i][m].*list),
                 Curves::no_theory, reference == references.end() ? std::map<double, Measured>{} : reference->second);
    }
  }
  return curves;
}

// The training with the highest (or lowest) mean at each size, and at how many: "deconvolution (3), new (1)".
std::string leaders(const PairStudy& found, std::vector<double> PairRuns::*list, bool highest) {
  std::map<std::string, std::size_t> counts;
  for (const auto& of_size : found.runs) {
    std::size_t best = 0;
    for (std::size_t m = 1; m < 5; ++m) {
      const double ahead = mean_sd(of_size[m].*list).mean - mean_sd(of_size[best].*list).mean;
      if (highest ? ahead > 0.0 : ahead < 0.0) best = m;
    }
    ++counts[word_of(five_trainings[best])];
  }
  return leaders_text(counts);
}

// Of two trainings with the most items.
std::string both_text(const PairStudy& found, std::vector<double> PairRuns::*list) {
  const Measured cross = mean_of(found.runs.back()[2].*list);
  const Measured ignore = mean_of(found.runs.back()[0].*list);
  return fmt::format("cross {}, ignore {}", with_error(cross.value, cross.error),
                     with_error(ignore.value, ignore.error));
}

const TrainingReferences gaussian_rms = {
    {Training::ignore, {{15, {.441}}, {60, {.238}}, {300, {.0935}}, {3000, {.0309}}}},
    {Training::fresh, {{15, {.502}}, {60, {.242}}, {300, {.1061}}, {3000, {.0368}}}},
    {Training::cross, {{15, {1.84}}, {60, {1.80}}, {300, {1.725}}, {3000, {1.748}}}},
    {Training::deconvolution,
     {{15, {.403, .020}}, {60, {.2065, .010}}, {300, {.0814, .0045}}, {3000, {.0268, .0018}}}}};
const TrainingReferences gaussian_errors = {
    {Training::ignore, {{15, {.342}}, {60, {.334}}, {300, {.3335}}, {3000, {.3335}}}},
    {Training::fresh, {{15, {.1542}}, {60, {.1024}}, {300, {.0973}}, {3000, {.0970}}}},
    {Training::cross, {{15, {.3146}}, {60, {.3219}}, {300, {.3255}}, {3000, {.3328}}}},
    {Training::probabilistic, {{15, {.233}}, {60, {.230}}, {300, {.221}}, {3000, {.225}}}},
    {Training::deconvolution,
     {{15, {.1309, .0042}}, {60, {.1018, .0009}}, {300, {.0973, .0005}}, {3000, {.0971, .0005}}}}};
const TrainingReferences bernoulli_rms = {
    {Training::ignore, {{60, {.1012}}, {300, {.0453}}, {3000, {.01448}}}},
    {Training::fresh, {{60, {.1052}}, {300, {.0471}}, {3000, {.01507}}}},
    {Training::cross, {{60, {.1442}}, {300, {.1244}}, {3000, {.1206}}}},
    {Training::probabilistic, {{60, {.1125}}, {300, {.0870}}, {3000, {.0807}}}},
    {Training::deconvolution, {{60, {.0879, .0016}}, {300, {.0392, .0007}}, {3000, {.01241, .00018}}}}};

}  // namespace

Outcome run_figure_6_1(const ExperimentContext& context) {
  ExperimentWriter writer("multilabel-fig6-1", "Figures 6.1, 6.2 and 6.3: two Gaussian sources that add");
  const PairStudy found = study(context, gaussian_sources(), {15, 60, 300, 3000});
  const Curves errors = root_mean_squares(found, "Figures 6.1 and 6.2", gaussian_pair, gaussian_rms);
  const Curves balanced =
      qualities(found, "Figure 6.3, balanced error", "balanced error rate", &PairRuns::balanced_error, gaussian_errors);
  writer.section(
      "How far the means are from the truth",
      fmt::format("Means -3.5 and 3.5, variance 1, three label sets with equal chances; {} data sets of each "
                  "size. Root mean square error over parameters and data sets: two means, `new` three.",
                  found.repeats));
  ReferenceAgreement agreement;
  errors.write(writer, agreement, true);
  writer.section("How well items are classified",
                 "Among the label sets that the training saw, by the likelihood of the combined sources. Precision, "
                 "recall and F-score are those of each label, averaged over labels. The least error possible is "
                 "0.0962218 (the thesis says 9.59 %).");
  balanced.write(writer, agreement, false);
  qualities(found, "Figure 6.3, precision", "precision", &PairRuns::precision, {{Training::cross, {{3000, {.9997}}}}})
      .write(writer, agreement, false);
  qualities(found, "Figure 6.3, recall", "recall", &PairRuns::recall, {{Training::cross, {{3000, {.752}}}}})
      .write(writer, agreement, false);
  qualities(found, "Figure 6.3, F-score", "F-score", &PairRuns::f1, {}).write(writer, agreement, false);
  Claims claims;
  claims.add("precision, most items", "cross and ignore 100 %", both_text(found, &PairRuns::precision));
  claims.add("recall, most items", "cross and ignore about 75 %", both_text(found, &PairRuns::recall));
  claims.add("lowest precision (sizes)", "deconvolution", leaders(found, &PairRuns::precision, false));
  claims.add("highest recall (sizes)", "deconvolution", leaders(found, &PairRuns::recall, true));
  claims.add("best F-score (sizes)", "deconvolution, closely followed by new", leaders(found, &PairRuns::f1, true));
  claims.add("least balanced error (sizes)", "deconvolution, new similar",
             leaders(found, &PairRuns::balanced_error, false));
  claims.write(writer);
  agreement.note(writer);
  return writer.finish(
      "data sets in which a label set has fewer than two items are drawn again; it matters for 15 items only");
}

Outcome run_figure_6_4(const ExperimentContext& context) {
  ExperimentWriter writer("multilabel-fig6-4", "Figures 6.4 and 6.5: two Bernoulli sources joined by or");
  const PairStudy found = study(context, bernoulli_sources(), {60, 300, 3000});
  const Curves errors = root_mean_squares(found, "Figures 6.4 and 6.5", bernoulli_pair, bernoulli_rms);
  writer.section(
      "How far the probabilities are from the truth",
      fmt::format("Ten dimensions with probabilities 0.4 and 0.2, three label sets with equal chances; {} "
                  "data sets of each size. Each dimension is taken by itself, as in the thesis: the error is "
                  "that of one probability.",
                  found.repeats));
  ReferenceAgreement agreement;
  errors.write(writer, agreement, true);
  writer.section("How well items are classified", "The least error possible is 0.3950691.");
  qualities(found, "Balanced error", "balanced error rate", &PairRuns::balanced_error, {})
      .write(writer, agreement, false);
  agreement.note(writer);
  return writer.finish();
}

namespace {

// The finer grid of the reference: whether deconvolution is never worse, parameter by parameter.
bool write_parameter_ratios(ExperimentWriter& writer) {
  constexpr int fine = 49;
  double worst_source = 0.0;
  double worst_both = 0.0;
  for (int i = 1; i <= fine; ++i) {
    for (int j = 1; j <= fine; ++j) {
      const BernoulliPair pair{{0.02 * i, 0.02 * j}};
      const PairPrecision ours = pair_precision(pair, {}, 1.0, Training::deconvolution);
      const PairPrecision fresh = pair_precision(pair, {}, 1.0, Training::fresh);
      worst_source =
          std::max({worst_source, ours.variance[0] / fresh.variance[0], ours.variance[1] / fresh.variance[1]});
      const double c1 = 1.0 - pair.probability[1];
      const double c2 = 1.0 - pair.probability[0];
      const double both = c1 * c1 * ours.variance[0] + c2 * c2 * ours.variance[1] + 2.0 * c1 * c2 * ours.covariance;
      worst_both = std::max(worst_both, both / fresh.variance[2]);
    }
  }
  Table table{{{"largest ratio of variances, deconvolution to new, on 49 x 49 places"}, {"ours"}, {"reference"}}, {}};
  table.rows.push_back({std::string("a source"), worst_source, 0.9998});
  table.rows.push_back({std::string("the set of both"), worst_both, 0.497});
  writer.table("Parameter by parameter", std::move(table));
  return worst_source <= 1.0 && worst_both <= 1.0;
}

void write_least_errors(ExperimentWriter& writer) {
  writer.section("The least error possible", "Thresholds from the crossings of the weighted densities.");
  const std::vector<GaussianClass> classes = classes_of(gaussian_pair, {});
  const BayesRule rule = bayes_rule(classes);
  Table least{{{"what"}, {"ours", 10}, {"reference", 10}, {"printed in the thesis", 4}}, {}};
  least.rows.push_back({std::string("Gaussian sources, error"), rule.error, 0.0962218115, 0.0959});
  least.rows.push_back({std::string("threshold"), rule.thresholds[2], 1.9121424586, Curves::no_theory});
  least.rows.push_back(
      {std::string("threshold beyond which {1,2} wins again"), rule.thresholds[3], 12.0878575414, Curves::no_theory});
  least.rows.push_back({std::string("Bernoulli sources, ten dimensions, error"),
                        bayes_error(bernoulli_pair, {}, bernoulli_dimensions), 0.3950691412, Curves::no_theory});
  writer.table("Least errors", std::move(least));
  Table reject{
      {{"posterior at least", 2}, {"coverage", 6}, {"reference", 6}, {"error among those", 6}, {"reference ", 6}}, {}};
  Lines lines;
  Series curve;
  curve.name = "least error";
  const std::vector<std::array<double, 3>> references = {
      {.80, .825539, .045818}, {.90, .700730, .028387}, {.95, .563386, .017829}};
  for (const auto& [level, coverage, error] : references) {
    const Selective kept = bayes_rule_rejecting(classes, level);
    reject.rows.push_back({level, kept.coverage, coverage, kept.error, error});
  }
  for (double level = 0.5; level < 0.995; level += 0.01) {
    const Selective kept = bayes_rule_rejecting(classes, level);
    curve.x.push_back(kept.coverage);
    curve.y.push_back(kept.error);
  }
  lines.series.push_back(std::move(curve));
  lines.x_title = "share of items that get a label set";
  lines.y_title = "error among them";
  lines.has_points = false;
  writer.table("Reject option, Gaussian sources", std::move(reject));
  writer.plot(line_plot({"Reject option", "Items whose best label set is not probable enough are left aside."}, lines));
  writer.note("the references of the reject option came from a grid; they are right to five digits");
}

}  // namespace

Outcome run_figure_6_6(const ExperimentContext& context) {
  ExperimentWriter writer("multilabel-fig6-6", "Figure 6.6: deconvolution against a source of its own for every set");
  writer.section("Two Bernoulli sources joined by or, equal shares",
                 "From the corrected Lemma 5, times the root of the number of items. No randomness.");
  const std::size_t cells = context.quick ? 3 : 9;
  std::vector<double> grid;
  for (std::size_t i = 0; i < cells; ++i) {
    grid.push_back(static_cast<double>(i + 1) / static_cast<double>(cells + 1));
  }
  struct Panel66 {
    std::string title;
    std::string caption;
    HeatMap map;
  };
  std::vector<Panel66> panels = {{"(a) new", "Root mean square error of three parameters.", {}},
                                 {"(b) deconvolution", "Root mean square error of two parameters.", {}},
                                 {"(d) relative difference", "(b) minus (a), divided by (a).", {}},
                                 {"One parameter", "Variance of beta_1, deconvolution divided by new.", {}}};
  for (Panel66& panel : panels) {
    for (const double b : grid) {
      panel.map.rows.push_back(fmt::format("{:.1f}", b));
      panel.map.columns.push_back(fmt::format("{:.1f}", b));
    }
    panel.map.row_title = "beta_1";
    panel.map.column_title = "beta_2";
  }
  for (const double b1 : grid) {
    for (const double b2 : grid) {
      const BernoulliPair pair{{b1, b2}};
      const PairPrecision ours = pair_precision(pair, {}, 1.0, Training::deconvolution);
      const PairPrecision fresh = pair_precision(pair, {}, 1.0, Training::fresh);
      const double a = std::sqrt(fresh.mean_square_error);
      const double b = std::sqrt(ours.mean_square_error);
      panels[0].map.values.push_back(a);
      panels[1].map.values.push_back(b);
      panels[2].map.values.push_back((b - a) / a);
      panels[3].map.values.push_back(ours.variance[0] / fresh.variance[0]);
    }
  }
  for (Panel66& panel : panels) {
    panel.map.value_title = panel.title;
    writer.plot(heat_map({panel.title, panel.caption}, panel.map));
  }
  const bool is_never_worse = write_parameter_ratios(writer);
  return writer.finish(fmt::format(
      "the thesis says that `new` is better where both probabilities are high: that comes from averaging over three "
      "parameters there and two here; {} single parameter is worse under deconvolution",
      is_never_worse ? "no" : "some"));
}

Outcome run_multilabel_constants(const ExperimentContext&) {
  ExperimentWriter writer("multilabel-constants", "Two sources in closed form");
  writer.section("Lemmas 4 and 5, corrected",
                 "Mean square error beside 400,000 (Gaussian) and 100,000 (Bernoulli) simulated data sets of an "
                 "independent computation with random label counts. No randomness in ours.");
  Table table{{{"sources"}, {"training"}, {"items", 0}, {"ours", 8}, {"simulated"}, {"printed in the thesis", 8}}, {}};
  struct Row {
    Training method;
    double items, simulated, error, printed;
  };
  const double none = Curves::no_theory;
  const auto add = [&](const std::string& name, const auto& pair, const PairShares& shares, const Row& row) {
    table.rows.push_back(
        {name, std::string(word_of(row.method)), static_cast<std::int64_t>(row.items),
         pair_precision(pair, shares, row.items, row.method).mean_square_error,
         row.error > 0.0 ? with_error(row.simulated, row.error, 8) : fmt::format("{:.8f}", row.simulated),
         row.printed});
  };
  for (const Row& row : std::vector<Row>{{Training::ignore, 300, .010098, .000016, .010},
                                         {Training::ignore, 3000, .0010017, .0000016, .001},
                                         {Training::fresh, 300, .013445, .000018, .0133333},
                                         {Training::fresh, 3000, .0013347, .0000018, .00133333},
                                         {Training::cross, 300, 3.08593, .00063, 3.085313},
                                         {Training::cross, 3000, 3.06486, .00020, 3.064781},
                                         {Training::deconvolution, 300, .007539, .000013, .006875},
                                         {Training::deconvolution, 3000, .00075, .00000125, .000687}}) {
    add("Gaussian, -3.5 and 3.5", gaussian_pair, {}, row);
  }
  add("Gaussian, variances 1 and 4", GaussianPair{{-3.5, 3.5}, {1.0, 4.0}}, {0.5, 0.2, 0.3},
      {Training::deconvolution, 3000, .00192575, .0000037, .001329});
  for (const Row& row : std::vector<Row>{{Training::ignore, 300, .0020116, .0000065, .002},
                                         {Training::ignore, 3000, .00020089, 0.0, .0002},
                                         {Training::fresh, 300, .0021778, 0.0, none},
                                         {Training::fresh, 3000, .00021777, .00000057, none},
                                         {Training::cross, 300, .015829, .000022, .029937},
                                         {Training::cross, 3000, .0147145, .0000068, .016134},
                                         {Training::deconvolution, 300, .0015127, .0000050, .0045},
                                         {Training::deconvolution, 3000, .00015038, .00000049, .00045}}) {
    add("Bernoulli, 0.4 or 0.2", bernoulli_pair, {}, row);
  }
  writer.table("Mean square errors", std::move(table));
  writer.note("for 300 items the simulation also holds what is of the order 1/items^2");
  write_least_errors(writer);
  return writer.finish();
}

}  // namespace motet::multilabel
