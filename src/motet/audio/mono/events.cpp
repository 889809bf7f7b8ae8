#include "motet/audio/mono/events.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <memory>
#include <utility>

#include "motet/audio/mel.h"
#include "motet/audio/mfcc.h"

namespace motet::audio {
namespace {

constexpr double frame_seconds = 0.032;
constexpr double least_frame = 256.0;       // samples, or the lowest bands would lie between the lines of the spectrum
constexpr double usual_frame_hop = 0.0125;  // s; the nearest part of the hop of rows is taken
constexpr std::size_t contrast_parts = 8;
constexpr std::size_t part_bands = event_bands / contrast_parts;
constexpr std::size_t peak_bands = 2;
constexpr std::size_t valley_bands = 3;

using Levels = std::array<double, event_bands>;

struct EventPlan {
  EventsOptions options;
  FrameClock clock;
  double row_hop = 0.0;  // samples
  std::int64_t row_window = 0;
  std::size_t frames_per_hop = 1;
  std::size_t frames_per_row = 1;
  std::size_t width = 0;
  MfccOptions mel;
};

EventPlan event_plan(const EventsOptions& options, const MfccOptions& mel, double sample_rate) {
  check_ranges(options);
  EventPlan plan;
  plan.options = options;
  plan.clock = {mel.hop_at(sample_rate), mel.window_at(sample_rate)};
  plan.row_hop = plan.clock.hop * sample_rate;
  plan.row_window = std::llround(plan.clock.window * sample_rate);
  const double most_frames = std::max(1.0, std::floor(plan.row_hop));  // a frame begins a sample later than another
  plan.frames_per_hop =
      static_cast<std::size_t>(std::clamp(std::round(plan.clock.hop / usual_frame_hop), 1.0, most_frames));
  plan.mel.window = std::min(plan.clock.window, std::max(frame_seconds, least_frame / sample_rate));
  plan.mel.hop = plan.clock.hop / static_cast<double>(plan.frames_per_hop);
  plan.mel.bands = event_bands;
  plan.mel.low_hz = mel.low_hz;
  plan.mel.high_hz = mel.high_hz;
  plan.mel.precision = mel.precision;
  const double more = (plan.clock.window - plan.mel.window) / plan.mel.hop;
  plan.frames_per_row = 1 + static_cast<std::size_t>(std::max(0.0, more + 1e-9));
  plan.width = options.events_mean + options.events_spread + options.events_flux +
               (options.events_contrast ? contrast_parts : 0);
  return plan;
}

// Means over the rows around, each put out when those behind it are there.
class RowsAround {
 public:
  RowsAround(std::size_t width, std::size_t reach) : width_(width), reach_(reach) {}

  void push(std::vector<double> row, std::vector<double>& rows) {
    kept_.push_back(std::move(row));
    while (next_ + reach_ < first_ + kept_.size()) put(rows);
  }

  void finish(std::vector<double>& rows) {
    while (next_ < first_ + kept_.size()) put(rows);
  }

 private:
  void put(std::vector<double>& rows) {
    const std::size_t begin = next_ > reach_ ? next_ - reach_ : 0;
    const std::size_t end = std::min(next_ + reach_ + 1, first_ + kept_.size());
    for (std::size_t c = 0; c < width_; ++c) {
      double sum = 0.0;
      for (std::size_t row = begin; row < end; ++row) sum += kept_[row - first_][c];
      rows.push_back(sum / static_cast<double>(end - begin));
    }
    ++next_;
    while (next_ > first_ + reach_) {
      kept_.pop_front();
      ++first_;
    }
  }

  std::size_t width_;
  std::size_t reach_;
  std::deque<std::vector<double>> kept_;  // the first is row `first_`
  std::size_t first_ = 0;
  std::size_t next_ = 0;  // to be put out
};

// Per-channel energy normalisation of levels, frame by frame.
class BandNormalizer {
 public:
  BandNormalizer(double seconds, double hop) : takes_(seconds > 0.0 ? 1.0 - std::exp(-hop / seconds) : 0.0) {}

  // Of whole frames that follow those before.
  void apply(std::span<double> frames) {
    if (takes_ == 0.0) return;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const double energy = std::pow(10.0, 0.1 * frames[i]);
      double& before = before_[i % event_bands];
      before = has_begun_ || i >= event_bands ? before + takes_ * (energy - before) : energy;
      const double gained = energy / std::pow(before + least_energy, gain);
      frames[i] = scale * (std::pow(gained + bias, root) - std::pow(bias, root));
    }
    has_begun_ = has_begun_ || !frames.empty();
  }

 private:
  static constexpr double gain = 0.98;
  static constexpr double bias = 2.0;
  static constexpr double root = 0.5;
  static constexpr double least_energy = 1e-10;
  static constexpr double scale = 10.0;

  double takes_;
  bool has_begun_ = false;
  Levels before_{};
};

class EventRows {
 public:
  EventRows(EventPlan plan, double sample_rate)
      : plan_(plan),
        levels_(plan_.mel, sample_rate, RowKind::log_mel),
        cosines_(cosine_transform(event_bands, event_bands)),
        forgets_(plan_.options.events_memory > 0.0 ? 1.0 - std::exp(-plan_.clock.hop / plan_.options.events_memory)
                                                   : 0.0),
        normalizer_(plan_.options.events_pcen, plan_.mel.hop),
        around_(plan_.width, plan_.options.events_smooth) {}

