// Figures 4.3 and 4.4: residuals of the reverberation time, and whether it is the room that is known.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "experiments/agreement.h"
#include "experiments/audio/figures.h"
#include "experiments/audio/heard_clips.h"
#include "experiments/panel.h"
#include "motet/base/numeric.h"
#include "motet/base/quantile.h"
#include "motet/report/box_plot.h"

namespace motet::audio {
namespace {

struct ResidualMethod {
  LearnMethod method;
  std::string name;
};

const std::vector<ResidualMethod> residual_methods = {{LearnMethod::linear, "linear model"},
                                                      {LearnMethod::svm_linear, "linear SVM"},
                                                      {LearnMethod::svm_rbf, "RBF SVM"},
                                                      {LearnMethod::forest, "forest"}};

std::size_t clips_of(const ExperimentContext& context) { return context.quick ? 6 : 24; }
std::size_t trees_of(const ExperimentContext& context) { return context.quick ? 20 : 200; }

StudyOptions residual_study(const ExperimentContext& context, LearnMethod method, std::size_t splits) {
  StudyOptions options;
  options.learn.method = method;
  options.learn.folds = 5;
  options.learn.trees = trees_of(context);
  options.repeats = context.repeats_or(context.quick ? 2 : splits);
  options.importance = 0;
  return options;
}

std::string seconds_text(const Measured& residual) { return text_of(residual, 2); }
std::string with_median(const HeldOut& way) {
  return fmt::format("{}; {:.2f}", seconds_text(mean_of(way.errors)), quantile_of(way.residuals, 0.5));
}

constexpr std::size_t set_sfi = 0;
constexpr std::size_t set_deviations = 2;
constexpr std::size_t set_short_time = 3;
constexpr std::size_t set_cepstra = 4;
constexpr std::size_t set_scene_analysis = 5;
constexpr std::size_t set_music = 6;

// Mean |residual| of an independent computation with recorded sounds, by set and method; NaN where it has none.
double residual_reference(std::size_t set, LearnMethod method) {
  if (set == set_sfi && method == LearnMethod::svm_rbf) return 2.70;
  if (set == 1 && method == LearnMethod::svm_linear) return 2.55;
  if (set == set_deviations && method == LearnMethod::svm_linear) return 2.39;
  if (set == set_deviations && method == LearnMethod::svm_rbf) return 2.34;
  return no_number;
}

// By set and method.
using ResidualStudies = std::vector<std::vector<std::vector<HeldOut>>>;

ResidualStudies residuals_of_sets(const ExperimentContext& context, const Clips& all, std::size_t splits) {
  ResidualStudies studies;
  for (const HeardSet& set : heard_sets()) {
    const Clips clips = columns_of(all, set);
    auto& of_set = studies.emplace_back();
    for (const ResidualMethod& method : residual_methods) {
      of_set.push_back(study(clips, residual_study(context, method.method, splits), context.run).ways);
    }
  }
  return studies;
}

void write_way(ExperimentWriter& writer, const std::string& title, const ResidualStudies& studies, std::size_t way,
               ReferenceAgreement* agreement) {
  Table table{{{"set"}}, {}};
  for (const ResidualMethod& method : residual_methods) table.columns.push_back({method.name});
  if (agreement != nullptr) table.columns.push_back({"reference"});
  for (std::size_t s = 0; s < heard_sets().size(); ++s) {
    std::vector<Cell> row{heard_sets()[s].printed};
    std::string references;
    for (std::size_t m = 0; m < residual_methods.size(); ++m) {
      const HeldOut& held = studies[s][m][way];
      row.emplace_back(with_median(held));
      const double reference = residual_reference(s, residual_methods[m].method);
      if (agreement == nullptr || std::isnan(reference)) continue;
      references += fmt::format("{}{}: {:.2f}", references.empty() ? "" : ", ", residual_methods[m].name, reference);
      agreement->add(heard_sets()[s].printed + ", " + residual_methods[m].name, mean_of(held.errors), {reference}, 2);
    }
    if (agreement != nullptr) row.emplace_back(references);
    table.rows.push_back(std::move(row));
  }
  const HeldOut& any = studies[0][0][way];
  table.rows.push_back({"median of the training part", seconds_text(mean_of(any.references))});
  table.rows.back().resize(table.columns.size(), Cell(""));
  writer.table(title, std::move(table));
}

Plot residual_boxes(const ResidualStudies& studies, std::size_t way) {
  Boxes boxes;
  boxes.name_title = "features";
  boxes.value_title = "|residual| (s)";
  for (std::size_t s = 0; s < heard_sets().size(); ++s) {
    for (std::size_t m = 1; m < residual_methods.size(); ++m) {
      boxes.boxes.push_back({heard_sets()[s].printed, studies[s][m][way].residuals, residual_methods[m].name});
    }
  }
  return box_plot({"Figure 4.3",
                   "Residuals of clips whose source files were held out. The linear model is left out: its "
                   "residuals would set the scale."},
                  boxes);
}

void claim_residuals(Claims& claims, const ResidualStudies& studies, std::size_t way) {
  const auto mean = [&](std::size_t s, std::size_t m) { return mean_of(studies[s][m][way].errors).value; };
  std::size_t worst = 0;
  for (std::size_t s = 0; s < heard_sets().size(); ++s) {
    worst += mean(s, 0) > std::max({mean(s, 1), mean(s, 2), mean(s, 3)}) ? 1 : 0;
  }
  claims.add("the linear model is the poorest", "for every set", fmt::format("for {} of 7 sets", worst),
             verdict(worst == 7));
  std::size_t behind = 0;
  for (std::size_t m = 1; m < residual_methods.size(); ++m) {
    for (std::size_t s = 0; s <= set_short_time; ++s) behind += mean(s, m) < mean(set_music, m) ? 1 : 0;
  }
  claims.add("MUSIC is behind the four SFI-based sets", "with every method but the linear model",
             fmt::format("{} of 12 pairs of set and method", behind), verdict(behind >= 11));
  std::size_t mfcc = 0;
  for (std::size_t m = 1; m < residual_methods.size(); ++m) {
    for (std::size_t s = 0; s <= set_short_time; ++s) mfcc += mean(s, m) < mean(set_cepstra, m) ? 1 : 0;
  }
  claims.add("MFCC mostly is", "mostly", fmt::format("{} of 12", mfcc), verdict(mfcc >= 9));
  double behind_best = 0.0;
  for (std::size_t m = 1; m < residual_methods.size(); ++m) {
    behind_best += (mean(set_scene_analysis, m) - mean(set_short_time, m)) / 3.0;
  }
  claims.add("ASA is comparable with SFIst", "yes", fmt::format("{:.2f} s more, mean of three methods", behind_best),
             verdict(behind_best < 0.3));
  const double spread = std::abs(mean(set_short_time, 1) - std::min(mean(set_short_time, 2), mean(set_short_time, 3)));
  claims.add("the three other methods are comparable", "yes",
             fmt::format("SFIst: {:.2f}, {:.2f}, {:.2f}", mean(set_short_time, 1), mean(set_short_time, 2),
                         mean(set_short_time, 3)),
             verdict(spread < 0.5));
}

// --- the room or its reverberation ------------------------------------------------------

constexpr std::size_t flaw_clips = 20;

bool is_power_deviation(const std::string& column) {
  return column.ends_with("_s10") &&
         (column.starts_with("P11_") || column.starts_with("P22_") || column.starts_with("PMean12_"));
}

Clips power_deviations(const Clips& all) {
  Clips made = all;
  made.columns.clear();
  made.rows = {0, {}};
  std::vector<std::size_t> chosen;
  for (std::size_t d = 0; d < all.columns.size(); ++d) {
    if (is_power_deviation(all.columns[d])) chosen.push_back(d);
  }
  for (const std::size_t d : chosen) made.columns.push_back(all.columns[d]);
  made.rows.width = chosen.size();
  for (std::size_t n = 0; n < all.rows.rows(); ++n) {
    for (const std::size_t d : chosen) made.rows.values.push_back(all.rows.row(n)[d]);
  }
  return made;
}

// What is learned from half of the clips in one response for each T60, said of the other half in the same responses and
// in others.
struct FlawErrors {
  std::vector<double> same;
  std::vector<double> other;
};

FlawErrors flaw_errors(const ExperimentContext& context, const Clips& clips, LearnMethod method, std::size_t splits) {
  FlawErrors errors;
  for (std::uint64_t split = 0; split < splits; ++split) {
    Rng lots = Rng(context.run.seed).child(0x4310).child(split);
    const std::size_t count = 1 + *std::max_element(clips.source.begin(), clips.source.end());
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[lots.below(i)]);
    std::vector<bool> is_held(count);
    for (std::size_t i = 0; i < count / 2; ++i) is_held[order[i]] = true;
    std::vector<std::uint32_t> parts[3];  // learned from, held out in the same responses, and in others
    for (std::uint32_t n = 0; n < clips.rows.rows(); ++n) {
      const std::size_t response = clips.response[n] % responses_per_t60;
      const bool is_own = response == split % responses_per_t60;
      if (!is_own && response != (split + 1) % responses_per_t60) continue;
      if (!is_held[clips.source[n]] && !is_own) continue;
      parts[is_held[clips.source[n]] ? (is_own ? 1 : 2) : 0].push_back(n);
    }
    const Clips learned_from = some_clips(clips, parts[0]);
    LearnOptions options{method, 5, trees_of(context)};
    RunContext run = context.run;
    run.seed = static_cast<Seed>(lots.next());
    const Learned learned = learn(learned_from.rows, learned_from.target, learned_from.source, options, run);
    for (const std::size_t part : {1U, 2U}) {
      const Clips held = some_clips(clips, parts[part]);
      (part == 1 ? errors.same : errors.other).push_back(error_of_said(held.target, learned.say(held.rows)));
    }
  }
  return errors;
}

struct FlawRow {
  std::string name;
  Clips clips;
  double reference[2][2];  // by method: the same responses, others
};

void write_flaw(ExperimentWriter& writer, const ExperimentContext& context, ReferenceAgreement& agreement,
                Claims& claims) {
  const std::size_t count = context.quick ? 4 : flaw_clips;
  const std::size_t splits = context.repeats_or(context.quick ? 2 : 4);
  std::vector<DryClip> dry;
  for (std::size_t i = 0; i < count; ++i) {
    dry.push_back(
        {Activity::speech, i, everyday_sound(Everyday::speech, Rng(context.run.seed).child(0x4311).child(i))});
  }
  std::vector<Hearing> hearings;
  for (std::size_t c = 0; c < dry.size(); ++c) {
    for (std::size_t r = 0; r < heard_t60.size() * responses_per_t60; ++r) hearings.push_back({c, r});
  }
  Clips all = heard_features(dry, hearings, waves_of(context), context.run);
  all.target = t60_of(hearings);
  writer.section(
      "Is it the room that is known?",
      fmt::format("{} clips of speech. Learned from half of them in one response for each T60, as the thesis "
                  "does; said of the other half in the same responses, and in others of the same T60. Mean "
                  "|residual| in s, {} splits.",
                  count, splits));
  const std::vector<HeardSet>& sets = heard_sets();
  const FlawRow rows[] = {{"SFI", columns_of(all, sets[set_sfi]), {{1.52, 3.08}, {1.26, 3.01}}},
                          {"SFIstd", columns_of(all, sets[set_deviations]), {{1.38, 2.18}, {1.84, 2.56}}},
                          {"deviations of power", power_deviations(all), {{1.93, 1.92}, {2.25, 2.28}}}};
  Table table{{{"features"}, {"method"}, {"same responses"}, {"reference", 2}, {"other responses"}, {"reference", 2}},
              {}};
  double forest[3][2] = {};
  for (std::size_t r = 0; r < 3; ++r) {
    for (const std::size_t m : {2U, 3U}) {
      const FlawErrors errors = flaw_errors(context, rows[r].clips, residual_methods[m].method, splits);
      const Measured same = mean_of(errors.same);
      const Measured other = mean_of(errors.other);
      const double* const reference = rows[r].reference[m - 2];
      table.rows.push_back({rows[r].name, residual_methods[m].name, seconds_text(same), reference[0],
                            seconds_text(other), reference[1]});
      agreement.add(rows[r].name + ", " + residual_methods[m].name + ", same responses", same, {reference[0]}, 2);
      agreement.add(rows[r].name + ", " + residual_methods[m].name + ", other responses", other, {reference[1]}, 2);
      forest[r][0] += same.value / 2.0;
      forest[r][1] += other.value / 2.0;
    }
  }
  writer.table("Clips held out, and responses held out", std::move(table));
  const auto told = [&](std::size_t r) { return fmt::format("{:.2f} s, then {:.2f} s", forest[r][0], forest[r][1]); };
  claims.add("what SFI knows of T60 is the response (reference)", "1.39 s, then 3.05 s in other responses", told(0),
             verdict(forest[0][1] > 1.5 * forest[0][0]));
  claims.add("deviations of power alone carry over (reference)", "2.09 s, then 2.10 s", told(2),
             verdict(forest[2][1] < 1.15 * forest[2][0]));
}

std::string reverberation_setting(std::size_t clips, std::size_t rooms, std::size_t splits) {
  return fmt::format(
      "{} clips made by the program, each in {} rooms of ten reverberation times from 0.52 to 12.6 s (four responses "
      "of "
      "each), otherwise as for figure 4.2; frame 15. |Residual| in s: mean ± standard error over {} splits; median.",
      clips, rooms, splits);
}

}  // namespace

