// Twenty bands of the Bark scale over the 64 bins of a 128-point spectrum (without bin 0), named after their mean
// frequency.
//
// The source gives only the names of eleven bands, at 20480 Hz: 160, 320, 480, 640, 800, 960, 1120, 1840, 3360, 3920,
// 9440. These widths are the monotone ones that give all of them.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace motet::audio {

constexpr std::size_t bark_bands = 20;

// Band b has the bins from bark_edges[b] to bark_edges[b + 1] - 1.
constexpr std::array<std::size_t, bark_bands + 1> bark_edges = {1,  2,  3,  4,  5,  6,  7,  8,  10, 11, 13,
                                                                15, 17, 20, 23, 27, 32, 38, 45, 54, 65};

double bark_frequency(std::size_t band, double sample_rate);  // Hz, the mean of its bins

// "160", "320" ...: the frequencies in whole Hz.
std::vector<std::string> bark_names(double sample_rate);

}  // namespace motet::audio
