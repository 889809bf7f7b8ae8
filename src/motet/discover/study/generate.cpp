#include "motet/discover/study/generate.h"

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/base/lot.h"
#include "motet/base/streams.h"
#include "motet/discover/discovery.h"

namespace motet::discover {
namespace {

constexpr double swell_rows = 30.0;  // over which swelling and fading is correlated
constexpr double burst_rows = 4.0;   // mean length of a burst of an event
constexpr double kind_distance = 3.0;
constexpr std::size_t longest_gust = 20;

using Vector = std::vector<double>;

Vector direction(std::size_t dimensions, Rng& rng) {
  Vector u(dimensions);
  double norm = 0.0;
  for (double& x : u) {
    x = rng.normal();
    norm += x * x;
  }
  for (double& x : u) x /= std::sqrt(norm);
  return u;
}

// Noise of variance 1 per column with correlated rows; `mix` correlates the columns.
class Wandering {
 public:
  Wandering(std::size_t dimensions, double correlation, Rng rng)
      : correlation_(correlation), rng_(rng), at_(dimensions) {
    for (double& x : at_) x = rng_.normal();
  }
  const Vector& next() {
    const double fresh = std::sqrt(1.0 - correlation_ * correlation_);
    for (double& x : at_) x = correlation_ * x + fresh * rng_.normal();
    return at_;
  }

 private:
  double correlation_;
  Rng rng_;
  Vector at_;
};

// A kind of background: a mean, and neighbouring columns that share part of their noise.
struct Kind {
  Vector mean;
  Vector own;  // share of a column's noise that is its own; the rest is that of the column before
};

Kind draw_kind(std::size_t dimensions, Rng& rng) {
  Kind kind{direction(dimensions, rng), Vector(dimensions)};
  for (double& x : kind.mean) x *= kind_distance;
  for (double& x : kind.own) x = rng.uniform(0.5, 1.0);
  return kind;
}

void add_noise(const Kind& kind, const Vector& noise, double scale, Vector& row) {
  for (std::size_t d = 0; d < row.size(); ++d) {
    const double before = d == 0 ? noise.back() : noise[d - 1];
    row[d] += scale * (kind.own[d] * noise[d] + std::sqrt(1.0 - kind.own[d] * kind.own[d]) * before);
  }
}

struct Placed {
  std::size_t begin;
  std::uint32_t of_class;
};

std::vector<Placed> place_events(const EventOptions& options, Rng rng) {
  const std::size_t events = options.classes * options.events_per_class;
  if (events * options.event_length > options.rows) {
    fail(ErrorKind::usage, std::to_string(events) + " events of " + std::to_string(options.event_length) +
                               " rows do not fit into --rows " + std::to_string(options.rows));
  }
  const std::size_t free = options.rows - events * options.event_length;
  std::vector<std::size_t> offsets(events);
  for (std::size_t& offset : offsets) offset = rng.below(free + 1);
  std::sort(offsets.begin(), offsets.end());
  const std::vector<std::uint32_t> order = drawn_by_lot(events, events, rng.child(0));
  std::vector<Placed> placed(events);
  for (std::size_t i = 0; i < events; ++i) {
    placed[i] = {offsets[i] + i * options.event_length, static_cast<std::uint32_t>(order[i] % options.classes) + 1};
  }
  return placed;
}

std::string numbered(std::string_view word, std::size_t number) {
  std::string text(word);
  return text += std::to_string(number);
}

Features empty_features(std::size_t dimensions, std::size_t rows) {
  Features features;
  for (std::size_t d = 0; d < dimensions; ++d) features.columns.push_back(numbered("x", d + 1));
  features.values.reserve(rows * dimensions);
  features.starts = {0, rows};
  features.sequences = {""};
  return features;
}

class EventSequence {
 public:
  EventSequence(const EventOptions& options, const Rng& rng)
      : options_(options),
        noise_(options.dimensions, options.correlation, rng.child(0)),
        event_noise_(options.dimensions, options.correlation, rng.child(1)),
        swell_(1, 1.0 - 1.0 / swell_rows, rng.child(2)),
        chain_(rng.child(3)),
        gusts_(rng.child(4)),
        bursts_(rng.child(5)) {
    Rng shapes = rng.child(6);
    for (std::size_t b = 0; b < options.background; ++b) kinds_.push_back(draw_kind(options.dimensions, shapes));
    for (std::size_t c = 0; c < options.classes; ++c) events_.push_back(direction(options.dimensions, shapes));
    kind_ = chain_.below(options.background);
  }

  // of_class 0: background; else an event, of which `is_first` marks the beginning.
  Vector next(std::uint32_t of_class, bool is_first) {
    if (chain_.uniform() < 1.0 / options_.background_stay) kind_ = chain_.below(options_.background);
    const Kind& kind = kinds_[kind_];
    Vector row = kind.mean;
    add_noise(kind, noise_.next(), std::exp(options_.unrest * swell_.next()[0]), row);
    gust(row);
    const Vector& of_event = event_noise_.next();
    if (of_class == 0 || !sounds(is_first)) return row;
    const Vector& u = events_[of_class - 1];
    for (std::size_t d = 0; d < row.size(); ++d) {
      const double event = kind.mean[d] + options_.separation * u[d] + of_event[d];
      row[d] = (1.0 - options_.gain) * row[d] + options_.gain * event;
    }
    return row;
  }

