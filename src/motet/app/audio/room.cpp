#include "motet/app/audio/room.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "motet/app/told.h"
#include "motet/audio/scene/room.h"
#include "motet/base/error.h"
#include "motet/base/streams.h"
#include "motet/io/sound_file.h"
#include "motet/report/text_table.h"

namespace motet::audio {
namespace {

struct RoomVerbOptions {
  RoomOptions room;
  double rate = 20480.0;
  bool with_tail = false;
  std::string response;
  std::string out;
};

template <class V>
void visit_fields(V& v, RoomVerbOptions& o) {
  visit_fields(v, o.room);
  v("rate", o.rate, Range<double>{1000.0, 384'000.0}, "samples per second of the response where there is no sound");
  v("with_tail", o.with_tail, "the sound goes on until it has faded out, not only as long as it was");
  v("response", o.response, Writes{"RESPONSE.wav"}, "write the responses of the four microphones here");
  v("out", o.out, Writes{"OUT.wav"}, "write what the four microphones record here");
}

// The mean of all channels: what the source sends out.
std::vector<float> source_of(const Sound& sound) {
  std::vector<float> source(sound.samples());
  const auto channels = static_cast<double>(sound.channels.size());
  for (std::size_t t = 0; t < source.size(); ++t) {
    double sum = 0.0;
    for (const std::vector<float>& channel : sound.channels) sum += static_cast<double>(channel[t]);
    source[t] = static_cast<float>(sum / channels);
  }
  return source;
}

Outcome run_room(const RoomVerbOptions& options, VerbContext& context) {
  const bool has_sound = !context.files.empty();
  if (has_sound) require_given("room", context, {"out"});
  if (!has_sound) require_given("room", context, {"response"});
  if (!has_sound && is_given(context, "out")) fail(ErrorKind::usage, "room: --out needs a sound IN.wav");
  if (has_sound && is_given(context, "rate"))
    fail(ErrorKind::usage, "room: --rate is that of the sound, where there is one");
  std::vector<std::string> warnings;
  const Sound sound = has_sound ? read_sound(context.files[0], {}, warnings) : Sound{options.rate, {}};
  const Sound response = room_response(options.room, sound.sample_rate, stream(context.run.seed, Stream::audio_room));
  if (!options.response.empty()) write_wav(options.response, response);
  std::string heard;
  if (has_sound) {
    const Sound recorded = in_room(source_of(sound), response, options.with_tail);
    write_wav(options.out, recorded);
    heard = fmt::format(", {:.2f} s recorded", recorded.seconds());
  }
  Outcome outcome;
  outcome.text =
      fmt::format("four microphones at {} Hz: T60 {} s, direct over reverberation {} dB, from {} degrees{}\n",
                  to_text(sound.sample_rate), to_text(options.room.t60), to_text(options.room.direct_ratio),
                  to_text(options.room.angle), heard) +
      warning_lines(warnings);
  outcome.json = Value::object({{"sample_rate", sound.sample_rate},
                                {"t60", options.room.t60},
                                {"direct_ratio", options.room.direct_ratio},
                                {"angle", options.room.angle},
                                {"response_seconds", response.seconds()},
                                {"warnings", Value::list_of(warnings)}});
  return outcome;
}

}  // namespace

Verb room_verb() {
  return make_verb("audio", "room", "what four microphones at two ears record in a simulated room",
                   {{"IN.wav", "a sound without a room; channels are averaged", 0, 1}}, {}, run_room, without_page);
}

}  // namespace motet::audio
