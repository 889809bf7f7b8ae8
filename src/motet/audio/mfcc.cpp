#include "motet/audio/mfcc.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <utility>
#include <variant>

#include "motet/audio/spectrum/frame_cutter.h"
#include "motet/audio/spectrum/frame_energies.h"
#include "motet/audio/spectrum/row_plan.h"

namespace motet::audio {
namespace {

constexpr std::size_t push_block = 8192;  // samples, so that what is kept of them stays in the cache

// Rows that are means of frames.
class FrameMeans {
 public:
  explicit FrameMeans(const RowPlan& plan)
      : width_(plan.width),
        frame_hop_(plan.cut.hop),
        frame_(static_cast<std::int64_t>(plan.cut.frame)),
        row_hop_(plan.row_hop),
        row_window_(plan.row_window),
        count_(static_cast<std::int64_t>(static_cast<double>(row_window_ - frame_) / frame_hop_)) {}

  void add(std::vector<double> frame) { frames_.push_back(std::move(frame)); }

  // Of the frames that are there and a sound that has `end` samples so far.
  void hand_out(std::int64_t end, std::vector<double>& rows) {
    for (;; ++next_row_) {
      const std::int64_t begin = std::llround(static_cast<double>(next_row_) * row_hop_);
      auto first = static_cast<std::int64_t>(static_cast<double>(begin) / frame_hop_);
      while (start_of(first) < begin) ++first;
      const std::int64_t last = first + std::max<std::int64_t>(count_, 1) - 1;
      const auto next_frame = first_kept_ + static_cast<std::int64_t>(frames_.size());
      if (last >= next_frame || begin + row_window_ > end) return;
      // Of the whole sound, too, the Toolbox leaves out a last frame behind which no other would fit.
      if (count_ < 1 && static_cast<double>(first + 1) * frame_hop_ > static_cast<double>(end - frame_)) return;
      std::vector<double> sums(width_);
      for (std::int64_t m = first; m <= last; ++m) {
        const std::vector<double>& frame = frames_[static_cast<std::size_t>(m - first_kept_)];
        for (std::size_t c = 0; c < width_; ++c) sums[c] += frame[c];
      }
      for (const double sum : sums) rows.push_back(sum / static_cast<double>(last - first + 1));
      for (; first_kept_ < first; ++first_kept_) frames_.pop_front();
    }
  }

 private:
  std::int64_t start_of(std::int64_t frame) const { return std::llround(static_cast<double>(frame) * frame_hop_); }

  std::size_t width_;
  double frame_hop_;
  std::int64_t frame_;
  double row_hop_;
  std::int64_t row_window_;
  std::int64_t count_;                      // frames that the Toolbox takes of a row
  std::deque<std::vector<double>> frames_;  // the first is frame `first_kept_`
  std::int64_t first_kept_ = 0;
  std::int64_t next_row_ = 0;
};

template <class Real>
class RowMaker {
 public:
  static constexpr std::size_t lanes = fft_lanes_of<Real>;

  explicit RowMaker(const RowPlan& plan)
      : plan_(plan),
        cutter_(plan.cut),
        energies_(plan.frame),
        matrix_(plan.matrix.begin(), plan.matrix.end()),
        coefficients_(plan.matrix.empty() ? 0 : plan.width * lanes),
        means_(plan) {}

  void push(std::span<const float> samples, std::vector<double>& rows) {
    cutter_.push(samples, [&](const auto& frames, std::size_t count) { compute(frames, count, rows); });
    if (plan_.is_mean) means_.hand_out(cutter_.end(), rows);
  }

  void finish(std::vector<double>& rows) {
    cutter_.finish([&](const auto& frames, std::size_t count) { compute(frames, count, rows); });
    if (plan_.is_mean) means_.hand_out(cutter_.end(), rows);
    hand_out_kept(rows);
  }

 private:
  using Frames = typename FrameEnergies<Real>::Frames;

  void compute(const Frames& frames, std::size_t count, std::vector<double>& rows) {
    const std::span<Real> levels = energies_.of(frames);
    if (plan_.takes_level) to_levels<Real>(levels, plan_.level);
    if (plan_.takes_level && plan_.top_db > 0.0) return keep(levels, count);
    const std::span<const Real> row = transformed(levels);
    for (std::size_t s = 0; s < count; ++s) {
      if (plan_.is_mean) {
        std::vector<double> frame;
        append(row, s, frame);
        means_.add(std::move(frame));
      } else {
        append(row, s, rows);
      }
    }
  }

  std::span<const Real> transformed(std::span<const Real> levels) {
    if (matrix_.empty()) return levels;
    transform_levels<Real>(levels, matrix_, plan_.width, coefficients_);
    return coefficients_;
  }

