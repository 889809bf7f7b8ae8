#include "motet/app/multilabel/clips.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/app/checkpoint.h"
#include "motet/app/comma_names.h"
#include "motet/app/csv_output.h"
#include "motet/app/multilabel/clip_data.h"
#include "motet/app/multilabel/clip_document.h"
#include "motet/app/multilabel/compare.h"
#include "motet/app/multilabel/evaluate_document.h"
#include "motet/app/told.h"
#include "motet/base/error.h"
#include "motet/base/streams.h"
#include "motet/data/record_fields.h"
#include "motet/data/split.h"
#include "motet/io/record_file.h"

namespace motet::multilabel {
namespace {

const Argument clip_files{"CLIPS", "recordings, or a table of frames whose sequences are clips (.csv)", 1, 1'000'000};

ClipModel read_clip_model(const std::string& path) {
  const Record record = read_record(path);
  return with_frame(path, [&] { return clip_model_from_record(record); });
}

// Logarithms of energies are what log-add adds.
void check_frames(const ClipFrames& frames, const ClipOptions& clips, bool are_recordings) {
  if (are_recordings && clips.fit.combination == temporal::SourceCombination::log_add &&
      frames.frames != FrameKind::log_mel) {
    fail(ErrorKind::usage, "--combination log-add adds energies; give --frames log-mel too");
  }
}

// --- train-clips --------------------------------------------------------------------

// What is learned from, and how.
struct ClipLearning {
  ClipOptions clips;
  ClipFrames frames;
  ClipTableOptions table;
};

template <class V>
void visit_fields(V& v, ClipLearning& o) {
  visit_fields(v, o.clips);
  visit_fields(v, o.frames);
  visit_fields(v, o.table);
}

struct TrainClipsOptions : ClipLearning {
  std::string labels;
  std::string model;
  CheckpointOptions checkpoint;
};

template <class V>
void visit_fields(V& v, TrainClipsOptions& o) {
  v("labels", o.labels, Reads{"LABELS.csv"}, "columns clip and labels, several joined by '|'");
  v("model", o.model, Writes{"MODEL.json"}, "write the model here");
  visit_fields(v, static_cast<ClipLearning&>(o));
  visit_fields(v, o.checkpoint);
}

Outcome run_train_clips(const TrainClipsOptions& options, VerbContext& context) {
  const Clips clips = read_clips(context.files, options.labels, options.frames, options.table, {}, context);
  check_frames(options.frames, options.clips, clips.are_recordings);
  const auto checkpoint = keep_checkpoints(options.checkpoint, context.run, [&](Fingerprint& shaping) {
    shaping.add(clips.features.values).add(clips.features.starts);
    for (const ClipLabels& set : clips.of_clip) shaping.add(set);
    shaping.add_options(options.clips);
  });
  ClipFit fit = with_frame(options.labels, [&] {
    return fit_with(*checkpoint, [&] {
      return train_clips({clips.features, clips.labels, clips.of_clip}, options.clips, context.run);
    });
  });
  if (clips.are_recordings) fit.model.frames = options_value(options.frames);
  write_record(options.model, to_record(fit.model));
  Outcome outcome = told(clip_train_document({fit, clips.of_clip, clips.warnings}));
  outcome.finish = [checkpoint] { checkpoint->remove(); };
  return outcome;
}

// --- classify-clips -----------------------------------------------------------------

struct ClassifyClipsOptions {
  std::string model;
  std::string out;
  ClipTableOptions table;
};

template <class V>
void visit_fields(V& v, ClassifyClipsOptions& o) {
  v("model", o.model, Reads{"MODEL.json"}, "written by `multilabel train-clips`");
  v("out", o.out, Writes{"PRED.csv"}, "write the labels of each clip here; '-' is standard output");
  visit_fields(v, o.table);
}

// Heard as the clips of training were.
Clips read_clips_for(const ClipModel& model, const std::string& path, const std::string& labels,
                     const ClipTableOptions& table, const VerbContext& context) {
  const bool knows_frames = !model.frames.is_null();
  const ClipFrames frames =
      knows_frames ? with_frame(path, [&] { return options_from<ClipFrames>(model.frames); }) : ClipFrames{};
  Clips clips = read_clips(context.files, labels, frames, table, model.labels, context);
  if (clips.are_recordings && !knows_frames) {
    fail(ErrorKind::usage, fmt::format("{}: was trained on a table of frames; it cannot hear recordings", path));
  }
  select_columns(clips.features, model.columns, context.files[0]);
  return clips;
}

Outcome run_classify_clips(const ClassifyClipsOptions& options, VerbContext& context) {
  const ClipModel model = read_clip_model(options.model);
  const Clips clips = read_clips_for(model, options.model, "", options.table, context);
  const std::vector<ClipPrediction> found = predict_clips(clips.features, model, context.run.threads);
  CsvOutput out(options.out);
  for (const std::string_view name : {"item", "labels", "probability", "log_likelihood"}) out.csv().text(name);
  out.csv().end_row();
  std::vector<std::size_t> counts(model.sets.size(), 0);
  for (std::size_t i = 0; i < found.size(); ++i) {
    out.csv().text(clips.features.sequences[i]);
    out.csv().text(told_set(model, model.sets[found[i].set]));
    out.csv().number(found[i].probability);
    out.csv().number(found[i].log_likelihood);
    out.csv().end_row();
    ++counts[found[i].set];
  }
  out.finish();
  return told(clip_classify_document(model, counts, clips.warnings));
}

// --- evaluate-clips -----------------------------------------------------------------

struct EvaluateClipsOptions : ClipLearning {
  std::string labels;
  std::string model;
  std::size_t cross_validate = 0;
  std::string compare;
};

template <class V>
void visit_fields(V& v, EvaluateClipsOptions& o) {
  v("labels", o.labels, Reads{"LABELS.csv"}, "columns clip and labels, several joined by '|'");
  v("model", o.model, Reads{"MODEL.json"}, "written by `multilabel train-clips`; the clips should be others");
  v("cross_validate", o.cross_validate, Range<std::size_t>{0, 1000},
    "instead of a model: train on all folds but one, N times; the items of a clip stay together");
  v("compare", o.compare, Text{"WORD,WORD,..."}, "also these trainings on the same folds, in the words of --method");
  visit_fields(v, static_cast<ClipLearning&>(o));
}

BitMatrix bits_of(const std::vector<ClipLabels>& sets, std::size_t labels) {
  BitMatrix bits(sets.size(), labels);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    for (const std::size_t label : sets[i]) bits.set(i, label);
  }
  return bits;
}

std::vector<ClipLabels> predicted_sets(const Features& features, const ClipModel& model, Threads threads) {
  std::vector<ClipLabels> sets;
  for (const ClipPrediction& one : predict_clips(features, model, threads)) sets.push_back(model.sets[one.set]);
  return sets;
}

// Parts of items such that those cut from one clip stay together.
Parts parts_of_items(const Clips& clips, std::size_t folds, Seed seed) {
  const std::size_t count = clips.clip_of.empty() ? 0 : clips.clip_of.back() + 1;
  if (folds > count) {
    fail(ErrorKind::usage, fmt::format("--cross-validate {} is more than the {} clips", folds, count));
  }
  std::vector<ClipLabels> of_clip(count);
  for (std::size_t i = 0; i < clips.clip_of.size(); ++i) of_clip[clips.clip_of[i]] = clips.of_clip[i];
  const Parts parts = stratified_parts(bits_of(of_clip, clips.labels.size()), folds, seed);
  std::vector<std::uint32_t> of_item;
  for (const std::size_t clip : clips.clip_of) of_item.push_back(parts.of_row[clip]);
  return {std::move(of_item), folds};
}

std::vector<ClipLabels> cross_validated(const Clips& clips, const Parts& parts, const ClipOptions& options,
                                        const RunContext& run) {
  std::vector<ClipLabels> predicted(clips.of_clip.size());
  for (std::uint32_t fold = 0; fold < parts.count; ++fold) {
    const std::vector<std::uint32_t> others = parts.others(fold);
    const std::vector<std::uint32_t> own = parts.rows_of(fold);
    const Features training = sequences_of(clips.features, others);
    std::vector<ClipLabels> sets;
    sets.reserve(others.size());
    for (const std::uint32_t i : others) sets.push_back(clips.of_clip[i]);
    const ClipFit fit = train_clips({training, clips.labels, sets}, options, run);
    const std::vector<ClipLabels> found = predicted_sets(sequences_of(clips.features, own), fit.model, run.threads);
    for (std::size_t i = 0; i < own.size(); ++i) predicted[own[i]] = found[i];
  }
  return predicted;
}

ClipTraining training_called(const std::string& word) {
  for (int i = 0; i <= static_cast<int>(ClipTraining::point_estimate_printed); ++i) {
    if (word == name_of(static_cast<ClipTraining>(i))) return static_cast<ClipTraining>(i);
  }
  fail(ErrorKind::usage, fmt::format("--compare: '{}' is not one of deconvolution, new, cross, probabilistic, "
                                     "point-estimate, point-estimate-printed",
                                     word));
}

void check_evaluation(const EvaluateClipsOptions& options) {
  const bool has_model = !options.model.empty();
  if (has_model == (options.cross_validate > 0)) {
    fail(ErrorKind::usage, "evaluate-clips: needs --model or --cross-validate, one of them");
  }
  if (options.cross_validate == 1) fail(ErrorKind::usage, "--cross-validate 1 is too few; 2 folds or more are needed");
  if (has_model && !options.compare.empty()) {
    fail(ErrorKind::usage, "--compare: goes with --cross-validate, which trains them");
  }
}

void fill_report(const Clips& clips, const std::vector<ClipLabels>& predicted, MultilabelEvaluateReport& report) {
  const std::size_t labels = clips.labels.size();
  const BitMatrix truth = bits_of(clips.of_clip, labels);
  const BitMatrix found = bits_of(predicted, labels);
  report.labels = clips.labels;
  report.warnings.insert(report.warnings.end(), clips.warnings.begin(), clips.warnings.end());
  report.quality = label_set_quality(truth, found);
  report.confused = most_confused(truth, found, truth.rows());
}

Outcome run_evaluate_clips(const EvaluateClipsOptions& options, VerbContext& context) {
  check_evaluation(options);
  MultilabelEvaluateReport report;
  report.source = context.files[0];
  std::vector<ClipLabels> predicted;
  Clips clips;
  if (!options.model.empty()) {
    const ClipModel model = read_clip_model(options.model);
    clips = read_clips_for(model, options.model, options.labels, options.table, context);
    predicted = predicted_sets(clips.features, model, context.run.threads);
    report.model_name = std::string(name_of(model.training));
    fill_report(clips, predicted, report);
    return told(multilabel_evaluate_document(report));
  }
  clips = read_clips(context.files, options.labels, options.frames, options.table, {}, context);
  check_frames(options.frames, options.clips, clips.are_recordings);
  const Seed seed = whole_seed(Seed{context.run.seed}, Stream::multilabel_evaluation_folds);
  const Parts parts = parts_of_items(clips, options.cross_validate, seed);
  predicted = cross_validated(clips, parts, options.clips, context.run);
  report.folds = options.cross_validate;
  report.model_name = std::string(name_of(options.clips.method));
  const std::size_t labels = clips.labels.size();
  const BitMatrix truth = bits_of(clips.of_clip, labels);
  const BitMatrix first = bits_of(predicted, labels);
  if (!options.compare.empty()) report.comparison.push_back(score_of(report.model_name, truth, first, first));
  for (const std::string& word : comma_names(options.compare)) {
    ClipOptions other = options.clips;
    other.method = training_called(word);
    const BitMatrix sets = bits_of(cross_validated(clips, parts, other, context.run), labels);
    report.comparison.push_back(score_of(word, truth, sets, first));
  }
  fill_report(clips, predicted, report);
  return told(multilabel_evaluate_document(report));
}

}  // namespace

std::vector<Verb> multilabel_clip_verbs() {
  return {
      make_verb("multilabel", "train-clips", "learn the sources of sound behind clips with several labels",
                {clip_files}, {{"labels"}, {"model"}}, run_train_clips),
      make_verb("multilabel", "classify-clips", "which sources sound in new clips", {clip_files}, {{"model"}, {"out"}},
                run_classify_clips, without_page),
      make_verb("multilabel", "evaluate-clips", "how well the sources of clips are told", {clip_files}, {{"labels"}},
                run_evaluate_clips),
  };
}

}  // namespace motet::multilabel
