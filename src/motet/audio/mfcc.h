// Mel-frequency cepstral coefficients in the two styles people know.
//
// librosa: a Hann window (periodic) zero-padded to the next power of two, the power
//   spectrum P_k, M triangles on the mel scale E_b = sum_k w_bk P_k, the level
//   10 log10(max(1e-10, E_b)), and the orthonormal DCT-II of the M levels. With the window
//   and hop of librosa in seconds, centre, top_db = 80 and 128 bands it gives librosa's
//   numbers, up to the 7 digits of librosa's filters.
// slaney: the Auditory Toolbox: x_n - 0.97 x_(n-1), Hamming windows (periodic) of 256
//   samples 100 times a second, the magnitude of an FFT of 512, 40 fixed triangles up to
//   6854 Hz, log10 and the orthonormal DCT-II; a row is the mean over its window. What is
//   below 1e-10, as in silence, counts as 1e-10. Triangles above half the sample rate are
//   empty (the Toolbox adds mirror images there).
//
// Row i starts at sample round(i hop rate), so that its time is i hop at any sample rate;
// there are floor((L - w) / q) + 1 rows of L samples when hop and window are q and w whole samples.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "motet/base/fields.h"
#include "motet/data/features.h"

namespace motet::audio {

enum class MfccStyle { librosa, slaney };
enum class MelScale { slaney, htk };
enum class MelNorm { area, none };

struct MfccOptions {
  MfccStyle mfcc_style = MfccStyle::librosa;
  std::size_t coefficients = 13;
  double window = 0.25;    // seconds
  double hop = 0.10;       // seconds
  std::size_t bands = 40;  // mel bands
  MelScale mel = MelScale::slaney;
  MelNorm mel_norm = MelNorm::area;
  double low_hz = 0.0;
  double high_hz = 0.0;  // 0: half the sample rate
  double top_db = 0.0;   // 0: none, as it needs the whole recording; librosa itself takes 80
  bool centre = false;   // as librosa does by default: rows are centred at i hop
  double lifter = 0.0;   // 0: none; L: coefficient n is multiplied by 1 + L/2 sin(pi (n + 1) / L)
};

template <class V>
void visit_fields(V& v, MfccOptions& o) {
  v("mfcc_style", o.mfcc_style, Choices{{"librosa", "slaney"}},
    "librosa: power, in decibels; slaney: magnitude, log10, as in the Auditory Toolbox, averaged over each window, for "
    "which the options below do not count");
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
  v("centre", o.centre, "pad with half a window of silence at both ends, as librosa does");
  v("lifter", o.lifter, Range<double>{0.0, 1000.0}, "cepstral lifter; 0: none");
}

// Takes samples of one channel block by block and gives rows: memory does not depend on the length
// of the recording, except with top_db, where the levels of all bands wait for the end. The rows do
// not depend on the blocks.
class MfccStream {
 public:
  // Throws Error{usage} for options that do not fit the sample rate or each other.
  MfccStream(const MfccOptions& options, double sample_rate);
  ~MfccStream();
  MfccStream(MfccStream&&) noexcept;

  void push(std::span<const float> samples, std::vector<double>& rows);  // appends rows, four at a time
  void finish(std::vector<double>& rows);                                // the rest
  FrameClock clock() const;                  // with `centre` a row stands for the hop after its middle
  std::vector<std::string> columns() const;  // "mfcc0" ...

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace motet::audio
