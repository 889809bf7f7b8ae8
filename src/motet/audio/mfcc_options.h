// How mel spectra and their coefficients are computed.
#pragma once

#include <cstddef>

#include "motet/base/fields.h"

namespace motet::audio {

enum class MfccStyle { librosa, slaney, kaldi, single_dft };
enum class MelScale { slaney, htk };
enum class MelNorm { area, none };
enum class Taper { hann, hamming, povey, none };
enum class Padding { zero, reflect };
enum class DctNorm { ortho, none };
enum class Precision { double_precision, single_precision };

struct MfccOptions {
  MfccStyle mfcc_style = MfccStyle::librosa;
  std::size_t coefficients = 13;
  double window = 0.25;    // seconds
  double hop = 0.10;       // seconds
  std::size_t bands = 40;  // mel bands
  MelScale mel = MelScale::slaney;
  MelNorm mel_norm = MelNorm::area;
  double low_hz = 0.0;
  double high_hz = 0.0;            // 0: half the sample rate
  double top_db = 0.0;             // 0: none, as it needs the whole recording; librosa itself takes 80
  bool centre = false;             // as librosa does by default: rows are centred at i hop
  double lifter = 0.0;             // 0: none; L: coefficient n is multiplied by 1 + L/2 sin(pi (n + 1) / L)
  std::size_t window_samples = 0;  // 0: by the seconds; else they hold whatever the sample rate
  std::size_t hop_samples = 0;
  std::size_t fft_size = 0;  // 0: the next power of two
  Padding pad = Padding::zero;
  Taper taper = Taper::hann;
  double power = 2.0;
  DctNorm dct_norm = DctNorm::ortho;
  Precision precision = Precision::double_precision;

  double window_at(double sample_rate) const {  // seconds
    return window_samples == 0 ? window : static_cast<double>(window_samples) / sample_rate;
  }
  double hop_at(double sample_rate) const {
    return hop_samples == 0 ? hop : static_cast<double>(hop_samples) / sample_rate;
  }
};

template <class V>
void visit_fields(V& v, MfccOptions& o) {
  v("mfcc_style", o.mfcc_style, Choices{{"librosa", "slaney", "kaldi", "single-dft"}},
    "librosa: power, in decibels; slaney: magnitude, log10, as in the Auditory Toolbox, averaged over each window, for "
    "which the options below do not count; kaldi: Povey's window, natural logarithm; single-dft: one transform of each "
    "window, with the Toolbox's bands");
  v("coefficients", o.coefficients, Range<std::size_t>{1, 128}, "per row");
  v("window", o.window, Range<double>{0.001, 60.0}, "seconds of a row");
  v("hop", o.hop, Range<double>{0.001, 60.0}, "seconds from a row to the next");
  v("bands", o.bands, Range<std::size_t>{2, 512}, "mel bands");
  v("mel", o.mel, Choices{{"slaney", "htk"}}, "mel scale: linear to 1000 Hz and then logarithmic, or that of HTK");
  v("mel_norm", o.mel_norm, Choices{{"area", "none"}}, "triangles of equal area, or of height 1");
  v("low_hz", o.low_hz, Range<double>{0.0, 1e6}, "where the bands begin");
  v("high_hz", o.high_hz, Range<double>{0.0, 1e6}, "where the bands end; 0: at half the sample rate");
  v("top_db", o.top_db, Range<double>{0.0, 1000.0},
    "raise what is further below the loudest band of the recording to this distance (librosa does it with 80); 0: "
    "nothing");
  v("centre", o.centre, "pad with half a window at both ends, as librosa does");
  v("lifter", o.lifter, Range<double>{0.0, 1000.0}, "cepstral lifter; 0: none");
  v("window_samples", o.window_samples, Range<std::size_t>{0, 1'000'000},
    "the window as a number of samples at any sample rate; 0: as --window says");
  v("hop_samples", o.hop_samples, Range<std::size_t>{0, 1'000'000}, "the hop as a number of samples; 0: as --hop says");
  v("fft_size", o.fft_size, Range<std::size_t>{0, 1'048'576},
    "samples of the transform, in the middle of which the window lies; 0: the next power of two, with zeros behind the "
    "window");
  v("pad", o.pad, Choices{{"zero", "reflect"}}, "what --centre pads with: silence, or the sound mirrored");
  v("taper", o.taper, Choices{{"hann", "hamming", "povey", "none"}}, "the weights of the samples of a window");
  v("power", o.power, Range<double>{0.1, 4.0}, "of the magnitude that is summed in bands: 2 is power");
  v("dct_norm", o.dct_norm, Choices{{"ortho", "none"}},
    "cosine transform: orthonormal, or without a norm (twice the sum of cosines)");
  v("precision", o.precision, Choices{{"double", "single"}},
    "of the numbers: single is several times faster and keeps about six digits");
}

}  // namespace motet::audio