Outcome run_reverberation_residuals(const ExperimentContext& context) {
  ExperimentWriter writer("audio-fig4-3", "Figure 4.3: residuals of the reverberation time by features and method");
  const std::size_t splits = context.repeats_or(context.quick ? 2 : 3);
  const std::vector<DryClip> dry =
      dry_clips(clips_of(context), {}, Rng(context.run.seed).child(0x4200), context.run.threads);
  const std::vector<Hearing> hearings = hearings_of(dry, 2, Rng(context.run.seed).child(0x4300));
  writer.section("All hearing activities", reverberation_setting(dry.size(), 2, splits));
  Clips all = heard_features(dry, hearings, waves_of(context), context.run);
  all.target = t60_of(hearings);
  if (context.quick) all.response.clear();
  const ResidualStudies studies = residuals_of_sets(context, all, 3);
  ReferenceAgreement agreement;
  for (std::size_t way = 0; way < studies[0][0].size(); ++way) {
    write_way(writer, "Held out by " + studies[0][0][way].way, studies, way, way == 1 ? &agreement : nullptr);
  }
  writer.plot(residual_boxes(studies, 1));
  Claims claims;
  claim_residuals(claims, studies, 1);
  write_flaw(writer, context, agreement, claims);
  writer.section("Claims", "What the thesis says of figure 4.3, and what the independent computation found besides.");
  claims.write(writer);
  agreement.note(writer);
  return writer.finish("the sounds and rooms are ours: what compares is the order, not the seconds");
}

