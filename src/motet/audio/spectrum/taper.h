// The weights of the samples of a window.
#pragma once

#include <cstddef>
#include <vector>

#include "motet/audio/mfcc_options.h"

namespace motet::audio {

// Of `size` samples. hann, hamming: constant - depth cos(2 pi n / size), periodic as the spectrum is; povey, as Kaldi
// has it: (0.5 - 0.5 cos(2 pi n / (size - 1)))^0.85; none: 1.
std::vector<double> taper(Taper kind, std::size_t size);

// The same in the middle of `length` samples, zeros around it.
std::vector<double> padded_taper(Taper kind, std::size_t size, std::size_t length);

}  // namespace motet::audio
