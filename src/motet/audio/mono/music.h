// Seventeen features made for genres of music, of one channel.
//
//   SAHK            kurtosis of the samples (3 for Gaussian noise)
//   TACM            lag of the highest autocorrelation of the envelope, s, from 1/20 s to half of what is heard
//   BBSR10 ... 90   frequency below which so many percent of the beat spectrum lie, Hz
//   BSTC            its peaks of at least half its highest value
//   BSSUM           its sum
//   BSRA            its second highest peak by the highest
//   BSPCT90 ...     its 90 %, 95 % and 97.5 % quantiles
//
// The envelope is the mean magnitude of 64 samples. The beat spectrum is that of the onset curve: windows of 256
// samples every 128, the rises of log magnitudes added over all bins, smoothed forwards and backwards by (.0564 + .1129
// z^-1 + .0564 z^-2) / (1 - 1.2247 z^-1 + .4504 z^-2), without its mean, under a Hann window, with zeros to four times
// its length, from 0.5 to 20 Hz.
//
// A window of 0.8 s holds little more than one beat: `context` lets a row hear what came before it.
#pragma once

#include "motet/audio/feature_stream.h"
#include "motet/base/fields.h"

namespace motet::audio {

struct MusicOptions {
  double context = 0.0;  // s
};

template <class V>
void visit_fields(V& v, MusicOptions& o) {
  v("context", o.context, Range<double>{0.0, 600.0},
    "seconds up to the end of a row that the set music hears, where that is more than the row");
}

// Of the first channel that is pushed.
FeatureStream music_stream(const MusicOptions& options, const FrameClock& frames, const SoundShape& sound);

}  // namespace motet::audio
