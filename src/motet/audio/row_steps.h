// Steps from rows to rows: how they change, and means over several. Each holds only the rows it still needs.
#pragma once

#include <cstddef>

#include "motet/audio/feature_stream.h"
#include "motet/base/fields.h"

namespace motet::audio {

enum class Pool { none, mean, mean_sd };

struct RowOptions {
  std::size_t deltas = 0;        // 1: the change of every column too; 2: and the change of that
  std::size_t delta_window = 2;  // rows to each side
  Pool pool = Pool::none;
  std::size_t pool_rows = 0;  // 0: all of the recording
};

template <class V>
void visit_fields(V& v, RowOptions& o) {
  v("deltas", o.deltas, Range<std::size_t>{0, 2},
    "1: also how fast each column changes per row, as its slope over the rows around; 2: and how fast that changes");
  v("delta_window", o.delta_window, Range<std::size_t>{1, 100}, "rows to each side for --deltas");
  v("pool", o.pool, Choices{{"none", "mean", "mean-sd"}},
    "put the mean of several rows, or their mean and standard deviation, in the place of the rows");
  v("pool_rows", o.pool_rows, Range<std::size_t>{0, 1'000'000'000},
    "how many rows --pool takes together; 0: all of a recording");
}

// d_t = sum over k = 1 ... K of k (x_(t+k) - x_(t-k)) / (2 sum k^2), with K rows to each side and the first and the
// last row in place of those beyond them; the second difference is that of the first. Columns are called delta_NAME and
// delta2_NAME.
FeatureStream with_deltas(FeatureStream rows, std::size_t order, std::size_t window);

// Means of `count` rows that follow each other, 0: of all, and with mean_sd their standard deviations (of the rows,
// divided by their number). What is left at the end has no row. Columns are called NAME_mean and NAME_sd. A row of all
// has no time.
FeatureStream pooled(FeatureStream rows, Pool pool, std::size_t count);

FeatureStream with_row_steps(FeatureStream rows, const RowOptions& options);

}  // namespace motet::audio
