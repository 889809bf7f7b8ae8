#include "motet/app/audio/mix.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <optional>
#include <utility>

#include "motet/app/csv_output.h"
#include "motet/app/told.h"
#include "motet/audio/scene/mix.h"
#include "motet/base/error.h"
#include "motet/base/streams.h"
#include "motet/io/label_track.h"
#include "motet/io/sound_file.h"
#include "motet/report/text_table.h"

namespace motet::audio {
namespace {

struct MixOptions {
  double gain = 1.0;
  std::optional<double> snr;
  std::string at = "random";
  double window = 0.25;
  double hop = 0.10;
  std::string background_label = "background";
  SoundChoice sounds;
  std::string out;
  std::string labels;
  std::string track;
};

template <class V>
void visit_fields(V& v, MixOptions& o) {
  v("gain", o.gain, Range<double>{0.0001, 100.0},
    "how strong foregrounds become: 1 is as strong as the background that they cover, 0.1 hardly to be recognised");
  v("snr", o.snr, Range<double>{-80.0, 80.0}, "the same as a signal-to-noise ratio in dB, in the place of --gain");
  v("at", o.at, Text{"SECONDS|random"},
    "where foregrounds begin, in seconds joined by commas, one each; random: anywhere, without overlap");
  v("window", o.window, Range<double>{0.001, 60.0}, "seconds of a row of --labels");
  v("hop", o.hop, Range<double>{0.001, 60.0}, "seconds from a row of --labels to the next");
  v("background_label", o.background_label, Text{"NAME"}, "the label of rows without a foreground");
  v("channel", o.sounds.channel, Range<std::size_t>{0, 1024}, "of each sound, the first is 1; 0: all of them");
  v("rate", o.sounds.rate, Range<double>{0.0, 1e7}, "samples per second that sounds are brought to; 0: as they are");
  v("out", o.out, Writes{"MIX.wav"}, "write the mixture here");
  v("labels", o.labels, Writes{"MIX.csv"},
    "write the label of each row here: of all foregrounds that share a sample with it");
  v("track", o.track, Writes{"LABELS.txt"}, "write where foregrounds are as a label track of Audacity here");
}

std::string name_of(const std::string& path) { return std::filesystem::path(path).stem().string(); }

double seconds_at(std::string_view text) {
  const Result<double> seconds = parse_double(text);
  if (!seconds) fail(ErrorKind::usage, "--at: " + seconds.reason());
  if (seconds.value() < 0.0) fail(ErrorKind::usage, fmt::format("--at {}: is before the beginning", text));
  return seconds.value();
}

std::vector<std::size_t> places_of(const MixOptions& options, const Sound& background,
                                   const std::vector<Foreground>& foregrounds, const VerbContext& context) {
  if (options.at == "random") {
    return random_places(background.samples(), foregrounds, stream(context.run.seed, Stream::audio_mix));
  }
  std::vector<std::size_t> places;
  for (std::size_t begin = 0; begin <= options.at.size();) {
    const std::size_t end = std::min(options.at.find(',', begin), options.at.size());
    const double seconds = seconds_at(std::string_view(options.at).substr(begin, end - begin));
    places.push_back(static_cast<std::size_t>(std::llround(seconds * background.sample_rate)));
    begin = end + 1;
  }
  if (places.size() != foregrounds.size()) {
    fail(ErrorKind::usage,
         fmt::format("--at: has {} places; {} foregrounds need one each", places.size(), foregrounds.size()));
  }
  return places;
}

void write_labels(const std::string& path, const std::string& name, const FrameClock& clock,
                  const std::vector<std::string>& labels) {
  CsvOutput out(path);
  out.csv().row(std::vector<std::string>{"sequence", "time", "label"});
  for (std::size_t row = 0; row < labels.size(); ++row) {
    out.csv().text(name).number(clock.begin(row)).text(labels[row]);
    out.csv().end_row();
  }
  out.finish();
}

Document mix_document(const Mixture& mixture, double gain, const std::vector<std::string>& warnings) {
  Document document;
  document.title = "A mixture";
  Listing placed{{{"foreground", "label"}, {"begin (s)", "begin", 3}, {"end (s)", "end", 3}, {"factor", "factor"}}};
  const double rate = mixture.sound.sample_rate;
  for (const Placed& one : mixture.placed) {
    placed.rows.push_back({one.label, static_cast<double>(one.first) / rate,
                           static_cast<double>(one.first + one.samples) / rate, one.factor});
  }
  document.text = fmt::format("{:.2f} s with {}, gain {:.4g} ({:+.1f} dB)\n", mixture.sound.seconds(),
                              counted(mixture.placed.size(), "foreground"), gain, 20.0 * std::log10(gain));
  document.show(placed.table());
  document.text += warning_lines(warnings);
  document.json = Value::object({{"seconds", mixture.sound.seconds()},
                                 {"sample_rate", rate},
                                 {"channels", mixture.sound.channels.size()},
                                 {"gain", gain},
                                 {"foregrounds", placed.json()},
                                 {"warnings", Value::list_of(warnings)}});
  return document;
}

Outcome run_mix(const MixOptions& options, VerbContext& context) {
  if (options.snr && is_given(context, "gain")) fail(ErrorKind::usage, "mix: --gain and --snr say the same; give one");
  std::vector<std::string> warnings;
  Sound background = read_sound(context.files[0], options.sounds, warnings);
  std::vector<Foreground> foregrounds;
  for (std::size_t i = 1; i < context.files.size(); ++i) {
    foregrounds.push_back({name_of(context.files[i]), read_sound(context.files[i], options.sounds, warnings)});
  }
  const std::vector<std::size_t> places = places_of(options, background, foregrounds, context);
  const double gain = options.snr ? gain_of_ratio(*options.snr) : options.gain;
  const Mixture mixture = mix(std::move(background), foregrounds, places, gain);
  const std::string name = std::filesystem::path(options.out).filename().string();
  write_wav(options.out, mixture.sound);
  if (!options.labels.empty()) {
    const FrameClock clock{options.hop, options.window};
    write_labels(options.labels, name, clock, labels_of_rows(mixture, clock, options.background_label));
  }
  if (!options.track.empty()) write_atomically(options.track, audacity_labels(segments_of(mixture, name)));
  Document document = mix_document(mixture, gain, warnings);
  return {std::move(document.text), std::move(document.json)};
}

}  // namespace

Verb mix_verb() {
  return make_verb("audio", "mix", "foreground sounds into a background, at a known level and place",
                   {{"BACKGROUND.wav", "what is there all the time"},
                    {"FOREGROUND.wav", "what is put into it; its name without the ending is its label", 1, 10'000}},
                   {{"out"}}, run_mix, without_page);
}

}  // namespace motet::audio
