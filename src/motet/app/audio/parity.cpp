#include "motet/app/audio/parity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>

#include "motet/app/recording_features.h"
#include "motet/base/error.h"
#include "motet/io/numbers.h"
#include "motet/io/text_lines.h"
#include "motet/report/text_table.h"

namespace motet::audio {
namespace {

namespace fs = std::filesystem;

constexpr double allowed_difference = 1e-6;  // in the units of the features, in double precision

struct ParityOptions {
  std::string golden;
};

template <class V>
void visit_fields(V& v, ParityOptions& o) {
  v("golden", o.golden, Text{"FOLDER"}, "the folder with recordings and the reference values beside them");
}

std::vector<std::string> fields_of_line(std::string_view line) {
  std::vector<std::string> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    fields.emplace_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return fields;
}

double reference_number(const TextLines& lines, const std::string& field) {
  const Result<double> number = parse_double(field);
  if (!number) lines.fail_here(fmt::format("'{}' is not a number", field));
  return number.value();
}

// A table of numbers without a heading, row by row.
std::vector<double> reference_rows(const std::string& path) {
  std::vector<double> rows;
  TextLines lines(path);
  for (std::string_view line; lines.next(line);) {
    for (const std::string& field : fields_of_line(line)) rows.push_back(reference_number(lines, field));
  }
  return rows;
}

// set,name,value: the values of one set whose names begin with `prefix`.
std::vector<double> reference_set(const std::string& path, std::string_view set, std::string_view prefix) {
  std::vector<double> values;
  TextLines lines(path);
  for (std::string_view line; lines.next(line);) {
    const std::vector<std::string> fields = fields_of_line(line);
    if (fields.size() != 3 || fields[0] != set || !fields[1].starts_with(prefix)) continue;
    values.push_back(reference_number(lines, fields[2]));
  }
  return values;
}

Agreement compare_values(std::string name, std::string what, const std::vector<double>& reference,
                         const std::vector<double>& ours) {
  if (reference.size() != ours.size()) {
    fail(ErrorKind::bad_data, fmt::format("{}: has {} values where we have {}", name, reference.size(), ours.size()));
  }
  Agreement agreement{std::move(name), std::move(what), reference.size(), 0.0, 0.0, allowed_difference};
  for (std::size_t i = 0; i < ours.size(); ++i) {
    agreement.largest = std::max(agreement.largest, std::abs(reference[i]));
    agreement.worst = std::max(agreement.worst, std::abs(reference[i] - ours[i]));
  }
  return agreement;
}

std::vector<double> our_rows(const std::string& wav, const FeatureOptions& features) {
  RecordingOptions options;
  options.features = features;
  options.channel = 1;
  return recording_features(wav, options, {}).features.values;
}

FeatureOptions preset_options(Preset preset) {
  FeatureOptions options;
  options.preset = preset;
  return settled(options, [](std::string_view) { return false; });
}

FeatureOptions librosa_variant(std::string_view variant) {
  FeatureOptions options = preset_options(Preset::librosa);
  MfccOptions& mfcc = options.mfcc;
  if (variant == "htk40") {
    mfcc.coefficients = 13;
    mfcc.bands = 40;
    mfcc.window_samples = 512;
    mfcc.hop_samples = 160;
    mfcc.mel = MelScale::htk;
    mfcc.mel_norm = MelNorm::none;
  } else if (variant == "lifter") {
    mfcc.coefficients = 13;
    mfcc.lifter = 22.0;
    mfcc.low_hz = 50.0;
    mfcc.high_hz = 8000.0;
  } else if (variant == "nocenter") {
    mfcc.coefficients = 13;
    mfcc.centre = false;
  }
  return options;
}

FeatureOptions whole_frame(MfccStyle style) {
  FeatureOptions options;
  options.mfcc.mfcc_style = style;
  options.mfcc.window = 0.8;
  options.mfcc.hop = 0.8;
  return options;
}

// What belongs to one recording: `stem` is its path without the ending.
void compare_recording(const fs::path& stem, std::vector<Agreement>& found) {
  const std::string wav = stem.string() + ".wav";
  const auto reference = [&](const std::string& ending) { return stem.string() + ending; };
  const auto name = [&](const std::string& ending) { return stem.filename().string() + ending; };
  for (const char* variant : {"default", "htk40", "lifter", "nocenter"}) {
    const std::string ending = fmt::format(".mfcc_{}.csv", variant);
    if (!fs::exists(reference(ending))) continue;
    found.push_back(compare_values(name(ending), "--preset librosa", reference_rows(reference(ending)),
                                   our_rows(wav, librosa_variant(variant))));
  }
  if (fs::exists(reference(".mfcc_slaney.csv"))) {
    found.push_back(compare_values(name(".mfcc_slaney.csv"), "--preset slaney",
                                   reference_rows(reference(".mfcc_slaney.csv")),
                                   our_rows(wav, preset_options(Preset::slaney))));
  }
  if (fs::exists(reference(".mono.csv"))) {
    found.push_back(compare_values(name(".mono.csv"), "slaney, mean of 0.8 s",
                                   reference_set(reference(".mono.csv"), "MFCC", "mean_"),
                                   our_rows(wav, whole_frame(MfccStyle::slaney))));
    found.push_back(compare_values(name(".mono.csv"), "--preset single-dft",
                                   reference_set(reference(".mono.csv"), "MFCC", "single_dft"),
                                   our_rows(wav, whole_frame(MfccStyle::single_dft))));
  }
}

Outcome run_parity(const ParityOptions& options, VerbContext&) {
  const std::vector<Agreement> found = agreement_with(options.golden);
  Table table{{{"reference"}, {"features"}, {"values"}, {"largest", 3}, {"worst difference"}, {"agrees"}}, {}};
  Value::List list;
  std::size_t agreeing = 0;
  for (const Agreement& one : found) {
    const bool agrees = one.worst <= one.allowed;
    agreeing += agrees ? 1 : 0;
    table.rows.push_back({one.name, one.what, static_cast<std::int64_t>(one.values), one.largest,
                          fmt::format("{:.1e}", one.worst), agrees ? "yes" : "no"});
    list.push_back(Value::object({{"reference", one.name},
                                  {"features", one.what},
                                  {"values", one.values},
                                  {"largest", one.largest},
                                  {"worst_difference", one.worst},
                                  {"allowed", one.allowed},
                                  {"agrees", agrees}}));
  }
  Outcome outcome;
  outcome.text =
      fmt::format("{} of {} tables agree to {:g}\n\n{}", agreeing, found.size(), allowed_difference, to_text(table));
  outcome.json = Value::object({{"tables", std::move(list)}, {"agreeing", agreeing}});
  return outcome;
}

}  // namespace

std::vector<Agreement> agreement_with(const std::string& folder) {
  std::error_code problem;
  std::vector<fs::path> stems;
  for (fs::directory_iterator at(folder, problem); !problem && at != fs::directory_iterator(); at.increment(problem)) {
    if (at->path().extension() == ".wav") stems.push_back(at->path().parent_path() / at->path().stem());
  }
  if (problem) fail(ErrorKind::bad_data, fmt::format("{}: cannot be read: {}", folder, problem.message()));
  std::sort(stems.begin(), stems.end());
  std::vector<Agreement> found;
  for (const fs::path& stem : stems) compare_recording(stem, found);
  if (found.empty()) {
    fail(ErrorKind::bad_data,
         fmt::format("{}: there are no reference values; NAME.wav with NAME.mfcc_slaney.csv and the like are needed",
                     folder));
  }
  return found;
}

Verb parity_verb() {
  return make_verb("audio", "parity", "how far the coefficients are from those of other programs", {}, {{"golden"}},
                   run_parity, without_page);
}

}  // namespace motet::audio
