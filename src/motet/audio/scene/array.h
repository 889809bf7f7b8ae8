// Four microphones at two ears: what each hears of a plane wave.
//
// A wave from the direction u (a unit vector towards its source; x is forward, y left, z up) reaches the microphone at
// p as exp(i 2 pi f u.p / c) of what it is at the middle of the head. Without a head that is all. The sphere delays by
// the way around it, and takes high frequencies from the side that is turned away (Brown and Duda 1998, A structural
// model for binaural sound synthesis):
//
//   H = (1 + i alpha f / (2 f_0)) / (1 + i f / (2 f_0)),  f_0 = c / (2 pi a),
//   alpha = 1.05 + 0.95 cos(theta 180 / 150)
//
// for the angle theta between u and the microphone as seen from the middle, and a delay of -(a / c) cos theta up to 90
// degrees, (a / c) (theta - pi / 2) beyond.
#pragma once

#include <array>
#include <complex>

#include "motet/base/fields.h"

namespace motet::audio {

enum class HeadModel { none, sphere };

struct ArrayOptions {
  double mic_distance = 0.01;  // m, between front and back
  double ear_distance = 0.18;  // m, between the sides; half of it is the radius of the sphere
  double sound_speed = 343.0;  // m/s
  HeadModel head = HeadModel::sphere;
};

template <class V>
void visit_fields(V& v, ArrayOptions& o) {
  v("mic_distance", o.mic_distance, Range<double>{0.001, 1.0},
    "metres between the front and the back microphone of a side");
  v("ear_distance", o.ear_distance, Range<double>{0.01, 1.0}, "metres between the left and the right side");
  v("sound_speed", o.sound_speed, Range<double>{100.0, 2000.0}, "metres per second");
  v("head", o.head, Choices{{"none", "sphere"}}, "what is between the sides: nothing, or a sphere that shades");
}

struct Direction {
  double x = 1.0;
  double y = 0.0;
  double z = 0.0;
};
Direction horizontal(double degrees);  // 0: from the front, 90: from the left

// Left front, left back, right front, right back.
std::array<std::complex<double>, 4> heard_by(const ArrayOptions& array, const Direction& from, double hertz);

}  // namespace motet::audio
