// Figure 4.2 and table 4.1: which of five hearing activities a frame is of.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "experiments/agreement.h"
#include "experiments/audio/figures.h"
#include "experiments/audio/heard_clips.h"
#include "experiments/panel.h"
#include "motet/report/bar_plot.h"

namespace motet::audio {
namespace {

constexpr std::size_t published_clips = 24;
constexpr std::size_t quick_clips = 6;
constexpr double chance = 0.8;

struct NamedMethod {
  LearnMethod method;
  std::string name;
};

const std::vector<NamedMethod> activity_methods = {
    {LearnMethod::svm_linear, "linear SVM"}, {LearnMethod::svm_rbf, "RBF SVM"}, {LearnMethod::forest, "forest"}};

// An independent computation on recordings of speech, of noise and of music in simulated rooms: mean and standard error
// of four splits, by set and method.
struct ActivityReference {
  double value;
  double error;
};
constexpr ActivityReference activity_references[7][3] = {
    {{.577, .04}, {.519, .05}, {.562, .01}}, {{.545, .04}, {.500, .04}, {.564, .03}},
    {{.532, .04}, {.546, .03}, {.590, .05}}, {{.445, .04}, {.452, .04}, {.504, .04}},
    {{.577, .01}, {.595, .02}, {.623, .02}}, {{.526, .02}, {.537, .03}, {.550, .03}},
    {{.848, .03}, {.797, .03}, {.787, .01}}};

struct ActivityErrors {
  // by set and method
  std::vector<std::vector<std::vector<HeldOut>>> ways;

