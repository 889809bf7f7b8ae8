// Features in which rare events stand out from what goes on, of one channel: made for discover.
//
// Of each frame of 32 ms, about 12.5 ms apart, the levels L_fb of 64 mel bands, dB (as the set log-mel has them). Of
// the n frames that lie in the window of a row
//
//   m_b = sum_f L_fb / n                                   mean
//   s_b = sqrt(sum_f (L_fb - m_b)^2 / n)                   spread
//   u_b = sum_f max(0, L_fb - L_(f-1)b) / (n - 1)          flux: rises from frame to frame; 0 where there is one frame
//   c_j = the mean of the two highest less that of the three lowest m_b of bands 8j ... 8j + 7       contrast
//
// and of the first three the first coefficients of the orthonormal DCT-II over the bands. A row is the mean of those
// numbers over the rows around, `events_smooth` to each side where there are as many: what lasts a second stands out
// more than what lasts a tenth of it.
//
// With `events_pcen` the levels are normalised for each band (per-channel energy normalisation): with E_fb = 10^(L_fb /
// 10) and what the band was before, M_fb = M_(f-1)b + k (E_fb - M_(f-1)b), k = 1 - exp(-hop / seconds), M_0b = E_0b,
//
//   L'_fb = 10 ((E_fb / (M_fb + 1e-10)^0.98 + 2)^0.5 - 2^0.5)
//
// How many of each was chosen on the generated recordings of half A (experiments/discover/recordings.h), before half B
// was looked at. What was tried there and does not pay is off or left out: slopes (--deltas), the share of frames above
// a running median, the spectrum of the modulation, the levels less their slow means (--events-memory: as many
// questions on 40 recordings), normalised levels (--events-pcen: two thirds more).
#pragma once

#include "motet/audio/feature_stream.h"
#include "motet/audio/mfcc_options.h"
#include "motet/base/fields.h"

namespace motet::audio {

constexpr std::size_t event_bands = 64;

struct EventsOptions {
  std::size_t events_mean = 40;
  std::size_t events_spread = 20;
  std::size_t events_flux = 10;
  bool events_contrast = true;
  std::size_t events_smooth = 4;  // rows
  double events_memory = 0.0;     // s
  double events_pcen = 0.0;       // s
};

template <class V>
void visit_fields(V& v, EventsOptions& o) {
  v("events_mean", o.events_mean, Range<std::size_t>{1, event_bands},
    "coefficients of the mean levels in the set events");
  v("events_spread", o.events_spread, Range<std::size_t>{0, event_bands},
    "coefficients of how much the levels spread within a row");
  v("events_flux", o.events_flux, Range<std::size_t>{0, event_bands},
    "coefficients of how much the levels rise within a row");
  v("events_contrast", o.events_contrast, "also how far peaks stand above valleys, in eight parts of the spectrum");
  v("events_smooth", o.events_smooth, Range<std::size_t>{0, 1000},
    "rows to each side over which the set events takes means");
  v("events_memory", o.events_memory, Range<double>{0.0, 86'400.0},
    "take from the mean levels what they were before, with weights that fall to 1/e in so many seconds; 0: do not");
  v("events_pcen", o.events_pcen, Range<double>{0.0, 86'400.0},
    "normalise the levels of each band by what they were in so many seconds before, against a background that changes "
    "slowly; 0: do not");
}

// Of the first channel that is pushed. Of the options of mel spectra the clock, the edges of the bands and the
// precision count. Throws Error{usage} as MfccStream does.
FeatureStream events_stream(const EventsOptions& options, const MfccOptions& mel, const SoundShape& sound);

}  // namespace motet::audio
