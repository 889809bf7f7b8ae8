#include "motet/app/audio/synthesize.h"

#include <fmt/format.h>

#include <utility>

#include "motet/app/told.h"
#include "motet/audio/scene/synthesis.h"
#include "motet/base/error.h"
#include "motet/base/streams.h"
#include "motet/io/sound_file.h"

namespace motet::audio {
namespace {

struct SynthesizeOptions {
  SoundKind kind = SoundKind::speech;
  double seconds = 5.0;
  double rate = 20480.0;
  std::string out;
};

template <class V>
void visit_fields(V& v, SynthesizeOptions& o) {
  v("kind", o.kind, sound_kinds(), "what it resembles");
  v("seconds", o.seconds, Range<double>{0.01, 3600.0}, "its length");
  v("rate", o.rate, Range<double>{1000.0, 384'000.0}, "samples per second");
  v("out", o.out, Writes{"OUT.wav"}, "write the sound here");
}

Outcome run_synthesize(const SynthesizeOptions& options, VerbContext& context) {
  const Rng rng = stream(context.run.seed, Stream::audio_sound, static_cast<std::uint64_t>(options.kind));
  write_wav(options.out, {options.rate, {synthesize(options.kind, options.seconds, options.rate, rng)}});
  const std::string_view kind = sound_kinds().words[static_cast<std::size_t>(options.kind)];
  Outcome outcome;
  outcome.text = fmt::format("{} s of {} at {} Hz\n", to_text(options.seconds), kind, to_text(options.rate));
  outcome.json = Value::object({{"kind", kind}, {"seconds", options.seconds}, {"sample_rate", options.rate}});
  return outcome;
}

}  // namespace

Verb synthesize_verb() {
  return make_verb("audio", "synthesize", "sounds made by rule: speech-like, music-like, birds, rain, wind, noise", {},
                   {{"out"}}, run_synthesize, without_page);
}

}  // namespace motet::audio
