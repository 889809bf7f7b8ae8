// What is computed of every frame: window, power spectrum, energies of the bands, levels, cosine transform; several
// frames at a time, four in double precision and eight in single. Each step does the same to all of them and nothing is
// fused, so a frame has the same bits whatever is beside it, and on every processor.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "motet/audio/fft.h"
#include "motet/audio/mel.h"
#include "motet/audio/spectrum/any_dft.h"

namespace motet::audio {

struct FramePlan {
  std::vector<double> taper;  // as long as a frame
  std::size_t fft_size = 0;   // at least as long; zeros follow
  std::vector<Triangle> triangles;
  bool takes_bins = false;    // no triangles: the bins are the bands
  double power = 2.0;         // of the magnitude
  double scale = 1.0;         // of the samples
  bool removes_mean = false;  // of each frame
  double emphasis = 0.0;      // within a frame: x_t - emphasis x_(t-1); of its first sample, (1 - emphasis) x_0
};

// level = scale (of_natural log(max(floor, energy)))
struct LevelPlan {
  double floor = 1e-10;
  double of_natural = 1.0;  // the logarithm that is meant, of e
  double scale = 1.0;
};

template <class Real>  // double or float
class FrameEnergies {
 public:
  static constexpr std::size_t lanes = fft_lanes_of<Real>;
  using Frames = std::array<const Real*, lanes>;  // where each starts

  explicit FrameEnergies(const FramePlan& plan);

  std::size_t fft_size() const { return fft_size_; }
  std::size_t bands() const { return takes_bins_ ? fft_size_ / 2 + 1 : firsts_.size(); }

  // Energy of band b in frame s: [lanes b + s]. Good until the next call.
  std::span<Real> of(Frames frames);

 private:
  void prepare(Frames& frames);
  void spectrum();

  std::vector<Real> taper_;
  std::size_t fft_size_;
  std::unique_ptr<FftOf<Real>> fft_;  // where the length is a power of two
  std::unique_ptr<AnyDft> any_;       // else
  bool takes_bins_;
  double power_;
  double scale_;
  bool removes_mean_;
  double emphasis_;
  std::vector<std::size_t> firsts_;  // bin of each triangle
  std::vector<std::size_t> ends_;    // of its weights
  std::vector<Real> weights_;
  std::vector<Real> prepared_;
  std::vector<Real> signals_;
  std::vector<Real> spectrum_;
  std::vector<double> wide_signals_;  // for any_
  std::vector<double> wide_spectrum_;
  std::vector<Real> energies_;
};

// In place: energies of `bands` bands in all lanes become levels.
template <class Real>
void to_levels(std::span<Real> energies, const LevelPlan& plan);

// Coefficient c of frame s at [lanes c + s]: the sum over bands of matrix[band * count + c] level[lanes band + s].
template <class Real>
void transform_levels(std::span<const Real> levels, std::span<const Real> matrix, std::size_t count,
                      std::span<Real> coefficients);

}  // namespace motet::audio
