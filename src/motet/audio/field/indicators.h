// The sound field indicators: what four microphones at two ears say of the sound around them, in twenty bands.
//
// Of the two microphones of a side, a in front and b behind it, at distance d, with k = 2 pi f / c, D = exp(-i k d),
// S = P_aa + P_bb + 2 Re P_ab and the power of the mean pressure P_l = S / 4:
//
//   P_aa, P_bb, PMean = P_l                          power per Hz, dB
//   G = P_ab / P_aa                                  transfer function, dB and degrees
//   C = |P_ab|^2 / (P_aa P_bb)                       coherence
//   Ia = 4 Im P_ab / (k d S)                         active intensity by that of the mean pressure, above 0 from the
//   front Ir = 2 (P_bb - P_aa) / (k d S)                   reactive intensity Z = (i k d / 2) (P_aa - P_bb - 2 i Im
//   P_ab) / (P_aa + P_bb - 2 Re P_ab)   impedance by that of air, dB and degrees fc: X_a - D X_b, bc: X_b - D X_a
//   cardioids, dB against P_l; phase against the mean pressure ef: fc - 0.3 bc                                  the
//   fixed beamformer betatilde = Re<fc bc*> / |bc|^2, betaopt = betatilde within [0, 1], ea: fc - betaopt bc
//
// and across the head G and C of microphones 1, 3 and 2, 4. A band has the mean of its bins, of phases the circular
// one. Levels end at -300 dB, so that silence has numbers too.
//
// The impedance and the cardioids are as the source means them: it prints powers where amplitudes are meant, and leaves
// out an imaginary unit.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "motet/audio/feature_stream.h"
#include "motet/audio/field/welch.h"
#include "motet/base/fields.h"

namespace motet::audio {

enum class PhaseMean { circular, arithmetic };
enum class CardioidLevel { power, transfer };

struct SfiOptions {
  double mic_distance = 0.01;  // m
  double sound_speed = 343.0;  // m/s
  bool with_cross_psd = false;
  PhaseMean phase_mean = PhaseMean::circular;
  CardioidLevel cardioid_level = CardioidLevel::power;
};

template <class V>
void visit_fields(V& v, SfiOptions& o) {
  v("mic_distance", o.mic_distance, Range<double>{0.001, 1.0},
    "metres between the front and the back microphone of a side");
  v("sound_speed", o.sound_speed, Range<double>{100.0, 2000.0}, "metres per second");
  v("with_cross_psd", o.with_cross_psd, "the cross spectra as well: 54 indicators instead of 46");
  v("phase_mean", o.phase_mean, Choices{{"circular", "arithmetic"}},
    "of phases over bins and time; arithmetic is wrong wherever a phase passes 180 degrees, as in published figures");
  v("cardioid_level", o.cardioid_level, Choices{{"power", "transfer"}},
    "cardioids and beamformers by their power, or by what of them goes with the mean pressure");
}

struct IndicatorName {
  std::string name;  // "G12_abs"
  std::string unit;  // "dB", "degrees" or "1"
  bool is_phase = false;
};

// One after another, side 12 and across the head as the case may be.
std::vector<IndicatorName> indicators_of_side(const SfiOptions& options, const std::string& pair);  // 20, or 22
std::vector<IndicatorName> all_indicators(const SfiOptions& options);                               // 46, or 54

// Appends band after band of each of indicators_of_side("12"), or of all.
void append_left_side(const CrossSpectra& spectra, double sample_rate, const SfiOptions& options,
                      std::vector<double>& values);
void append_all_indicators(const CrossSpectra& spectra, double sample_rate, const SfiOptions& options,
                           std::vector<double>& values);

}  // namespace motet::audio
