// What sounds made by the program are made of: filtered noise, levels that change slowly, tones that decay.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "motet/base/rng.h"

namespace motet::discover {

using Wave = std::vector<double>;

constexpr double turn = 6.283185307179586;

double flat_noise(Rng& rng);  // variance 1, between -1.8 and 1.8
double log_uniform(Rng& rng, double low, double high);
std::size_t samples_of(double seconds, double rate);
double mean_square(std::span<const double> wave);

// Calls at(first sample) at random times, `per_second` of them on average.
template <class At>
void at_random(std::size_t samples, double per_second, double rate, Rng& rng, const At& at) {
  const double seconds = static_cast<double>(samples) / rate;
  const auto wait = [&] { return -std::log(1.0 - rng.uniform()) / per_second; };
  for (double t = wait(); t < seconds; t += wait()) at(samples_of(t, rate));
}

// A filter of two poles, stable while its place moves: a state-variable filter by the trapezoidal rule. The band has
// unit gain in its middle.
class TwoPole {
 public:
  TwoPole(double hertz, double q, double rate);
  void tune(double hertz, double q);
  void step(double x);

  double low() const { return low_; }
  double band() const { return damping_ * band_; }
  double high() const { return high_; }

 private:
  double rate_;
  double damping_ = 1.0;
  double first_ = 0.0;
  double second_ = 0.0;
  double third_ = 0.0;
  double band_state_ = 0.0;
  double low_state_ = 0.0;
  double low_ = 0.0;
  double band_ = 0.0;
  double high_ = 0.0;
};

// exp(depth x) of a noise x of variance 1 that forgets itself after `seconds`: swells and fades.
class SlowLevel {
 public:
  SlowLevel(double seconds, double depth, double rate, Rng rng);
  double operator()();

 private:
  std::size_t stride_;
  double keep_;
  double depth_;
  Rng rng_;
  double value_;
  double level_;
  double target_;
  std::size_t at_ = 0;
};

// Rises and falls by halves of a cosine within `edge` of each end; 0 outside.
double ends_at(double time, double length, double edge);

// Adds `wave` from a sample on; what is past the end is lost.
void add_at(std::span<double> sound, std::size_t first, std::span<const double> wave, double gain);

// Sine that dies by 1/e within `decay` seconds, its pitch falling or rising by the factor `bend` per decay.
Wave decaying_tone(double hertz, double decay, double bend, double rate);

// Noise around a frequency that dies by 1/e within `decay` seconds.
Wave decaying_noise(double hertz, double q, double decay, double rate, Rng& rng);

}  // namespace motet::discover
