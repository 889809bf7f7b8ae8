// Whether the sound field indicators measure what theory says of fields that are known: plane waves from the front, the
// side, 120 degrees and the back, and a diffuse field.
//
// With d between the microphones and k = 2 pi f / c, a plane wave from the front has
//   C = 1,  Ia = 2 tan(kd/2) / kd,  Ir = 0,  Z = (kd/2) cot(kd/2),  |fc|^2 / P_l = 4 sin^2(kd) / cos^2(kd/2),
// from the back Ia = -2 tan(kd/2) / kd and bc in the place of fc, from the side Ia = 0 and betatilde = 1, from another
// angle t
//   betatilde = sin(kd (1 + cos t) / 2) / sin(kd (1 - cos t) / 2),
// and in a diffuse field C = (sin(kd) / kd)^2 for the distance of the two microphones, Ia = 0.
//
// Segments of 128 samples have edges, and a frame is a sample of noise: what is allowed beyond the expected value is
// about twice what was seen with other seeds.
#pragma once

#include <string>
#include <vector>

#include "motet/audio/scene/array.h"
#include "motet/base/run.h"

namespace motet::audio {

struct FieldTestOptions {
  ArrayOptions array = {.head = HeadModel::none};
  double seconds = 3.2;          // of each field, about
  double sample_rate = 20480.0;  // Hz
  std::size_t waves = 1000;      // of the diffuse field
  std::size_t step = 5;          // degrees of the polar patterns
};

template <class V>
void visit_fields(V& v, FieldTestOptions& o) {
  v("mic_distance", o.array.mic_distance, Range<double>{0.001, 0.1},
    "metres between the front and the back microphone of a side");
  v("ear_distance", o.array.ear_distance, Range<double>{0.01, 1.0}, "metres between the left and the right side");
  v("sound_speed", o.array.sound_speed, Range<double>{100.0, 2000.0}, "metres per second");
  v("seconds", o.seconds, Range<double>{0.4, 120.0}, "of each field, about: a power of two in samples");
  v("rate", o.sample_rate, Range<double>{2000.0, 192'000.0}, "samples per second");
  v("waves", o.waves, Range<std::size_t>{100, 100'000}, "plane waves that a diffuse field is made of");
  v("step", o.step, Range<std::size_t>{1, 30}, "degrees between the points of a polar pattern");
}

// One indicator in one field, over the bands where theory says something.
struct FieldCheck {
  std::string field;      // "front", "side" ...
  std::string indicator;  // "Ia12n"
  std::string unit;
  std::vector<double> hertz;  // of the bands
  std::vector<double> expected;
  std::vector<double> measured;
  double allowed = 0.0;  // largest difference

  double worst() const;
  bool holds() const { return worst() <= allowed; }
};

struct PolarPattern {
  std::string name;  // "front cardioid"
  std::vector<double> degrees;
  std::vector<double> measured;  // by the value ahead, as amplitudes
  std::vector<double> expected;
};

struct CoherenceCurve {
  std::string pair;  // "12"
  double distance = 0.0;
  std::vector<double> hertz;
  std::vector<double> measured;
  std::vector<double> expected;
};

struct FieldTest {
  std::vector<FieldCheck> checks;
  double pattern_hertz = 0.0;
  std::vector<PolarPattern> patterns;
  std::vector<CoherenceCurve> coherence;  // of the diffuse field, per bin

  bool holds() const;
};

FieldTest test_fields(const FieldTestOptions& options, const RunContext& run);

}  // namespace motet::audio