 private:
  void gust(Vector& row) {
    if (gust_left_ == 0 && gusts_.uniform() < options_.gusts / 1000.0) {
      gust_left_ = 1 + gusts_.below(longest_gust);
      gust_ = direction(options_.dimensions, gusts_);
      const double far = gusts_.uniform(0.0, options_.separation);
      for (double& x : gust_) x *= far;
    }
    if (gust_left_ == 0) return;
    --gust_left_;
    for (std::size_t d = 0; d < row.size(); ++d) row[d] += gust_[d];
  }

  // Bursts and pauses take turns; the lengths have the wanted share. An event begins with a burst.
  bool sounds(bool is_first) {
    const double pause_rows = options_.bursts > 0.0 ? burst_rows * (1.0 - options_.bursts) / options_.bursts : 1e9;
    if (is_first) {
      sounds_ = true;
    } else if (bursts_.uniform() < 1.0 / (sounds_ ? burst_rows : std::max(1.0, pause_rows))) {
      sounds_ = !sounds_ || options_.bursts == 1.0;
    }
    return sounds_;
  }

  const EventOptions& options_;
  Wandering noise_;
  Wandering event_noise_;
  Wandering swell_;
  Rng chain_;
  Rng gusts_;
  Rng bursts_;
  std::vector<Kind> kinds_;
  std::vector<Vector> events_;
  std::size_t kind_ = 0;
  std::size_t gust_left_ = 0;
  Vector gust_;
  bool sounds_ = false;
};

}  // namespace

LabelledFeatures generate_events(const EventOptions& options, Seed seed) {
  check_ranges(options);
  const Rng rng = stream(seed, Stream::discover_events);
  LabelledFeatures result{empty_features(options.dimensions, options.rows), {}};
  result.truth.classes = {std::string(background_name)};
  for (std::size_t c = 0; c < options.classes; ++c) result.truth.classes.push_back(numbered("event", c + 1));
  result.truth.of_row.assign(options.rows, 0);
  std::vector<std::uint8_t> is_first(options.rows, 0);
  for (const Placed& event : place_events(options, rng.child(0))) {
    is_first[event.begin] = 1;
    for (std::size_t i = 0; i < options.event_length; ++i) result.truth.of_row[event.begin + i] = event.of_class;
  }
  EventSequence sequence(options, rng.child(1));
  for (std::size_t n = 0; n < options.rows; ++n) {
    const Vector row = sequence.next(result.truth.of_row[n], is_first[n] != 0);
    result.features.values.insert(result.features.values.end(), row.begin(), row.end());
  }
  return result;
}

LabelledFeatures toy_of_figure_6_1(const ToyOptions& options, Seed seed) {
  constexpr std::size_t of_cluster = 950;
  constexpr std::size_t of_class = 100;
  Rng rng = stream(seed, Stream::discover_toy);
  struct Row {
    double x;
    double y;
    std::uint32_t of_class;
  };
  std::vector<Row> left;
  std::vector<Row> right;
  std::vector<Row> rare;
  for (std::size_t i = 0; i < of_cluster; ++i) left.push_back({-3.0 + 0.6 * rng.normal(), 2.0 * rng.normal(), 0});
  for (std::size_t i = 0; i < of_cluster; ++i) right.push_back({3.0 + 0.6 * rng.normal(), 2.0 * rng.normal(), 0});
  for (std::size_t i = 0; i < of_class; ++i) rare.push_back({0.2 * rng.normal(), 0.2 * rng.normal(), 1});
  if (options.interleaved) {
    for (std::size_t i = 0; i < of_cluster; ++i) {
      if (rng.uniform() < 0.5) std::swap(left[i], right[i]);
    }
    std::vector<Row> both;
    for (std::size_t i = 0; i < of_cluster; ++i) {
      both.push_back(left[i]);
      both.push_back(right[i]);
    }
    const auto middle = both.begin() + static_cast<std::ptrdiff_t>(of_cluster);
    left.assign(both.begin(), middle);
    right.assign(middle, both.end());
  }
  std::vector<Row> rows = left;
  rows.insert(rows.end(), rare.begin(), rare.end());
  rows.insert(rows.end(), right.begin(), right.end());
  for (std::size_t i = 0; i < options.noise; ++i) {
    const auto at = static_cast<std::ptrdiff_t>(rng.below(rows.size() + 1));
    const double x = rng.uniform(-8.0, 8.0);
    rows.insert(rows.begin() + at, {x, rng.uniform(-8.0, 8.0), 0});
  }
  LabelledFeatures result{empty_features(2, rows.size()), {{std::string(background_name), "rare"}, {}}};
  for (const Row& row : rows) {
    result.features.values.push_back(row.x);
    result.features.values.push_back(row.y);
    result.truth.of_row.push_back(row.of_class);
  }
  return result;
}

}  // namespace motet::discover