  Measured of(std::size_t set, std::size_t method, std::size_t way) const {
    return mean_of(ways[set][method][way].errors);
  }
};

StudyOptions activity_study(const ExperimentContext& context, LearnMethod method, std::size_t splits) {
  StudyOptions options;
  options.learn.method = method;
  options.learn.folds = 5;
  options.learn.trees = context.quick ? 20 : 200;
  options.repeats = context.repeats_or(context.quick ? 2 : splits);
  options.importance = 0;
  return options;
}

ActivityErrors errors_of_sets(const ExperimentContext& context, const Clips& all, std::size_t splits) {
  ActivityErrors errors;
  for (const HeardSet& set : heard_sets()) {
    const Clips clips = columns_of(all, set);
    std::vector<std::vector<HeldOut>>& of_set = errors.ways.emplace_back();
    for (const NamedMethod& method : activity_methods) {
      of_set.push_back(study(clips, activity_study(context, method.method, splits), context.run).ways);
    }
  }
  return errors;
}

std::string told_error(const Measured& error) { return text_of(error, 3); }

// Splits by source file: what is learned has never heard the voice, the noise or the tune.
constexpr std::size_t by_sources = 1;

void write_errors(ExperimentWriter& writer, const std::string& title, const ActivityErrors& errors,
                  ReferenceAgreement* agreement) {
  Table table{{{"set"}, {"features"}}, {}};
  for (const NamedMethod& method : activity_methods) {
    table.columns.push_back({method.name});
    if (agreement != nullptr) table.columns.push_back({"reference"});
  }
  for (std::size_t s = 0; s < heard_sets().size(); ++s) {
    const HeardSet& set = heard_sets()[s];
    const std::size_t width = set.ending.empty() ? set.count : set.count / 2;
    std::vector<Cell> row{set.printed, static_cast<std::int64_t>(width)};
    for (std::size_t m = 0; m < activity_methods.size(); ++m) {
      const Measured ours = errors.of(s, m, by_sources);
      row.emplace_back(told_error(ours));
      if (agreement == nullptr) continue;
      const Measured reference{activity_references[s][m].value, activity_references[s][m].error};
      row.emplace_back(told_error(reference));
      agreement->add(set.printed + ", " + activity_methods[m].name, ours, reference, 3);
    }
    table.rows.push_back(std::move(row));
  }
  writer.table(title, std::move(table));
}

void write_ways(ExperimentWriter& writer, const ActivityErrors& errors) {
  Table table{{{"set"}}, {}};
  for (const std::size_t m : {0U, 2U}) {
    for (const HeldOut& way : errors.ways[0][m]) table.columns.push_back({activity_methods[m].name + ", " + way.way});
  }
  for (std::size_t s = 0; s < heard_sets().size(); ++s) {
    std::vector<Cell> row{heard_sets()[s].printed};
    for (const std::size_t m : {0U, 2U}) {
      for (std::size_t w = 0; w < errors.ways[s][m].size(); ++w) row.emplace_back(told_error(errors.of(s, m, w)));
    }
    table.rows.push_back(std::move(row));
  }
  writer.table("Held out by clips, by source files, by source files and responses", std::move(table));
}

Plot error_bars(const std::string& title, const ActivityErrors& errors) {
  Bars bars;
  bars.name_title = "set, method";
  bars.value_title = "balanced error";
  for (std::size_t s = 0; s < heard_sets().size(); ++s) {
    for (std::size_t m = 0; m < activity_methods.size(); ++m) {
      bars.names.push_back(heard_sets()[s].printed + ", " + activity_methods[m].name);
      bars.values.push_back(errors.of(s, m, by_sources).value);
    }
  }
  return bar_plot({title, "Balanced error of clips whose source files were held out; chance is 0.8."}, bars);
}

constexpr std::size_t short_time = 3;
constexpr std::size_t cepstra = 4;
constexpr std::size_t scene_analysis = 5;
constexpr std::size_t rhythm = 6;

// For how many methods the first set errs less than the second.
std::size_t times_better(const ActivityErrors& errors, std::size_t one, std::size_t other) {
  std::size_t count = 0;
  for (std::size_t m = 0; m < activity_methods.size(); ++m) {
    count += errors.of(one, m, by_sources).value < errors.of(other, m, by_sources).value ? 1 : 0;
  }
  return count;
}

void claim_order(Claims& claims, const ActivityErrors& errors) {
  std::size_t best = 0;
  for (std::size_t m = 0; m < activity_methods.size(); ++m) {
    std::size_t least = 0;
    for (std::size_t s = 1; s < heard_sets().size(); ++s) {
      if (errors.of(s, m, by_sources).value < errors.of(least, m, by_sources).value) least = s;
    }
    best += least == short_time ? 1 : 0;
  }
  claims.add("SFIst is the best of the seven sets", "not said; 3 of 3 methods in the reference",
             fmt::format("{} of 3 methods", best), verdict(best == 3));
  for (const auto& [other, name] :
       {std::pair{scene_analysis, "ASA"}, std::pair{cepstra, "MFCC"}, std::pair{rhythm, "MUSIC"}}) {
    std::size_t pairs = 0;
    for (std::size_t s = 0; s <= short_time; ++s) pairs += times_better(errors, s, other);
    claims.add(fmt::format("the four SFI-based sets are better than {}", name),
               other == scene_analysis ? "with the linear SVM and the forest" : "with every method",
               fmt::format("{} of 12 pairs of set and method", pairs), verdict(pairs >= 10));
  }
  double nearest = 1.0;
  for (std::size_t m = 0; m < 3; ++m) nearest = std::min(nearest, errors.of(rhythm, m, by_sources).value);
  claims.add("MUSIC is near chance (0.8)", "fails; 0.79 to 0.85 in the reference",
             fmt::format("{:.2f} at best", nearest), verdict(nearest > chance - 0.1));
}

std::string activity_setting(const ExperimentContext& context, std::size_t clips, std::size_t splits) {
  return fmt::format(
      "{} clips of 12.8 s made by the program ({} each of speech, noise and music, the others mixtures of these at 5 "
      "to "
      "15 and at 2 to -5 dB), each in one room of ten reverberation times with four responses, at two ears of a "
      "spherical head; frame 15. Balanced error of five classes, {} splits with 30 % of the source files held out, "
      "± standard error over the splits. Costs and gammas by 5 folds inside the training part, {} trees.",
      clips, context.quick ? quick_clips : published_clips, splits, context.quick ? 20 : 200);
}

std::vector<DryClip> activity_clips(const ExperimentContext& context, const std::vector<std::vector<float>>& noises) {
  return dry_clips(context.quick ? quick_clips : published_clips, noises, Rng(context.run.seed).child(0x4200),
                   context.run.threads);
}

Clips heard_activities(const ExperimentContext& context, const std::vector<DryClip>& dry,
                       const std::vector<Hearing>& hearings) {
  Clips clips = heard_features(dry, hearings, waves_of(context), context.run);
  clips.target = activities_of(dry, hearings);
  return clips;
}

}  // namespace

Outcome run_activity_errors(const ExperimentContext& context) {
  ExperimentWriter writer("audio-fig4-2", "Figure 4.2: errors of five hearing activities by features and method");
  const std::size_t splits = context.repeats_or(context.quick ? 2 : 6);
  const std::vector<DryClip> dry = activity_clips(context, {});
  writer.section("All reverberation times", activity_setting(context, dry.size(), splits) +
                                                " The references are of an independent computation with recorded "
                                                "speech, noise and music.");
  const Rng lots = Rng(context.run.seed).child(0x4203);
  Clips heard = heard_activities(context, dry, hearings_of(dry, 1, lots.child(0)));
  if (context.quick) heard.response.clear();
  const ActivityErrors errors = errors_of_sets(context, heard, 6);
  ReferenceAgreement agreement;
  write_errors(writer, "Figure 4.2(a)", errors, &agreement);
  write_ways(writer, errors);
  writer.plot(error_bars("All reverberation times", errors));
  Claims claims;
  claim_order(claims, errors);
  std::vector<double> by_t60;
  for (const std::size_t t60 : {1U, 6U, 9U}) {
    Clips all = heard_activities(context, dry, hearings_at(dry, t60, lots.child(t60)));
    all.response.clear();
    const ActivityErrors own = errors_of_sets(context, all, 2);
    const std::string title =
        fmt::format("Figure 4.2({}), T60 = {} s", static_cast<char>('b' + by_t60.size()), heard_t60[t60]);
    writer.section(title, "Every clip in rooms of this reverberation time; two splits.");
    write_errors(writer, title, own, nullptr);
    double sum = 0.0;
    for (std::size_t s = 0; s <= short_time; ++s) {
      for (std::size_t m = 0; m < 3; ++m) sum += own.of(s, m, by_sources).value / 12.0;
    }
    by_t60.push_back(sum);
  }
  const auto [least, most] = std::minmax_element(by_t60.begin(), by_t60.end());
  claims.add("no clear effect of T60", "none seen",
             fmt::format("{:.3f}, {:.3f}, {:.3f}: mean of the SFI-based sets", by_t60[0], by_t60[1], by_t60[2]),
             verdict(*most - *least < 0.1));
  writer.section("Claims", "What the thesis says of figure 4.2, and the independent computation.");
  claims.write(writer);
  agreement.note(writer);
  return writer.finish("the sounds are ours: what compares is the order of the sets, not the errors");
}

// The clips of ESC-50 in place of the noises made by rule.
Outcome run_recorded_noise(const ExperimentContext& context) {
  ExperimentWriter writer("audio-recorded-noise", "Figure 4.2 with recorded noise");
  const std::string folder = data_folder(context, "audio");
  const auto noises = public_noises(folder, Rng(context.run.seed).child(0x4201));
  const std::vector<DryClip> dry = activity_clips(context, noises);
  const std::size_t splits = context.repeats_or(context.quick ? 2 : 4);
  writer.section("All reverberation times", activity_setting(context, dry.size(), splits) +
                                                fmt::format(" The noise is recorded: {} clips of ESC-50, one for each "
                                                            "clip of noise and its mixtures as far as they go.",
                                                            noises.size()));
  Clips all = heard_activities(context, dry, hearings_of(dry, 1, Rng(context.run.seed).child(0x4202)));
  all.response.clear();
  const ActivityErrors errors = errors_of_sets(context, all, 4);
  ReferenceAgreement agreement;
  write_errors(writer, "Recorded noise", errors, &agreement);
  Claims claims;
  claim_order(claims, errors);
  claims.write(writer);
  agreement.note(writer);
  return writer.finish();
}

namespace {

struct PrintedFeature {
  const char* name;
  double importance;
};
constexpr PrintedFeature table_4_1[] = {
    {"betaopt34n_960", .882},     {"ea34n_abs_3920", .689},      {"ef12n_abs_3920_a10", .689},
    {"fc34n_abs_3920", .677},     {"PitchMean", .671},           {"ea12n_abs_3920_a10", .629},
    {"fc12n_abs_3920_a10", .613}, {"betaopt12n_3360_a10", .535}, {"betaopt34n_160", .532},
    {"ef34n_abs_3920", .503},     {"ef34n_ph_480", .492},        {"bc12n_abs_480_a10", .492},
    {"betaopt12n_1120", .481},    {"betaopt12n_960", .481},      {"betaopt34n_3360", .465}};
constexpr PrintedFeature table_4_2[] = {
    {"P11_320_s10", .7800}, {"PMean12_320_s10", .5830}, {"P22_320_s10", .4853}, {"PMean12_800_s10", .4584},
    {"P22_800_s10", .4233}, {"P11_800_s10", .4204},     {"P11_640_s10", .2239}, {"Ia12n_1840_a10", .1928},
    {"Onset", .1904},       {"PMean12_640_s10", .1802}, {"P22_640_s10", .1571}, {"P11_960_s10", .1339},
    {"P22_480_s10", .1247}, {"G12_ph_9440_s10", .1117}, {"P11_1840_s10", .1107}};

constexpr std::size_t shown_features = 15;

std::string set_of_column(const Clips& all, const std::string& column) {
  const auto at =
      static_cast<std::size_t>(std::find(all.columns.begin(), all.columns.end(), column) - all.columns.begin());
  for (const HeardSet& set : heard_sets()) {
    if (set.name == "sfi-st") continue;  // its columns are of the two before
    if (at >= set.first && at < set.first + set.count && column.ends_with(set.ending)) return set.printed;
  }
  return "";
}

// 0 for a feature without a band.
double band_of(const std::string& column) {
  std::string plain = column;
  for (const char* ending : {"_a10", "_s10"}) {
    if (plain.ends_with(ending)) plain.resize(plain.size() - 4);
  }
  const std::size_t line = plain.rfind('_');
  if (line == std::string::npos || line + 1 == plain.size()) return 0.0;
  const std::string last = plain.substr(line + 1);
  return std::all_of(last.begin(), last.end(), [](char c) { return c >= '0' && c <= '9'; }) ? std::stod(last) : 0.0;
}

struct ImportanceFacts {
  std::size_t deviations = 0;  // of the 15: of SFIstd
  std::size_t averages = 0;    // of SFI and SFIavg
  double median_band = 0.0;
  double decay = 0.0;  // the fifteenth by the first
  std::size_t onset_rank = 0;
};

ImportanceFacts write_importance(ExperimentWriter& writer, const std::string& title, const Clips& all,
                                 const std::vector<Importance>& list, std::span<const PrintedFeature> printed,
                                 double factor) {
  const auto rank_of = [&](const std::string& column) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const Importance& i) { return i.column == column; });
    return static_cast<std::size_t>(found - list.begin());
  };
  Table table{{{"rank"},
               {"printed"},
               {"importance", 3},
               {"ours", 4},
               {"our rank"},
               {"first of ours"},
               {"set"},
               {"increase", 4}},
              {}};
  ImportanceFacts facts;
  std::vector<double> bands;
  for (std::size_t i = 0; i < shown_features; ++i) {
    const std::size_t rank = rank_of(printed[i].name);
    const std::string set = set_of_column(all, list[i].column);
    facts.deviations += set == "SFIstd" ? 1 : 0;
    facts.averages += set == "SFI" || set == "SFIavg" ? 1 : 0;
    if (band_of(list[i].column) > 0.0) bands.push_back(band_of(list[i].column));
    table.rows.push_back({static_cast<std::int64_t>(i + 1), printed[i].name, printed[i].importance,
                          list[rank].increase * factor, static_cast<std::int64_t>(rank + 1), list[i].column, set,
                          list[i].increase * factor});
  }
  writer.table(title, std::move(table));
  std::sort(bands.begin(), bands.end());
  facts.median_band = bands.empty() ? 0.0 : bands[bands.size() / 2];
  facts.decay = list[shown_features - 1].increase / list[0].increase;
  facts.onset_rank = rank_of("Onset") + 1;
  return facts;
}