  void append(std::span<const Real> row, std::size_t lane, std::vector<double>& rows) const {
    const std::size_t first = rows.size();
    rows.resize(first + plan_.width);
    double* const to = rows.data() + first;
    for (std::size_t c = 0; c < plan_.width; ++c) to[c] = static_cast<double>(row[c * lanes + lane]);
    for (std::size_t c = 0; c < plan_.lifter.size(); ++c) to[c] *= plan_.lifter[c];
  }

  // The loudest band of the whole recording decides what becomes of these.
  void keep(std::span<const Real> levels, std::size_t count) {
    for (std::size_t s = 0; s < count; ++s) {
      for (std::size_t b = 0; b < plan_.bands; ++b) {
        kept_.push_back(levels[b * lanes + s]);
        loudest_ = std::max(loudest_, static_cast<double>(kept_.back()));
      }
    }
  }

  void hand_out_kept(std::vector<double>& rows) {
    const auto least = static_cast<Real>(loudest_ - plan_.top_db);
    std::vector<Real> levels(plan_.bands * lanes);
    for (std::size_t first = 0; first < kept_.size(); first += plan_.bands * lanes) {
      const std::size_t count = std::min(lanes, (kept_.size() - first) / plan_.bands);
      for (std::size_t s = 0; s < count; ++s) {
        for (std::size_t b = 0; b < plan_.bands; ++b) {
          levels[b * lanes + s] = std::max(kept_[first + s * plan_.bands + b], least);
        }
      }
      const std::span<const Real> row = transformed(levels);
      for (std::size_t s = 0; s < count; ++s) append(row, s, rows);
    }
    kept_.clear();
  }

  RowPlan plan_;
  FrameCutter<Real, lanes> cutter_;
  FrameEnergies<Real> energies_;
  std::vector<Real> matrix_;
  std::vector<Real> coefficients_;
  FrameMeans means_;
  std::vector<Real> kept_;  // levels of all frames, where top_db is heeded
  double loudest_ = -1e300;
};

std::variant<RowMaker<double>, RowMaker<float>> row_maker(const RowPlan& plan, Precision precision) {
  if (precision == Precision::single_precision) return RowMaker<float>(plan);
  return RowMaker<double>(plan);
}

}  // namespace

struct MfccStream::Inside {
  Inside(const RowPlan& of, Precision precision) : plan(of), maker(row_maker(of, precision)) {}

  RowPlan plan;
  std::variant<RowMaker<double>, RowMaker<float>> maker;
};

MfccStream::MfccStream(const MfccOptions& options, double sample_rate, RowKind kind)
    : inside_(std::make_unique<Inside>(row_plan(options, sample_rate, kind), options.precision)) {}

MfccStream::~MfccStream() = default;
MfccStream::MfccStream(MfccStream&&) noexcept = default;

void MfccStream::push(std::span<const float> samples, std::vector<double>& rows) {
  while (!samples.empty()) {
    const auto block = samples.first(std::min(samples.size(), push_block));
    std::visit([&](auto& maker) { maker.push(block, rows); }, inside_->maker);
    samples = samples.subspan(block.size());
  }
}

void MfccStream::finish(std::vector<double>& rows) {
  std::visit([&](auto& maker) { maker.finish(rows); }, inside_->maker);
}

FrameClock MfccStream::clock() const { return inside_->plan.clock; }
std::string MfccStream::unit() const { return inside_->plan.unit; }
std::string MfccStream::warning() const {
  const std::vector<Triangle>& triangles = inside_->plan.frame.triangles;
  const auto empty =
      std::count_if(triangles.begin(), triangles.end(), [](const Triangle& one) { return one.weights.empty(); });
  if (empty == 0 || inside_->plan.frame.takes_bins) return "";
  return fmt::format(
      "{} of {} mel bands hold no line of the spectrum and are always silent; fewer --bands or a longer "
      "--window would fill them",
      empty, triangles.size());
}

std::vector<std::string> MfccStream::columns() const { return inside_->plan.columns; }

FeatureStream feature_stream(MfccStream mfcc) {
  const auto stream = std::make_shared<MfccStream>(std::move(mfcc));
  FeatureStream features;
  features.columns = stream->columns();
  features.units.assign(features.columns.size(), stream->unit());
  features.clock = stream->clock();
  if (std::string warning = stream->warning(); !warning.empty()) features.warnings.push_back(std::move(warning));
  features.push = [stream](std::span<const std::span<const float>> channels, std::vector<double>& rows) {
    stream->push(channels[0], rows);
  };
  features.finish = [stream](std::vector<double>& rows) { stream->finish(rows); };
  return features;
}

}  // namespace motet::audio
