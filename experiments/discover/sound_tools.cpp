#include "experiments/discover/sound_tools.h"

#include <algorithm>
#include <cmath>

namespace motet::discover {
namespace {

constexpr double level_step = 0.01;    // s between the values that a slow level passes through
constexpr double highest_part = 0.45;  // of the sample rate, beyond which nothing is tuned

}  // namespace

double flat_noise(Rng& rng) { return (rng.uniform() - 0.5) * 3.4641016151377544; }

double log_uniform(Rng& rng, double low, double high) { return low * std::exp(rng.uniform() * std::log(high / low)); }

std::size_t samples_of(double seconds, double rate) {
  return static_cast<std::size_t>(std::llround(std::max(0.0, seconds) * rate));
}

double mean_square(std::span<const double> wave) {
  double sum = 0.0;
  for (const double x : wave) sum += x * x;
  return wave.empty() ? 0.0 : sum / static_cast<double>(wave.size());
}

TwoPole::TwoPole(double hertz, double q, double rate) : rate_(rate) { tune(hertz, q); }

void TwoPole::tune(double hertz, double q) {
  const double g = std::tan(0.5 * turn * std::min(hertz, highest_part * rate_) / rate_);
  damping_ = 1.0 / q;
  first_ = 1.0 / (1.0 + g * (g + damping_));
  second_ = g * first_;
  third_ = g * second_;
}

void TwoPole::step(double x) {
  const double rest = x - low_state_;
  band_ = first_ * band_state_ + second_ * rest;
  low_ = low_state_ + second_ * band_state_ + third_ * rest;
  high_ = x - damping_ * band_ - low_;
  band_state_ = 2.0 * band_ - band_state_;
  low_state_ = 2.0 * low_ - low_state_;
}

SlowLevel::SlowLevel(double seconds, double depth, double rate, Rng rng)
    : stride_(std::max<std::size_t>(1, samples_of(level_step, rate))),
      keep_(std::exp(-level_step / seconds)),
      depth_(depth),
      rng_(rng),
      value_(rng_.normal()),
      level_(std::exp(depth * value_)),
      target_(level_) {}

double SlowLevel::operator()() {
  if (at_++ % stride_ == 0) {
    value_ = keep_ * value_ + std::sqrt(1.0 - keep_ * keep_) * rng_.normal();
    target_ = std::exp(depth_ * value_);
  }
  return level_ += (target_ - level_) / static_cast<double>(stride_);
}

double ends_at(double time, double length, double edge) {
  const double from_end = std::min(time, length - time);
  if (from_end <= 0.0) return 0.0;
  return from_end >= edge ? 1.0 : 0.5 - 0.5 * std::cos(0.5 * turn * from_end / edge);
}

void add_at(std::span<double> sound, std::size_t first, std::span<const double> wave, double gain) {
  if (first >= sound.size()) return;
  const std::size_t count = std::min(wave.size(), sound.size() - first);
  for (std::size_t i = 0; i < count; ++i) sound[first + i] += gain * wave[i];
}

Wave decaying_tone(double hertz, double decay, double bend, double rate) {
  Wave wave(samples_of(6.0 * decay, rate));
  double phase = 0.0;
  for (std::size_t i = 0; i < wave.size(); ++i) {
    const double part = static_cast<double>(i) / rate / decay;
    wave[i] = std::exp(-part) * std::sin(turn * phase);
    phase += std::min(hertz * std::pow(bend, part), highest_part * rate) / rate;
  }
  return wave;
}

Wave decaying_noise(double hertz, double q, double decay, double rate, Rng& rng) {
  TwoPole band(hertz, q, rate);
  Wave wave(samples_of(6.0 * decay, rate));
  for (std::size_t i = 0; i < wave.size(); ++i) {
    band.step(flat_noise(rng));
    wave[i] = std::exp(-static_cast<double>(i) / rate / decay) * band.band();
  }
  return wave;
}

}  // namespace motet::discover
