#include "motet/multilabel/clips/clip_train.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motet/base/error.h"
#include "motet/base/numeric.h"

namespace motet::multilabel {
namespace {

using temporal::ClipSources;
using temporal::SourceFitOptions;
using temporal::SourceHmm;
using temporal::SourcesFit;

constexpr int point_estimate_rounds = 10;

std::vector<std::uint32_t> clips_with(const std::vector<ClipLabels>& of_clip, std::size_t label, bool alone) {
  std::vector<std::uint32_t> clips;
  for (std::uint32_t i = 0; i < of_clip.size(); ++i) {
    const ClipLabels& set = of_clip[i];
    if (std::find(set.begin(), set.end(), label) != set.end() && (!alone || set.size() == 1)) clips.push_back(i);
  }
  return clips;
}

void check_labelled(const LabelledClips& clips) {
  if (clips.of_clip.size() + 1 != clips.features.starts.size()) {
    fail(ErrorKind::internal, "labels of " + std::to_string(clips.of_clip.size()) + " clips do not fit " +
                                  std::to_string(clips.features.starts.size() - 1));
  }
  for (std::size_t i = 0; i < clips.of_clip.size(); ++i) {
    if (!clips.of_clip[i].empty()) continue;
    fail(ErrorKind::unanswerable,
         "clip '" + clips.features.sequences[i] + "' has no label; give silence a label of its own");
  }
  for (std::size_t label = 0; label < clips.labels.size(); ++label) {
    if (!clips_with(clips.of_clip, label, false).empty()) continue;
    fail(ErrorKind::unanswerable, "label '" + clips.labels[label] + "' has no clip");
  }
  const bool are_alike = std::all_of(clips.of_clip.begin(), clips.of_clip.end(),
                                     [&](const ClipLabels& set) { return set == clips.of_clip.front(); });
  if (are_alike) fail(ErrorKind::unanswerable, "all clips have the same labels; there is nothing to tell apart");
}

void count_sets(const LabelledClips& clips, ClipModel& model) {
  for (const ClipLabels& set : clips.of_clip) {
    const auto found = std::find(model.sets.begin(), model.sets.end(), set);
    if (found == model.sets.end()) model.sets.push_back(set);
  }
  std::sort(model.sets.begin(), model.sets.end());
  for (const ClipLabels& set : model.sets) {
    const auto count = std::count(clips.of_clip.begin(), clips.of_clip.end(), set);
    model.set_shares.push_back(static_cast<double>(count) / static_cast<double>(clips.of_clip.size()));
  }
}

// Each clip teaches only the sources that `of_clip` names, as if it were alone there.
SourcesFit fit_each(const LabelledClips& clips, const std::vector<ClipLabels>& of_clip, std::size_t sources,
                    const std::vector<double>& weights, const SourceFitOptions& options, const RunContext& run) {
  SourcesFit all;
  for (std::size_t source = 0; source < sources; ++source) {
    ClipSources one;
    one.sources = 1;
    for (std::size_t i = 0; i < of_clip.size(); ++i) {
      const bool sounds = std::find(of_clip[i].begin(), of_clip[i].end(), source) != of_clip[i].end();
      one.of_clip.push_back(sounds ? std::vector<std::size_t>{0} : std::vector<std::size_t>{});
    }
    one.weights = weights;
    const SourceHmm start = temporal::source_start(clips.features, clips_with(of_clip, source, false), options, run);
    const std::string stage = "source " + std::to_string(source + 1);
    SourcesFit fit = temporal::fit_sources(clips.features, one, {start}, options, run, stage);
    all.sources.push_back(std::move(fit.sources[0]));
    all.summary = std::move(fit.summary);
  }
  return all;
}

std::vector<double> shared_weights(const std::vector<ClipLabels>& of_clip) {
  std::vector<double> weights;
  weights.reserve(of_clip.size());
  for (const ClipLabels& set : of_clip) weights.push_back(1.0 / static_cast<double>(set.size()));
  return weights;
}

// From clips where a label is alone; from all of its clips where it never is.
std::vector<SourceHmm> starts_alone(const LabelledClips& clips, const SourceFitOptions& options,
                                    const RunContext& run) {
  std::vector<SourceHmm> starts;
  for (std::size_t label = 0; label < clips.labels.size(); ++label) {
    std::vector<std::uint32_t> of_label = clips_with(clips.of_clip, label, true);
    if (of_label.empty()) of_label = clips_with(clips.of_clip, label, false);
    starts.push_back(temporal::source_start(clips.features, of_label, options, run));
  }
  return starts;
}

// The frames of every clip with several labels, once for each, without what the others emit on average (5.23).
struct PartClips {
  Features features;
  ClipSources sources;
};

PartClips without_others(const LabelledClips& clips, const std::vector<SourceHmm>& sources, bool as_printed) {
  std::vector<std::vector<double>> emitted;
  emitted.reserve(sources.size());
  for (const SourceHmm& source : sources) emitted.push_back(temporal::mean_emission(source));
  PartClips parts;
  const std::size_t dimensions = clips.features.dimensions();
  parts.features.columns = clips.features.columns;
  parts.features.clock = clips.features.clock;
  parts.sources.sources = sources.size();
  for (std::size_t clip = 0; clip < clips.of_clip.size(); ++clip) {
    const ClipLabels& set = clips.of_clip[clip];
    for (const std::size_t own : set) {
      const double factor = as_printed ? 1.0 : static_cast<double>(set.size());
      for (std::size_t n = clips.features.starts[clip]; n < clips.features.starts[clip + 1]; ++n) {
        for (std::size_t d = 0; d < dimensions; ++d) {
          double x = factor * clips.features.row(n)[d];
          for (const std::size_t other : set) x -= other == own ? 0.0 : emitted[other][d];
          parts.features.values.push_back(set.size() == 1 ? clips.features.row(n)[d] : x);
        }
      }
      parts.features.starts.push_back(parts.features.values.size() / dimensions);
      parts.features.sequences.push_back(clips.features.sequences[clip]);
      parts.sources.of_clip.push_back({own});
    }
  }
  return parts;
}

SourcesFit fit_point_estimates(const LabelledClips& clips, bool as_printed, const SourceFitOptions& options,
                               const RunContext& run) {
  SourcesFit fit{starts_alone(clips, options, run), {}};
  for (int round = 0; round < point_estimate_rounds; ++round) {
    const PartClips parts = without_others(clips, fit.sources, as_printed);
    fit = temporal::fit_sources(parts.features, parts.sources, fit.sources, options, run,
                                "round " + std::to_string(round + 1));
    if (fit.summary.stop == Stop::interrupted) break;
  }
  return fit;
}

SourcesFit fit_model(const LabelledClips& clips, const ClipModel& model, const ClipOptions& options,
                     const RunContext& run) {
  const std::size_t labels = clips.labels.size();
  switch (options.method) {
    case ClipTraining::own_model: {
      std::vector<ClipLabels> set_of;
      for (const ClipLabels& set : clips.of_clip) {
        const auto found = std::find(model.sets.begin(), model.sets.end(), set);
        set_of.push_back({static_cast<std::size_t>(found - model.sets.begin())});
      }
      return fit_each(clips, set_of, model.sets.size(), {}, options.fit, run);
    }
    case ClipTraining::cross: return fit_each(clips, clips.of_clip, labels, {}, options.fit, run);
    case ClipTraining::probabilistic:
      return fit_each(clips, clips.of_clip, labels, shared_weights(clips.of_clip), options.fit, run);
    case ClipTraining::point_estimate: return fit_point_estimates(clips, false, options.fit, run);
    case ClipTraining::point_estimate_printed: return fit_point_estimates(clips, true, options.fit, run);
    case ClipTraining::deconvolution: break;
  }
  const ClipSources sources{clips.of_clip, {}, labels};
  return temporal::fit_sources(clips.features, sources, starts_alone(clips, options.fit, run), options.fit, run,
                               "sources");
}

std::vector<temporal::SourceMix> mixes_of(const ClipModel& model) {
  std::vector<temporal::SourceMix> mixes;
  for (std::size_t set = 0; set < model.sets.size(); ++set) {
    mixes.emplace_back(sources_of(model, set), model.combination);
  }
  return mixes;
}

}  // namespace

ClipFit train_clips(const LabelledClips& clips, const ClipOptions& options, const RunContext& run) {
  check_ranges(options);
  check_labelled(clips);
  ClipFit fit;
  ClipModel& model = fit.model;
  model.columns = clips.features.columns;
  model.labels = clips.labels;
  model.training = options.method;
  model.combination = options.fit.combination;
  count_sets(clips, model);
  SourcesFit sources = fit_model(clips, model, options, run);
  if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while learning sources");
  model.sources = std::move(sources.sources);
  fit.summary = std::move(sources.summary);
  mixes_of(model);  // refuses sets with too many joint states
  return fit;
}

std::vector<double> set_log_likelihoods(const Features& features, const ClipModel& model, Threads threads) {
  if (features.columns != model.columns) {
    fail(ErrorKind::bad_data, "the columns are not those of the model; name and order must agree");
  }
  const std::vector<temporal::SourceMix> mixes = mixes_of(model);
  const std::size_t clips = features.starts.size() - 1;
  std::vector<double> table(clips * mixes.size());
  for_each_task(clips, threads, [&](std::size_t clip) {
    const std::size_t begin = features.starts[clip] * features.dimensions();
    const std::size_t end = features.starts[clip + 1] * features.dimensions();
    const std::span<const double> rows = std::span(features.values).subspan(begin, end - begin);
    for (std::size_t set = 0; set < mixes.size(); ++set) {
      table[clip * mixes.size() + set] = temporal::log_likelihood(mixes[set], rows);
    }
  });
  return table;
}

std::vector<ClipPrediction> predict_clips(const Features& features, const ClipModel& model, Threads threads) {
  const std::vector<double> table = set_log_likelihoods(features, model, threads);
  const std::size_t sets = model.sets.size();
  std::vector<ClipPrediction> predictions;
  for (std::size_t clip = 0; clip * sets < table.size(); ++clip) {
    std::vector<double> joint(sets);
    for (std::size_t set = 0; set < sets; ++set) {
      joint[set] = table[clip * sets + set] + std::log(model.set_shares[set]);
    }
    const auto best = static_cast<std::size_t>(std::max_element(joint.begin(), joint.end()) - joint.begin());
    predictions.push_back({best, std::exp(joint[best] - log_sum_exp(joint)), table[clip * sets + best]});
  }
  return predictions;
}

}  // namespace motet::multilabel
