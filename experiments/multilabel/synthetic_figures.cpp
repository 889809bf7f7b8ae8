// Figures 5.2 and 5.3: ten sources in ten dimensions, 25 label sets.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/multilabel/curves.h"
#include "experiments/multilabel/figures.h"
#include "experiments/multilabel/simulated.h"
#include "experiments/panel.h"
#include "motet/base/numeric.h"
#include "motet/multilabel/theory/analyze.h"

namespace motet::multilabel {

namespace {

constexpr std::size_t source_count = 10;
constexpr std::size_t source_dimensions = 10;
constexpr std::size_t set_count = 25;
constexpr std::size_t test_items_a_set = 40;

// The thesis does not say how its sets were drawn.
enum class Choice { uniform, singles };  // A: any subsets; B: ten singles and fifteen of degree 2 to 4

BitMatrix draw_sets(Choice choice, Rng rng) {
  for (;;) {
    BitMatrix sets(0, source_count);
    std::vector<std::vector<std::size_t>> chosen;
    const auto add = [&](std::vector<std::size_t> set) {
      if (!set.empty() && std::find(chosen.begin(), chosen.end(), set) == chosen.end())
        chosen.push_back(std::move(set));
    };
    for (std::size_t k = 0; k < source_count && choice == Choice::singles; ++k) add({k});
    while (chosen.size() < set_count) {
      std::vector<std::size_t> set;
      if (choice == Choice::uniform) {
        for (std::size_t k = 0; k < source_count; ++k) {
          if (rng.uniform() < 0.5) set.push_back(k);
        }
      } else {
        const std::size_t degree = 2 + rng.below(3);
        std::array<std::size_t, source_count> order{};
        for (std::size_t k = 0; k < source_count; ++k) order[k] = k;
        for (std::size_t k = 0; k < degree; ++k) {
          std::swap(order[k], order[k + rng.below(source_count - k)]);
          set.push_back(order[k]);
        }
        std::sort(set.begin(), set.end());
      }
      add(std::move(set));
    }
    BitMatrix drawn(set_count, source_count);
    for (std::size_t j = 0; j < set_count; ++j) {
      for (const std::size_t k : chosen[j]) drawn.set(j, k);
    }
    const std::vector<std::string> names(source_count);
    if (identifiability(drawn, names, false).identifiable) return drawn;
  }
}

Sources draw_sources(Rng rng) {
  Sources sources;
  sources.dimensions = source_dimensions;
  sources.count = source_count;
  for (std::size_t i = 0; i < source_count * source_dimensions; ++i) sources.location.push_back(rng.uniform(-2.0, 2.0));
  for (std::size_t i = 0; i < source_count * source_dimensions; ++i) sources.spread.push_back(1.0 - rng.uniform());
  return sources;
}

// Mean over sources (`new`: sets) of the length of the error of the mean.
double mean_length(const TrainedSources& trained, const Sources& truth) {
  const std::vector<double> squares = squared_errors(trained, truth);
  double sum = 0.0;
  for (std::size_t i = 0; i < squares.size(); i += source_dimensions) {
    double length = 0.0;
    for (std::size_t d = 0; d < source_dimensions; ++d) length += squares[i + d];
    sum += std::sqrt(length);
  }
  return sum * static_cast<double>(source_dimensions) / static_cast<double>(squares.size());
}

// Mean over sources of |largest variance - true one|.
double largest_variance_error(const TrainedSources& trained, const Sources& truth) {
  double sum = 0.0;
  for (std::size_t k = 0; k < trained.sources.count; ++k) {
    std::vector<double> expected(source_dimensions, 0.0);
    for (std::size_t l = 0; l < truth.count; ++l) {
      const bool counts = trained.method == Training::fresh ? trained.sets(k, l) : k == l;
      for (std::size_t d = 0; d < source_dimensions && counts; ++d)
        expected[d] += truth.spread[l * source_dimensions + d];
    }
    const auto first = trained.sources.spread.begin() + static_cast<std::ptrdiff_t>(k * source_dimensions);
    sum += std::abs(*std::max_element(first, first + source_dimensions) -
                    *std::max_element(expected.begin(), expected.end()));
  }
  return sum / static_cast<double>(trained.sources.count);
}

struct Runs {
  std::vector<double> mean, variance, balanced_error, unrestricted;
  std::vector<double> precision, recall, f1;  // of each label, averaged over labels
};

// A training, and how it decides: by the combination of its sources, or each label by itself.
struct Way {
  Training training = Training::deconvolution;
  bool one_against_all = false;
  std::string name() const { return std::string(word_of(training)) + (one_against_all ? ", one-against-all" : ""); }
};

struct Study {
  Choice choice = Choice::uniform;
  std::vector<std::size_t> sizes;
  std::size_t repeats = 0;
  std::vector<Way> ways;
  std::vector<std::vector<Runs>> runs;  // by size, by way
  Runs oracle;
};

BitMatrix all_sets() {
  BitMatrix sets((1U << source_count) - 1, source_count);
  for (std::size_t s = 0; s < sets.rows(); ++s) {
    for (std::size_t k = 0; k < source_count; ++k) sets.set(s, k, ((s + 1) >> k & 1U) != 0);
  }
  return sets;
}

Study study(const ExperimentContext& context, Choice choice) {
  Study result;
  result.choice = choice;
  result.sizes = context.quick ? std::vector<std::size_t>{100} : std::vector<std::size_t>{50, 100, 200, 400, 800, 1600};
  result.repeats = context.repeats_or(context.quick ? 2 : 10);
  // One-against-all follows its training, which is made once.
  result.ways = {{Training::fresh},
                 {Training::cross},
                 {Training::cross, true},
                 {Training::probabilistic},
                 {Training::probabilistic, true},
                 {Training::deconvolution}};
  if (choice == Choice::singles) result.ways.insert(result.ways.begin(), {Training::ignore});
  Runs empty;
  for (std::vector<double>* list : {&empty.mean, &empty.variance, &empty.balanced_error, &empty.precision,
                                    &empty.recall, &empty.f1, &empty.unrestricted}) {
    list->assign(result.repeats, 0.0);
  }
  result.oracle = empty;
  result.runs.assign(result.sizes.size(), std::vector<Runs>(result.ways.size(), empty));
  const BitMatrix everything = all_sets();
  run_grid(context, choice == Choice::uniform ? "any subsets" : "singles and more", result.sizes.size(), result.repeats,
           [&](std::size_t level, std::size_t repeat, const RunContext& run) {
             const Rng rng(run.seed);
             const BitMatrix sets = draw_sets(choice, rng.child(0));
             const Sources truth = draw_sources(rng.child(1));
             const std::size_t a_set = context.quick ? 4 : test_items_a_set;
             const DrawnItems test = draw_items(truth, sets, std::vector<std::size_t>(set_count, a_set), rng.child(2));
             const DrawnItems train =
                 draw_items(truth, sets, std::vector<std::size_t>(set_count, result.sizes[level] / set_count),
                            rng.child(3).child(level));
             TrainedSources trained;
             for (std::size_t m = 0; m < result.ways.size(); ++m) {
               Runs& runs = result.runs[level][m];
               const Way& way = result.ways[m];
               if (!way.one_against_all) trained = train_drawn(train, truth, way.training, true, run);
               runs.mean[repeat] = mean_length(trained, truth);
               runs.variance[repeat] = largest_variance_error(trained, truth);
               const LabelSetQuality quality =
                   label_set_quality(test.sets, way.one_against_all ? classify_labels(trained, test.x)
                                                                    : classify(trained, sets, test.x, false));
               runs.balanced_error[repeat] = quality.balanced_error_rate;
               runs.precision[repeat] = quality.macro_precision;
               runs.recall[repeat] = quality.macro_recall;
               runs.f1[repeat] = quality.macro_f1;
               if (way.training == Training::deconvolution) {
                 runs.unrestricted[repeat] =
                     label_set_quality(test.sets, classify(trained, everything, test.x, false)).balanced_error_rate;
               }
             }
             if (level > 0) return;
             const TrainedSources oracle{Training::deconvolution, truth, sets, {}};
             result.oracle.balanced_error[repeat] =
                 label_set_quality(test.sets, classify(oracle, sets, test.x, false)).balanced_error_rate;
             result.oracle.unrestricted[repeat] =
                 label_set_quality(test.sets, classify(oracle, everything, test.x, false)).balanced_error_rate;
           });
  return result;
}

using References = std::map<std::string, std::map<double, Measured>>;  // by the name of a way

const std::map<Choice, References> mean_references = {
    {Choice::uniform,
     {{"new", {{50, {3.31}}, {200, {1.77}}, {1600, {.60}}}},
      {"cross", {{50, {5.96}}, {200, {5.87}}, {1600, {5.78}}}},
      {"probabilistic", {{50, {5.46}}, {200, {5.37}}, {1600, {5.26}}}},
      {"deconvolution", {{50, {1.52, .04}}, {200, {.81, .05}}, {1600, {.278, .009}}}}}},
    {Choice::singles,
     {{"ignore", {{50, {1.55}}, {200, {.78}}, {1600, {.27}}}},
      {"new", {{50, {2.28}}, {200, {1.19}}, {1600, {.41}}}},
      {"cross", {{50, {3.24}}, {200, {3.18}}, {1600, {3.03}}}},
      {"probabilistic", {{50, {2.25}}, {200, {2.25}}, {1600, {2.02}}}},
      {"deconvolution", {{50, {1.10, .03}}, {200, {.551, .013}}, {1600, {.187, .004}}}}}}};
const std::map<Choice, References> error_references = {
    {Choice::uniform,
     {{"new", {{50, {.591}}, {200, {.375}}, {1600, {.204}}}},
      {"cross", {{50, {.95}}, {200, {.95}}, {1600, {.95}}}},
      {"probabilistic", {{50, {.94}}, {200, {.94}}, {1600, {.94}}}},
      {"deconvolution", {{50, {.320, .014}}, {200, {.221, .012}}, {1600, {.189, .011}}}}}},
    {Choice::singles,
     {{"new", {{50, {.334}}, {200, {.164}}, {1600, {.069}}}},
      {"deconvolution", {{50, {.182, .012}}, {200, {.087, .007}}, {1600, {.063, .004}}}}}}};
const std::map<Choice, References> unrestricted_references = {
    {Choice::uniform, {{"deconvolution", {{50, {.827}}, {200, {.760}}, {1600, {.732}}}}}},
    {Choice::singles, {{"deconvolution", {{50, {.588}}, {200, {.442}}, {1600, {.383}}}}}}};

// Which sets these are of is not known; those of A are nearer.
const std::map<Choice, References> precision_references = {{Choice::uniform,
                                                            {{"cross, one-against-all", {{400, {.817}}}},
                                                             {"probabilistic, one-against-all", {{400, {.923}}}},
                                                             {"deconvolution", {{400, {.928}}}}}}};
const std::map<Choice, References> recall_references = {
    {Choice::uniform,
     {{"cross, one-against-all", {{400, {.800}}}}, {"probabilistic, one-against-all", {{400, {.526}}}}}}};

std::string name_of(Choice choice) {
  return choice == Choice::uniform ? "A, any subsets" : "B, ten singles and fifteen of degree 2 to 4";
}

Curves curves_of(const Study& found, const std::string& title, const std::string& what, std::vector<double> Runs::*list,
                 const std::map<Choice, References>& references) {
  Curves curves(title, what);
  const auto of_choice = references.find(found.choice);
  const bool of_parameters = list == &Runs::mean || list == &Runs::variance;
  for (std::size_t m = 0; m < found.ways.size(); ++m) {
    const Way& way = found.ways[m];
    if (of_parameters && way.one_against_all) continue;
    if (list == &Runs::unrestricted && way.training != Training::deconvolution) continue;
    std::map<double, Measured> reference;
    if (of_choice != references.end()) {
      const auto of_way = of_choice->second.find(way.name());
      if (of_way != of_choice->second.end()) reference = of_way->second;
    }
    for (std::size_t i = 0; i < found.sizes.size(); ++i) {
      curves.add(way.name(), static_cast<double>(found.sizes[i]), mean_of(found.runs[i][m].*list), Curves::no_theory,
                 reference);
    }
  }
  return curves;
}

// The four that figure 5.3 has: `new` and deconvolution by sets, cross and probabilistic training by labels.
bool is_in_figure(const Way& way) {
  return way.training != Training::ignore && way.one_against_all == has_one_against_all(way.training);
}

// Which of the four is ahead at how many sizes.
std::string leaders(const Study& found, std::vector<double> Runs::*list, bool highest) {
  std::map<std::string, std::size_t> counts;
  for (const std::vector<Runs>& of_size : found.runs) {
    std::size_t best = found.ways.size();
    for (std::size_t m = 0; m < found.ways.size(); ++m) {
      if (!is_in_figure(found.ways[m])) continue;
      const double value = mean_sd(of_size[m].*list).mean;
      if (best == found.ways.size() ||
          (highest ? value > mean_sd(of_size[best].*list).mean : value < mean_sd(of_size[best].*list).mean)) {
        best = m;
      }
    }
    ++counts[word_of(found.ways[best].training)];
  }
  return leaders_text(counts);
}

std::size_t middle_of(const Study& found) { return found.sizes.size() / 2; }

// Means of the four, at the middle of the sizes.
std::string four_text(const Study& found, std::vector<double> Runs::*list) {
  std::string text;
  for (std::size_t m = 0; m < found.ways.size(); ++m) {
    if (!is_in_figure(found.ways[m])) continue;
    text += fmt::format("{}{} {:.2f}", text.empty() ? "" : ", ", word_of(found.ways[m].training),
                        mean_sd(found.runs[middle_of(found)][m].*list).mean);
  }
  return text;
}

void add_claims(Claims& claims, const Study& found, const std::string& letter) {
  const auto of = [&](const std::string& what) { return fmt::format("{}, {}", what, letter); };
  claims.add(of("least balanced error (sizes)"), "deconvolution, new for many items",
             leaders(found, &Runs::balanced_error, false));
  claims.add(of("highest recall (sizes)"), "cross in most settings", leaders(found, &Runs::recall, true));
  claims.add(of("lowest recall (sizes)"), "probabilistic", leaders(found, &Runs::recall, false));
  const std::string items = fmt::format("{} items", found.sizes[middle_of(found)]);
  claims.add(of("precision, " + items), "probabilistic almost as deconvolution, cross low",
             four_text(found, &Runs::precision));
  claims.add(of("F-score, " + items), "cross close to new, behind deconvolution; probabilistic last",
             four_text(found, &Runs::f1));
}

constexpr Choice both_choices[] = {Choice::uniform, Choice::singles};

std::string set_up(const Study& found) {
  return fmt::format(
      "Ten sources in ten dimensions, means uniform in [-2, 2], variances in ]0, 1], 25 label sets with equally many "
      "items, covariances shrunk as by default; {} draws of sources, sets and items. The thesis does not say how its "
      "sets were drawn.",
      found.repeats);
}

}  // namespace

Outcome run_figure_5_2(const ExperimentContext& context) {
  ExperimentWriter writer("multilabel-fig5-2", "Figure 5.2: how well ten sources are estimated");
  ReferenceAgreement agreement;
  for (const Choice choice : both_choices) {
    const Study found = study(context, choice);
    writer.section("Label sets " + name_of(choice), set_up(found));
    const std::string letter = choice == Choice::uniform ? "A" : "B";
    curves_of(found, "Means, " + letter, "mean length of the error of a mean", &Runs::mean, mean_references)
        .write(writer, agreement, true, 3);
    curves_of(found, "Largest variance, " + letter, "mean error of the largest variance", &Runs::variance, {})
        .write(writer, agreement, true, 3);
  }
  agreement.note(writer);
  return writer.finish(
      "references without an error are taken to have ours; whether theirs had equally many items of every set, and how "
      "they smoothed covariances, is not known");
}

Outcome run_figure_5_3(const ExperimentContext& context) {
  ExperimentWriter writer("multilabel-fig5-3", "Figure 5.3: how well items of ten sources are classified");
  ReferenceAgreement agreement;
  Claims claims;
  for (const Choice choice : both_choices) {
    const Study found = study(context, choice);
    const std::string letter = choice == Choice::uniform ? "A" : "B";
    writer.section("Label sets " + name_of(choice),
                   set_up(found) +
                       " Precision, recall and F-score are those of each label, averaged over labels. Decisions are "
                       "among the 25 sets by the combination of the sources; one-against-all asks for each label by "
                       "itself whether the item is one with it or one without.");
    Table least{{{"with the true sources"}, {"balanced error"}, {"reference"}}, {}};
    const auto add_least = [&](const std::string& among, const Measured& ours, double reference) {
      least.rows.push_back({among, text_of(ours, 3), reference});
      agreement.add(fmt::format("true sources {}, {}", among, letter), ours, {reference}, 3);
    };
    add_least("among the 25 sets", mean_of(found.oracle.balanced_error), choice == Choice::uniform ? .182 : .0605);
    add_least("among all 1023", mean_of(found.oracle.unrestricted), choice == Choice::uniform ? .724 : .377);
    writer.table("Least errors, " + letter, std::move(least));
    curves_of(found, "Balanced error, " + letter, "balanced error rate", &Runs::balanced_error, error_references)
        .write(writer, agreement, false, 3);
    curves_of(found, "Balanced error among all 1023 sets, " + letter, "balanced error rate", &Runs::unrestricted,
              unrestricted_references)
        .write(writer, agreement, false, 3);
    curves_of(found, "Precision, " + letter, "precision", &Runs::precision, precision_references)
        .write(writer, agreement, false, 3);
    curves_of(found, "Recall, " + letter, "recall", &Runs::recall, recall_references)
        .write(writer, agreement, false, 3);
    curves_of(found, "F-score, " + letter, "F-score", &Runs::f1, {}).write(writer, agreement, false, 3);
    add_claims(claims, found, letter);
  }
  writer.section("In words",
                 "The thesis speaks of four methods; cross and probabilistic training are taken one-against-all.");
  claims.write(writer);
  agreement.note(writer);
  return writer.finish(
      "references without an error are taken to have ours; which sets those of precision and recall are of is not "
      "known, they are compared with A");
}

}  // namespace motet::multilabel
