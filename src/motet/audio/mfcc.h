// Mel spectra and their cepstral coefficients in the styles people know.
//
// librosa: a Hann window (periodic) zero-padded to the next power of two, the power
//   spectrum P_k, M triangles on the mel scale E_b = sum_k w_bk P_k, the level
//   10 log10(max(1e-10, E_b)), and the orthonormal DCT-II of the M levels. With the window
//   and hop of librosa in seconds, centre, top_db = 80 and 128 bands it gives librosa's
//   numbers, up to the 7 digits of librosa's filters.
// slaney: the Auditory Toolbox: x_n - 0.97 x_(n-1), Hamming windows (periodic) of 256
//   samples 100 times a second, the magnitude of an FFT of 512, 40 fixed triangles up to
//   6854 Hz, log10 and the orthonormal DCT-II; a row is the mean over the frames that the Toolbox
//   takes of its window, floor((w - 256) / step). What is below 1e-10, as in silence, counts as
//   1e-10. Triangles above half the sample rate are empty (the Toolbox adds mirror images there).
// kaldi: samples as whole numbers of 16 bits; of each window its mean is taken away, then
//   x_t - 0.97 x_(t-1), Povey's window, the power of an FFT of the next power of two, triangles
//   that are linear in mel, the natural logarithm, what is below 1.2e-7 counting as that, DCT-II and
//   the lifter 1 + L/2 sin(pi n / L).
// single-dft: one transform of the whole window, no taper, the magnitude, the triangles of the Toolbox,
//   log10 and sum_b L_b cos(c (b - 1/2) pi / bands), c = 1, 2 ...: Hearing aids, chapter 4.1.3.
//
// Row i starts at sample round(i hop rate), so that its time is i hop at any sample rate;
// there are floor((L - w) / q) + 1 rows of L samples when hop and window are q and w whole samples.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "motet/audio/feature_stream.h"
#include "motet/audio/mfcc_options.h"

namespace motet::audio {

// What a row holds: the coefficients, the energies of the mel bands, their levels, or the levels of all bins.
enum class RowKind { mfcc, mel, log_mel, spectrogram };

// Takes samples of one channel block by block and gives rows: memory does not depend on the length
// of the recording, except with top_db, where the levels of all bands wait for the end. The rows do
// not depend on the blocks.
class MfccStream {
 public:
  // Throws Error{usage} for options that do not fit the sample rate or each other.
  MfccStream(const MfccOptions& options, double sample_rate, RowKind kind = RowKind::mfcc);
  ~MfccStream();
  MfccStream(MfccStream&&) noexcept;

  void push(std::span<const float> samples, std::vector<double>& rows);  // appends rows, several at a time
  void finish(std::vector<double>& rows);                                // the rest
  FrameClock clock() const;                  // with `centre` a row stands for the hop after its middle
  std::vector<std::string> columns() const;  // "mfcc0" ..., "mel0" ..., "hz_31.25" ...
  std::string unit() const;
  std::string warning() const;  // of triangles that lie between two lines of the spectrum; else empty

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

FeatureStream feature_stream(MfccStream mfcc);

}  // namespace motet::audio
