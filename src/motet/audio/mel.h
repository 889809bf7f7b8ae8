// Triangular filters over the bins of a spectrum, and the cosine transform after them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "motet/audio/mfcc_options.h"

namespace motet::audio {

struct Triangle {
  std::size_t first = 0;        // bin
  std::vector<double> weights;  // of the bins from there; empty: the triangle lies between two bins
};

// Triangles with corners evenly spaced on the mel scale, as in librosa. Slaney's scale: f / (200/3) up to
// 1000 Hz, then 15 + 27 log(f / 1000) / log 6.4; HTK's: 2595 log10(1 + f / 700).
std::vector<Triangle> mel_triangles(const MfccOptions& options, double sample_rate, std::size_t fft_size);

// Those of the Auditory Toolbox: 13 with corners 66.667 Hz apart from 133.333 Hz, then 27 with corners a factor
// of 1.0711703 apart, each of area 1.
std::vector<Triangle> toolbox_triangles(double sample_rate, std::size_t fft_size);

// As Kaldi has them: corners evenly spaced on its mel scale, 1127 log(1 + f / 700), weights that are linear in mel, of
// height 1; the last bin belongs to none.
std::vector<Triangle> kaldi_triangles(const MfccOptions& options, double sample_rate, std::size_t fft_size);

// Where the triangles of the options' style are highest, Hz.
std::vector<double> band_centres(const MfccOptions& options, double sample_rate);

// Orthonormal DCT-II: what band b adds to coefficient c is [b * coefficients + c].
std::vector<double> cosine_transform(std::size_t coefficients, std::size_t bands);

// Without a norm: scale cos(pi c (2 b + 1) / (2 bands)), for c = first ...
std::vector<double> plain_cosine_transform(std::size_t first, std::size_t coefficients, std::size_t bands,
                                           double scale);

}  // namespace motet::audio
