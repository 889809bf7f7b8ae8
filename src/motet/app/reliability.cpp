#include "motet/app/reliability.h"

#include <algorithm>

#include "motet/report/line_plot.h"

namespace motet {

Plot reliability_plot(PlotText text, const Reliability& reliability) {
  Series diagonal{"perfect", {0.0, 1.0}, {0.0, 1.0}, {}, {}};
  Series ours{"found", {}, {}, {}, {}};
  for (const ReliabilityBin& bin : reliability.bins) {
    ours.x.push_back(bin.mean_probability);
    ours.y.push_back(bin.share_right);
    ours.low.push_back(std::max(0.0, bin.share_right - bin.error));
    ours.high.push_back(std::min(1.0, bin.share_right + bin.error));
  }
  return line_plot(std::move(text), {{std::move(ours), std::move(diagonal)}, "stated probability", "share right"});
}

Value reliability_bins(const Reliability& reliability) {
  Value::List bins;
  for (const ReliabilityBin& bin : reliability.bins) {
    bins.push_back(Value::object({{"mean_probability", bin.mean_probability},
                                  {"share_right", bin.share_right},
                                  {"standard_error", bin.error},
                                  {"items", bin.items}}));
  }
  return bins;
}

}  // namespace motet