Outcome run_reverberation_by_class(const ExperimentContext& context) {
  ExperimentWriter writer("audio-fig4-4", "Figure 4.4: residuals of the reverberation time by hearing activity");
  const std::size_t splits = context.repeats_or(context.quick ? 2 : 6);
  const std::vector<DryClip> dry =
      dry_clips(clips_of(context), {}, Rng(context.run.seed).child(0x4200), context.run.threads);
  const std::vector<Hearing> hearings = hearings_of(dry, 4, Rng(context.run.seed).child(0x4400));
  writer.section("Set-up", reverberation_setting(dry.size(), 4, splits) +
                               " A forest on SFIst for each activity by itself; source files are held out, and in the "
                               "last column responses too.");
  Clips all = columns_of(heard_features(dry, hearings, waves_of(context), context.run), heard_sets()[set_short_time]);
  all.target = t60_of(hearings);
  if (context.quick) all.response.clear();
  const Target activity = activities_of(dry, hearings);
  // In the order of lost structure. NaN: music is not in the figure.
  const std::vector<std::pair<Activity, double>> shown = {{Activity::speech, 2.34},
                                                          {Activity::low_noise, 2.78},
                                                          {Activity::high_noise, 2.92},
                                                          {Activity::noise, 3.46},
                                                          {Activity::music, 3.33}};
  Table table{{{"activity"}, {"clips", 0}, {"mean; median"}, {"spread", 2}, {"reference", 2}, {"other responses"}}, {}};
  Boxes boxes;
  boxes.name_title = "activity";
  boxes.value_title = "|residual| (s)";
  ReferenceAgreement agreement;
  std::vector<double> means;
  std::vector<double> spreads;
  for (const auto& [kind, reference] : shown) {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t n = 0; n < activity.values.size(); ++n) {
      if (activity.values[n] == static_cast<double>(kind)) rows.push_back(n);
    }
    const std::string& name = activity_names()[static_cast<std::size_t>(kind)];
    const Study found = study(some_clips(all, rows), residual_study(context, LearnMethod::forest, 6), context.run);
    const HeldOut& held = found.ways[1];
    means.push_back(mean_of(held.errors).value);
    spreads.push_back(mean_sd(held.residuals).sd);
    agreement.add(name, mean_of(held.errors), {reference}, 2);
    table.rows.push_back({name, static_cast<std::int64_t>(rows.size()), with_median(held), spreads.back(), reference,
                          with_median(found.ways.back())});
    boxes.boxes.push_back({name, held.residuals});
  }
  writer.table("Figure 4.4", std::move(table));
  writer.plot(box_plot({"Figure 4.4", "Residuals of a forest on SFIst."}, boxes));
  Claims claims;
  claims.add("a small decrease from clean speech to noise", "small",
             fmt::format("{:.2f} to {:.2f} s", means[0], means[3]),
             verdict(means[3] > means[0] && means[3] < 1.25 * means[0]));
  claims.add("the spread grows as structure is lost", "clearly",
             fmt::format("{:.2f} to {:.2f} s", spreads[0], spreads[3]), verdict(spreads[3] > 1.1 * spreads[0]));
  claims.add("the error grows from each to the next (reference)", "2.34, 2.78, 2.92, 3.46 s",
             fmt::format("{:.2f}, {:.2f}, {:.2f}, {:.2f} s", means[0], means[1], means[2], means[3]),
             verdict(means[0] < means[1] && means[1] < means[2] && means[2] < means[3]));
  claims.write(writer);
  agreement.note(writer);
  return writer.finish();
}

}  // namespace motet::audio
