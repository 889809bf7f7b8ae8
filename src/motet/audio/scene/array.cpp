#include "motet/audio/scene/array.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace motet::audio {
namespace {

constexpr double half_turn = std::numbers::pi;

struct Microphone {
  double x = 0.0;
  double y = 0.0;
};

std::array<Microphone, 4> microphones(const ArrayOptions& array) {
  const double side = array.ear_distance / 2.0;
  const double ahead = array.mic_distance / 2.0;
  return {{{ahead, side}, {-ahead, side}, {ahead, -side}, {-ahead, -side}}};
}

std::complex<double> around_sphere(double radius, double cosine, double hertz, double sound_speed) {
  const double theta = std::acos(std::clamp(cosine, -1.0, 1.0));
  const double delay = radius / sound_speed * (theta < half_turn / 2.0 ? -cosine : theta - half_turn / 2.0);
  const double alpha = 1.05 + 0.95 * std::cos(theta * 180.0 / 150.0);
  const double by_corner = hertz * half_turn * radius / sound_speed;
  const std::complex<double> shade =
      std::complex<double>(1.0, alpha * by_corner) / std::complex<double>(1.0, by_corner);
  return shade * std::polar(1.0, -2.0 * half_turn * hertz * delay);
}

}  // namespace

Direction horizontal(double degrees) {
  const double angle = degrees * half_turn / 180.0;
  return {std::cos(angle), std::sin(angle), 0.0};
}

std::array<std::complex<double>, 4> heard_by(const ArrayOptions& array, const Direction& from, double hertz) {
  std::array<std::complex<double>, 4> heard;
  const std::array<Microphone, 4> at = microphones(array);
  for (std::size_t m = 0; m < at.size(); ++m) {
    const double along = from.x * at[m].x + from.y * at[m].y;
    if (array.head == HeadModel::none) {
      heard[m] = std::polar(1.0, 2.0 * half_turn * hertz * along / array.sound_speed);
    } else {
      const double radius = std::hypot(at[m].x, at[m].y);
      heard[m] = around_sphere(radius, along / radius, hertz, array.sound_speed);
    }
  }
  return heard;
}

}  // namespace motet::audio
