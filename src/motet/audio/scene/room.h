// A simulated room: how a sound that comes from one direction arrives at four microphones.
//
// The response is the direct wave from `angle` and, from the same moment on, `waves` plane waves from directions drawn
// evenly over the sphere, each Gaussian noise of its own that decays by 60 dB within `t60`. Their energy together is
// that of the direct wave less `direct_ratio` dB, at the middle of the head. There is no floor, no wall and no distance
// in it: it is for experiments that need a reverberation time, its fluctuations and their coherence between the
// microphones, not for listening to a room.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "motet/audio/scene/array.h"
#include "motet/base/rng.h"
#include "motet/data/sound.h"

namespace motet::audio {

struct RoomOptions {
  double t60 = 1.0;           // s
  double direct_ratio = 5.0;  // dB
  double angle = 0.0;         // degrees
  std::size_t waves = 32;
  ArrayOptions array;
};

template <class V>
void visit_fields(V& v, RoomOptions& o) {
  v("t60", o.t60, Range<double>{0.05, 30.0}, "seconds in which reverberation falls by 60 dB");
  v("direct_ratio", o.direct_ratio, Range<double>{-60.0, 60.0}, "level of the direct sound over the reverberation, dB");
  v("angle", o.angle, Range<double>{-360.0, 360.0}, "where the sound comes from, in degrees: 0 is ahead, 90 left");
  v("waves", o.waves, Range<std::size_t>{1, 1000}, "directions that reverberation comes from");
  visit_fields(v, o.array);
}

// Four channels; the direct wave passes the middle of the head at `response_lead` seconds.
Sound room_response(const RoomOptions& options, double sample_rate, Rng rng);

constexpr double response_lead = 0.005;  // s

// What the microphones record of a sound of one channel: as many samples as the sound, or as it takes to fade out.
Sound in_room(std::span<const float> sound, const Sound& response, bool with_tail);

}  // namespace motet::audio