std::vector<Importance> forest_importance(const ExperimentContext& context, Clips all, std::size_t splits) {
  all.response.clear();
  StudyOptions options = activity_study(context, LearnMethod::forest, splits);
  options.importance = all.columns.size();
  return study(all, options, context.run).importance;
}

}  // namespace

Outcome run_activity_features(const ExperimentContext& context) {
  ExperimentWriter writer("audio-table4-1", "Table 4.1: the features that tell hearing activities most");
  const std::vector<DryClip> dry = activity_clips(context, {});
  const std::size_t splits = context.repeats_or(context.quick ? 2 : 6);
  writer.section("Set-up", activity_setting(context, dry.size(), splits) +
                               " One forest on all 1761 features; the increase of its balanced error, in %, when the "
                               "values of a feature change places among the clips held out.");
  const Clips all = heard_activities(context, dry, hearings_of(dry, 1, Rng(context.run.seed).child(0x4203).child(0)));
  const ImportanceFacts facts =
      write_importance(writer, "Table 4.1", all, forest_importance(context, all, 6), table_4_1, 100.0);
  Claims claims;
  claims.add("most of the 15 are of SFI or SFIavg", "14 of 15", fmt::format("{} of 15", facts.averages),
             verdict(facts.averages >= 8));
  claims.add("SFIstd is of little importance", "none of 15", fmt::format("{} of 15", facts.deviations),
             verdict(facts.deviations <= 3));
  claims.add("medium and higher frequencies", "median 3360 Hz", fmt::format("median {:.0f} Hz", facts.median_band),
             verdict(facts.median_band >= 960.0));
  claims.add("importance falls slowly", "the 15th has 0.53 of the first", fmt::format("{:.2f}", facts.decay),
             verdict(facts.decay >= 0.4));
  claims.write(writer);
  return writer.finish();
}