  // Piece by piece, so that the levels of frames that wait do not grow with what is pushed.
  void push(std::span<const float> samples, std::vector<double>& rows) {
    while (!samples.empty()) {
      const std::span<const float> piece = samples.first(std::min(samples.size(), most_samples));
      const std::size_t there = frames_.size();
      levels_.push(piece, frames_);
      normalizer_.apply(std::span(frames_).subspan(there));
      samples_ += static_cast<std::int64_t>(piece.size());
      hand_on(rows);
      samples = samples.subspan(piece.size());
    }
  }

  std::string warning() const { return levels_.warning(); }

  void finish(std::vector<double>& rows) {
    const std::size_t there = frames_.size();
    levels_.finish(frames_);
    normalizer_.apply(std::span(frames_).subspan(there));
    hand_on(rows);
    around_.finish(rows);
  }

 private:
  static constexpr std::size_t most_samples = 65'536;

  void hand_on(std::vector<double>& rows) {
    const std::size_t there = first_frame_ + frames_.size() / event_bands;
    for (;; ++next_row_) {
      const std::size_t begin = next_row_ * plan_.frames_per_hop;
      const std::int64_t first_sample = std::llround(static_cast<double>(next_row_) * plan_.row_hop);
      if (begin + plan_.frames_per_row > there || first_sample + plan_.row_window > samples_) break;
      around_.push(
          row_of(std::span(frames_).subspan((begin - first_frame_) * event_bands, plan_.frames_per_row * event_bands)),
          rows);
    }
    const std::size_t used = std::min(next_row_ * plan_.frames_per_hop, there) - first_frame_;
    frames_.erase(frames_.begin(), frames_.begin() + static_cast<std::ptrdiff_t>(used * event_bands));
    first_frame_ += used;
  }

  std::vector<double> row_of(std::span<const double> frames) {
    Levels mean{};
    Levels spread{};
    Levels flux{};
    const auto n = static_cast<double>(plan_.frames_per_row);
    for (std::size_t i = 0; i < frames.size(); ++i) mean[i % event_bands] += frames[i] / n;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const double difference = frames[i] - mean[i % event_bands];
      spread[i % event_bands] += difference * difference / n;
      if (i >= event_bands) flux[i % event_bands] += std::max(0.0, frames[i] - frames[i - event_bands]) / (n - 1.0);
    }
    for (double& value : spread) value = std::sqrt(value);
    std::vector<double> row;
    row.reserve(plan_.width);
    add_coefficients(plan_.options.events_memory > 0.0 ? less_what_was(mean) : mean, plan_.options.events_mean, row);
    add_coefficients(spread, plan_.options.events_spread, row);
    add_coefficients(flux, plan_.options.events_flux, row);
    if (plan_.options.events_contrast) add_contrast(mean, row);
    return row;
  }

  // The first row is as it was before.
  Levels less_what_was(const Levels& mean) {
    if (next_row_ == 0) before_ = mean;
    Levels rest{};
    for (std::size_t b = 0; b < event_bands; ++b) {
      rest[b] = mean[b] - before_[b];
      before_[b] += forgets_ * rest[b];
    }
    return rest;
  }

  void add_coefficients(const Levels& levels, std::size_t count, std::vector<double>& row) const {
    for (std::size_t c = 0; c < count; ++c) {
      double sum = 0.0;
      for (std::size_t b = 0; b < event_bands; ++b) sum += cosines_[b * event_bands + c] * levels[b];
      row.push_back(sum);
    }
  }

  static void add_contrast(Levels mean, std::vector<double>& row) {
    for (std::size_t part = 0; part < contrast_parts; ++part) {
      double* const bands = mean.data() + part * part_bands;
      std::sort(bands, bands + part_bands);
      double valley = 0.0;
      double peak = 0.0;
      for (std::size_t b = 0; b < valley_bands; ++b) valley += bands[b];
      for (std::size_t b = part_bands - peak_bands; b < part_bands; ++b) peak += bands[b];
      row.push_back(peak / static_cast<double>(peak_bands) - valley / static_cast<double>(valley_bands));
    }
  }

  EventPlan plan_;
  MfccStream levels_;
  std::vector<double> cosines_;
  double forgets_;
  BandNormalizer normalizer_;
  RowsAround around_;
  Levels before_{};
  std::vector<double> frames_;  // levels that rows are still to be made of
  std::size_t first_frame_ = 0;
  std::int64_t samples_ = 0;  // pushed
  std::size_t next_row_ = 0;
};

std::vector<std::string> event_columns(const EventsOptions& options) {
  std::vector<std::string> columns;
  const auto add = [&](std::string_view name, std::size_t count) {
    for (std::size_t c = 0; c < count; ++c) columns.push_back(fmt::format("{}{}", name, c));
  };
  add("mean", options.events_mean);
  add("spread", options.events_spread);
  add("flux", options.events_flux);
  add("contrast", options.events_contrast ? contrast_parts : 0);
  return columns;
}

}  // namespace

FeatureStream events_stream(const EventsOptions& options, const MfccOptions& mel, const SoundShape& sound) {
  const EventPlan plan = event_plan(options, mel, sound.sample_rate);
  const auto made = std::make_shared<EventRows>(plan, sound.sample_rate);
  FeatureStream features;
  features.columns = event_columns(options);
  features.units.assign(features.columns.size(), options.events_pcen > 0.0 ? "" : "dB");
  features.clock = plan.clock;
  if (std::string warning = made->warning(); !warning.empty()) features.warnings.push_back(std::move(warning));
  features.push = [made](std::span<const std::span<const float>> channels, std::vector<double>& rows) {
    made->push(channels[0], rows);
  };
  features.finish = [made](std::vector<double>& rows) { made->finish(rows); };
  return features;
}

}  // namespace motet::audio
