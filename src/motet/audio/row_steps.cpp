#include "motet/audio/row_steps.h"

#include <cmath>
#include <deque>
#include <memory>
#include <utility>

namespace motet::audio {
namespace {

// Slopes of rows that arrive one after another; a row comes out with its slope as soon as those behind it are there.
class Slopes {
 public:
  Slopes(std::size_t width, std::size_t last, std::size_t window) : width_(width), last_(last), window_(window) {
    for (std::size_t k = 1; k <= window; ++k) norm_ += 2.0 * static_cast<double>(k * k);
  }

  void push(const double* row, std::vector<double>& rows) {
    kept_.emplace_back(row, row + width_);
    while (next_ + window_ < first_ + kept_.size()) put(rows);
  }

  void finish(std::vector<double>& rows) {
    while (next_ < first_ + kept_.size()) put(rows);
  }

 private:
  // The first and the last row stand for those beyond them.
  const std::vector<double>& row(std::size_t behind, std::size_t before) const {
    const std::size_t wanted = next_ + behind < before ? 0 : next_ + behind - before;
    return kept_[std::min(std::max(wanted, first_) - first_, kept_.size() - 1)];
  }

  // The row, and the slopes of its last `last_` columns behind it.
  void put(std::vector<double>& rows) {
    const std::vector<double>& here = row(0, 0);
    rows.insert(rows.end(), here.begin(), here.end());
    for (std::size_t c = width_ - last_; c < width_; ++c) {
      double sum = 0.0;
      for (std::size_t k = 1; k <= window_; ++k) sum += static_cast<double>(k) * (row(k, 0)[c] - row(0, k)[c]);
      rows.push_back(sum / norm_);
    }
    ++next_;
    while (next_ > first_ + window_) {
      kept_.pop_front();
      ++first_;
    }
  }

  std::size_t width_;
  std::size_t last_;
  std::size_t window_;
  double norm_ = 0.0;
  std::deque<std::vector<double>> kept_;  // the first is row `first_`
  std::size_t first_ = 0;
  std::size_t next_ = 0;  // to be put out
};

// Hands the rows of a stream, one by one, to a step.
template <class Step>
FeatureStream stepped(FeatureStream from, std::shared_ptr<Step> step) {
  const std::size_t width = from.columns.size();
  const auto buffer = std::make_shared<std::vector<double>>();
  const auto hand = [width, step, buffer](std::vector<double>& rows) {
    for (std::size_t i = 0; i + width <= buffer->size(); i += width) step->push(buffer->data() + i, rows);
    buffer->clear();
  };
  FeatureStream to;
  to.push = [push = std::move(from.push), hand, buffer](std::span<const std::span<const float>> channels,
                                                        std::vector<double>& rows) {
    push(channels, *buffer);
    hand(rows);
  };
  to.finish = [finish = std::move(from.finish), hand, step, buffer](std::vector<double>& rows) {
    finish(*buffer);
    hand(rows);
    step->finish(rows);
  };
  return to;
}

// The mean and the sum of squared differences from it, row by row (Welford 1962).
class Means {
 public:
  Means(std::size_t width, bool has_sd, std::size_t count)
      : has_sd_(has_sd), count_(count), mean_(width), squares_(width) {}

  void push(const double* row, std::vector<double>& rows) {
    ++seen_;
    for (std::size_t c = 0; c < mean_.size(); ++c) {
      const double difference = row[c] - mean_[c];
      mean_[c] += difference / static_cast<double>(seen_);
      squares_[c] += difference * (row[c] - mean_[c]);
    }
    if (seen_ == count_) put(rows);
  }

  void finish(std::vector<double>& rows) {
    if (count_ == 0 && seen_ > 0) put(rows);
  }

 private:
  void put(std::vector<double>& rows) {
    rows.insert(rows.end(), mean_.begin(), mean_.end());
    if (has_sd_) {
      for (const double square : squares_) rows.push_back(std::sqrt(square / static_cast<double>(seen_)));
    }
    mean_.assign(mean_.size(), 0.0);
    squares_.assign(squares_.size(), 0.0);
    seen_ = 0;
  }

  bool has_sd_;
  std::size_t count_;
  std::vector<double> mean_;
  std::vector<double> squares_;
  std::size_t seen_ = 0;
};

FeatureStream with_slopes(FeatureStream rows, std::size_t last, std::size_t window, const std::string& prefix) {
  std::vector<std::string> columns = rows.columns;
  std::vector<std::string> units = rows.units;
  const FrameClock clock = rows.clock;
  const auto slopes = std::make_shared<Slopes>(columns.size(), last, window);
  const std::size_t base = prefix == "delta_" ? 0 : columns.size() - 2 * last;
  for (std::size_t c = 0; c < last; ++c) {
    columns.push_back(prefix + rows.columns[base + c]);
    units.push_back(rows.units[base + c] + (prefix == "delta_" ? " per row" : " per row per row"));
  }
  FeatureStream stepped_rows = stepped(std::move(rows), slopes);
  stepped_rows.columns = std::move(columns);
  stepped_rows.units = std::move(units);
  stepped_rows.clock = clock;
  return stepped_rows;
}

}  // namespace

FeatureStream with_deltas(FeatureStream rows, std::size_t order, std::size_t window) {
  const std::size_t width = rows.columns.size();
  if (order >= 1) rows = with_slopes(std::move(rows), width, window, "delta_");
  if (order >= 2) rows = with_slopes(std::move(rows), width, window, "delta2_");
  return rows;
}

FeatureStream pooled(FeatureStream rows, Pool pool, std::size_t count) {
  if (pool == Pool::none) return rows;
  FrameClock clock;
  if (count > 0 && rows.clock.has_time()) {
    const auto hops = static_cast<double>(count - 1);
    clock = {rows.clock.hop * static_cast<double>(count), rows.clock.hop * hops + rows.clock.window};
  }
  std::vector<std::string> columns;
  std::vector<std::string> units;
  for (const char* ending : {"_mean", "_sd"}) {
    if (pool == Pool::mean && columns.size() == rows.columns.size()) break;
    for (std::size_t c = 0; c < rows.columns.size(); ++c) {
      columns.push_back(rows.columns[c] + ending);
      units.push_back(rows.units[c]);
    }
  }
  FeatureStream means = stepped(std::move(rows), std::make_shared<Means>(units.size() / (pool == Pool::mean ? 1 : 2),
                                                                         pool == Pool::mean_sd, count));
  means.columns = std::move(columns);
  means.units = std::move(units);
  means.clock = clock;
  return means;
}

FeatureStream with_row_steps(FeatureStream rows, const RowOptions& options) {
  return pooled(with_deltas(std::move(rows), options.deltas, options.delta_window), options.pool, options.pool_rows);
}

}  // namespace motet::audio
