#include "motet/app/multilabel/clip_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <set>

#include "motet/app/comma_names.h"
#include "motet/app/recording_features.h"
#include "motet/audio/mel.h"
#include "motet/base/error.h"
#include "motet/io/audio_file.h"
#include "motet/io/clip_labels_csv.h"
#include "motet/io/features_file.h"

namespace motet::multilabel {
namespace {

constexpr double nepers_per_decibel = 0.23025850929940458;  // of power: ln(10) / 10

// To a mean energy of 1 over frames and bands; the same as scaling the sound.
void level_out(std::vector<double>& levels) {
  double sum = 0.0;
  for (const double level : levels) sum += std::exp(level);
  const double mean = std::log(sum / static_cast<double>(levels.size()));
  for (double& level : levels) level -= mean;
}

std::vector<double> cepstra_of(std::span<const double> levels, std::size_t bands, std::size_t coefficients) {
  const std::vector<double> cosines = audio::cosine_transform(coefficients, bands);
  std::vector<double> rows(levels.size() / bands * coefficients, 0.0);
  for (std::size_t n = 0; n * bands < levels.size(); ++n) {
    for (std::size_t b = 0; b < bands; ++b) {
      const double level = levels[n * bands + b] / nepers_per_decibel;
      for (std::size_t c = 0; c < coefficients; ++c)
        rows[n * coefficients + c] += cosines[b * coefficients + c] * level;
    }
  }
  return rows;
}

Features heard_clip(const std::string& path, const ClipFrames& frames, const RunContext& run,
                    std::vector<std::string>& warnings) {
  RecordingOptions options;
  options.features.set = "log-mel";
  options.features.mfcc.bands = frames.bands;
  options.features.mfcc.window = frames.window;
  options.features.mfcc.hop = frames.hop;
  options.channel = frames.channel;
  RecordingFeatures heard = recording_features(path, options, run);
  warnings.insert(warnings.end(), heard.warnings.begin(), heard.warnings.end());
  Features features = std::move(heard.features);
  std::vector<double> levels = std::move(features.values);
  for (double& level : levels) level *= nepers_per_decibel;
  if (!frames.keep_level) level_out(levels);
  const bool is_mfcc = frames.frames == FrameKind::mfcc;
  features.values = is_mfcc ? cepstra_of(levels, frames.bands, frames.coefficients) : std::move(levels);
  features.columns.clear();
  const std::size_t width = is_mfcc ? frames.coefficients : frames.bands;
  for (std::size_t c = 0; c < width; ++c) features.columns.push_back(fmt::format("{}{}", is_mfcc ? "mfcc" : "mel", c));
  features.sequences[0] = path;
  return features;
}

Features read_table_clips(const std::string& path, const ClipTableOptions& table, const RunContext& run,
                          std::vector<std::string>& warnings) {
  FeaturesFormat format;
  format.delimiter = parse_delimiter(table.delimiter);
  format.sequence_column = table.sequence_column;
  format.leave_out = comma_names(table.leave_out);
  FeaturesFile file = read_features(path, format, run);
  warnings.insert(warnings.end(), file.warnings.begin(), file.warnings.end());
  if (file.features.sequences.size() == 1 && file.features.sequences[0].empty()) {
    fail(ErrorKind::usage,
         fmt::format("{}: says of no row which clip it is of; name the column with --sequence-column", path));
  }
  return std::move(file.features);
}

void read_files(const std::vector<std::string>& files, const ClipFrames& frames, const ClipTableOptions& table,
                const RunContext& run, Clips& clips) {
  const auto audio = static_cast<std::size_t>(std::count_if(files.begin(), files.end(), is_audio_name));
  if (audio != 0 && audio != files.size()) {
    fail(ErrorKind::usage, "recordings and tables of frames do not go together; give files of one kind");
  }
  clips.are_recordings = audio > 0;
  std::exception_ptr first_failure;
  bool is_first = true;
  for (const std::string& file : files) {
    try {
      Features more = clips.are_recordings ? heard_clip(file, frames, run, clips.warnings)
                                           : read_table_clips(file, table, run, clips.warnings);
      if (is_first) {
        clips.features = std::move(more);
      } else {
        with_frame(file, [&] { append(clips.features, more); });
      }
      is_first = false;
    } catch (const Error& error) {
      const bool is_of_the_file = error.kind() == ErrorKind::bad_data || error.kind() == ErrorKind::usage;
      if (!clips.are_recordings || table.strict || !is_of_the_file) throw;
      if (!first_failure) first_failure = std::current_exception();
      clips.warnings.push_back(std::string(error.what()) + "; it was left out");
    }
  }
  if (is_first) std::rethrow_exception(first_failure);
  std::set<std::string> names;
  for (const std::string& name : clips.features.sequences) {
    if (!names.insert(name).second) fail(ErrorKind::bad_data, fmt::format("clip '{}' comes twice", name));
  }
}

// A clip by its whole name, or by that of its file without the folder.
bool is_called(const std::string& sequence, const std::string& name) {
  return sequence == name || (sequence.size() > name.size() && sequence.ends_with("/" + name));
}

ClipLabels numbers_of(const ClipLabelRow& row, const std::vector<std::string>& labels, const std::string& file) {
  ClipLabels set;
  for (const std::string& label : row.labels) {
    const auto found = std::find(labels.begin(), labels.end(), label);
    if (found == labels.end()) {
      fail(ErrorKind::bad_data, fmt::format("{}: label '{}' of clip '{}' is not one of the model's; it has {}", file,
                                            label, row.name, fmt::join(labels, ", ")));
    }
    set.push_back(static_cast<std::size_t>(found - labels.begin()));
  }
  std::sort(set.begin(), set.end());
  return set;
}

void read_labels(const std::string& file, const ClipTableOptions& table, const std::vector<std::string>& known,
                 Clips& clips) {
  const std::vector<ClipLabelRow> rows = read_clip_labels(file, parse_delimiter(table.delimiter));
  std::vector<const ClipLabelRow*> of_clip;
  for (const std::string& sequence : clips.features.sequences) {
    const ClipLabelRow* own = nullptr;
    for (const ClipLabelRow& row : rows) {
      if (!is_called(sequence, row.name)) continue;
      if (own != nullptr) {
        fail(ErrorKind::bad_data,
             fmt::format("{}: clip '{}' may be '{}' or '{}'", file, sequence, own->name, row.name));
      }
      own = &row;
    }
    if (own == nullptr) fail(ErrorKind::bad_data, fmt::format("{}: clip '{}' is not there", file, sequence));
    of_clip.push_back(own);
  }
  clips.labels = known;
  if (known.empty()) {
    std::set<std::string> names;
    for (const ClipLabelRow* row : of_clip) names.insert(row->labels.begin(), row->labels.end());
    clips.labels.assign(names.begin(), names.end());
  }
  for (const ClipLabelRow* row : of_clip) clips.of_clip.push_back(numbers_of(*row, clips.labels, file));
  if (rows.size() > of_clip.size()) {
    clips.warnings.push_back(
        fmt::format("{}: {} labels are of clips that were not given", file, rows.size() - of_clip.size()));
  }
}

// Items of `frames` frames; what is left at the end of a clip is dropped unless it is all there is.
void cut_into_items(std::size_t frames, Clips& clips) {
  const Features whole = std::move(clips.features);
  const std::vector<ClipLabels> of_clip = std::move(clips.of_clip);
  clips.features = {};
  clips.of_clip.clear();
  clips.clip_of.clear();
  clips.features.columns = whole.columns;
  clips.features.clock = whole.clock;
  const std::size_t width = whole.dimensions();
  for (std::size_t clip = 0; clip + 1 < whole.starts.size(); ++clip) {
    const std::size_t rows = whole.starts[clip + 1] - whole.starts[clip];
    for (std::size_t first = 0; first == 0 || first + frames <= rows; first += frames) {
      const std::size_t count = std::min(frames, rows);
      const auto begin = static_cast<std::ptrdiff_t>((whole.starts[clip] + first) * width);
      clips.features.values.insert(clips.features.values.end(), whole.values.begin() + begin,
                                   whole.values.begin() + begin + static_cast<std::ptrdiff_t>(count * width));
      clips.features.starts.push_back(clips.features.values.size() / width);
      const std::string place = whole.clock.has_time() ? to_text(whole.clock.begin(first)) : std::to_string(first + 1);
      clips.features.sequences.push_back(fmt::format("{}@{}", whole.sequences[clip], place));
      clips.clip_of.push_back(clip);
      if (!of_clip.empty()) clips.of_clip.push_back(of_clip[clip]);
    }
  }
}

}  // namespace

Clips read_clips(const std::vector<std::string>& files, const std::string& labels_file, const ClipFrames& frames,
                 const ClipTableOptions& table, const std::vector<std::string>& known, const VerbContext& context) {
  if (frames.frames == FrameKind::mfcc && frames.coefficients > frames.bands) {
    fail(ErrorKind::usage, fmt::format("--coefficients {} is more than --bands {}", frames.coefficients, frames.bands));
  }
  Clips clips;
  read_files(files, frames, table, context.run, clips);
  if (!labels_file.empty()) read_labels(labels_file, table, known, clips);
  for (std::size_t clip = 0; clip + 1 < clips.features.starts.size(); ++clip) clips.clip_of.push_back(clip);
  if (table.item_frames > 0) cut_into_items(table.item_frames, clips);
  return clips;
}

}  // namespace motet::multilabel
