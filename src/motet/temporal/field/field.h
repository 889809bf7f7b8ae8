// The Markov random field over the hidden components of neighbouring rows (5.9),
// (5.24) to (5.29).
//
// Row n is pulled towards the components of the rows at distance d = 1 ... h of its
// own sequence, with weight strength * w_d each. The literal weights w_d = h + 1 - d
// (5.25) sum to h (h + 1) over both sides: 6 nats at h = 2, 342 at h = 18, where they
// drown any density (erratum E19). `strength` scales them; total_weight(field) is the
// largest log-odds J that neighbours can give.
//
// At the ends of a sequence (5.25) is taken as it is (erratum E6: a field with cut
// cliques added at both ends); Border::clique counts only whole cliques, as printed:
// rows a < b (from 1) of N share min(a, N - h) - max(1, b - h) + 1 of them. A sequence
// of N <= h rows has no whole clique but is one itself: its pairs count once.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace motet::temporal {

enum class WeightShape { linear, quadratic, gaussian, custom };  // (5.25), (5.28), (5.29)
std::string_view name_of(WeightShape shape);

enum class Border { weights, clique };

struct TimeField {
  std::size_t radius = 0;  // h; 0: no field
  WeightShape shape = WeightShape::linear;
  std::vector<double> custom{};  // f_h(d) for d = 1 ... h when the shape is custom
  double strength = 1.0;         // 1: the literal energy
  Border border = Border::weights;
  // Above 0 a sequence is an image of this width, row by row, and neighbours are the
  // pixels at distance d = |dx| + |dy| = 1 ... h. Only ICM and mean field know images.
  std::size_t image_width = 0;

  bool operator==(const TimeField&) const = default;
};

// Throws Error{usage} for a strength or a custom value that is negative or not finite, custom values
// that are not one per distance, and an image with whole cliques. Called by everything below.
void check(const TimeField& field);

std::vector<double> factors_of(const TimeField& field);  // f_h(d) for d = 1 ... h

// strength * f_h(d) (h + 1 - d) for d = 1 ... h, (5.27).
std::vector<double> weights_of(const TimeField& field);

double total_weight(const TimeField& field);  // J in nats: all neighbours, away from the borders

// The same field with strength such that total_weight is J; strength 1 when there are no neighbours.
TimeField with_total_weight(TimeField field, double j);

}  // namespace motet::temporal
