// Eleven features of auditory scene analysis, of one channel.
//
// Sub-windows of 128 samples, a new one every 64; spectra with a Hann window; the twenty Bark bands of field/bark.h.
//
//   AHwidth       from the 10 % to the 90 % quantile of the levels of the sub-windows, dB
//   CGAV, CGFS    mean and variance of the centre of gravity sum f |X| / sum |X|, Hz and Hz^2
//   LowFreqAbs    mean power in the three lowest bands together, dB
//   MeanLev       level, dB
//   Onset         mean rise per hop of the magnitudes of the bands, dB, smoothed over 10 ms; falls count as 0
//   PitchMean     mean pitch of the tonal windows, Hz; 0 where there is none
//   Tonality      tonal windows by others
//   Spect1 ... 3  share of the power up to 500 Hz, up to 2000 Hz and above, by the middle of the bands
//
// The source names them; how they are computed it leaves to texts that are not at hand, so this is a choice. There the
// features need about 10 s to settle, which says that they had a memory: `asa_memory` averages them with weights that
// fall to 1/e in so many seconds.
#pragma once

#include "motet/audio/feature_stream.h"
#include "motet/base/fields.h"

namespace motet::audio {

struct AsaOptions {
  double asa_memory = 0.0;  // s
};

template <class V>
void visit_fields(V& v, AsaOptions& o) {
  v("asa_memory", o.asa_memory, Range<double>{0.0, 3600.0},
    "seconds in which what was heard before loses 1 - 1/e of its weight in the features of a row; 0: a row is itself "
    "alone");
}

// Of the first channel that is pushed.
FeatureStream asa_stream(const AsaOptions& options, const FrameClock& frames, const SoundShape& sound);

}  // namespace motet::audio