Outcome run_reverberation_features(const ExperimentContext& context) {
  ExperimentWriter writer("audio-table4-2", "Table 4.2: the features that tell the reverberation time most");
  const std::vector<DryClip> dry = activity_clips(context, {});
  const std::size_t splits = context.repeats_or(context.quick ? 2 : 6);
  writer.section("Set-up",
                 fmt::format("{} clips, each in two rooms of ten reverberation times, otherwise as for table 4.1. One "
                             "forest on all 1761 features, {} splits by source file; the increase of the mean "
                             "|residual| in s when the values of a feature change places among the clips held out.",
                             dry.size(), splits));
  const std::vector<Hearing> hearings = hearings_of(dry, 2, Rng(context.run.seed).child(0x4300));
  Clips all = heard_features(dry, hearings, waves_of(context), context.run);
  all.target = t60_of(hearings);
  const ImportanceFacts facts =
      write_importance(writer, "Table 4.2", all, forest_importance(context, all, 6), table_4_2, 1.0);
  Claims claims;
  claims.add("most of the 15 are of SFIstd", "13 of 15", fmt::format("{} of 15", facts.deviations),
             verdict(facts.deviations >= 8));
  claims.add("at low frequencies", "median 800 Hz", fmt::format("median {:.0f} Hz", facts.median_band),
             verdict(facts.median_band <= 1120.0 && facts.median_band > 0.0));
  claims.add("importance falls steeply", "the 15th has 0.14 of the first", fmt::format("{:.2f}", facts.decay),
             verdict(facts.decay <= 0.25));
  claims.add("Onset is the one of another set", "rank 9", fmt::format("rank {}", facts.onset_rank),
             verdict(facts.onset_rank <= shown_features));
  claims.write(writer);
  return writer.finish();
}

}  // namespace motet::audio
