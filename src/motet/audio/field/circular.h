// The mean and the spread of angles, which begin again after a full turn.
//
// Of unit vectors with the mean z: the mean angle is arg z, the standard deviation sqrt(-2 ln |z|). The arithmetic mean
// of degrees is wrong wherever angles lie on both sides of 180; it is here because published figures were made with it.
#pragma once

#include <complex>
#include <span>

namespace motet::audio {

double degrees_of(std::complex<double> z);                  // of arg z, 0 where z is 0; the same bits on every machine
std::complex<double> direction_of(double degrees);          // the unit vector
std::complex<double> direction_of(std::complex<double> z);  // z / |z|, and 1 where z is 0

struct AngleSpread {
  double mean = 0.0;       // degrees, in (-180, 180]
  double deviation = 0.0;  // degrees
};
AngleSpread circular_spread(std::span<const double> degrees);
AngleSpread arithmetic_spread(std::span<const double> values);  // n in the denominator

}  // namespace motet::audio
