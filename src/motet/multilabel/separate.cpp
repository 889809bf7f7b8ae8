#include "motet/multilabel/separate.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "motet/base/error.h"
#include "motet/data/labelled_items.h"
#include "motet/data/preparation.h"

namespace motet::multilabel {
namespace {

// Emissions in the units of the features, where the preparation can be undone.
struct Units {
  const MultilabelModel& model;

  bool undone() const { return model.preparation.components.empty() && !model.preparation.centre.empty(); }
  void undo(Emission& emission) const {
    if (!undone()) return;
    const bool adds = model.sources.combination == Combination::sum;
    const bool has_centre = !adds || (model.sources.background && emission.source + 1 == model.sources.count);
    for (std::size_t d = 0; d < emission.mean.size(); ++d) {
      const double scale = model.preparation.scale[d];
      emission.mean[d] = scale * emission.mean[d] + (has_centre ? model.preparation.centre[d] : 0.0);
      emission.sd[d] = scale * emission.sd[d];
    }
  }
};

}  // namespace

void separate(const MultilabelModel& model, const NumberTable& features, const BitMatrix& sets, const RunContext& run,
              const std::function<void(std::size_t, const Emission&)>& visit) {
  constexpr std::size_t at_a_time = 512;  // items, whose different sets are made ready together
  const std::vector<double> x = prepare(model.preparation, features, run.threads);
  const std::size_t dimensions = model.preparation.outputs();
  const Units units{model};
  std::vector<std::vector<Emission>> found;
  for (std::size_t begin = 0; begin < features.rows(); begin += at_a_time) {
    if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while separating");
    const std::size_t count = std::min(at_a_time, features.rows() - begin);
    found.assign(count, {});
    std::vector<std::uint32_t> rows(count);
    std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(begin));
    const LabelSetIndex index = index_label_sets(sets.rows_of(rows));
    for_each_task(index.size(), run.threads, [&](std::size_t set) {
      const SetEmissions of_set(model.sources, index.sets.row(set));
      for (std::size_t place = index.starts[set]; place < index.starts[set + 1]; ++place) {
        const std::size_t i = index.rows[place];
        found[i] = of_set.at({x.data() + (begin + i) * dimensions, dimensions});
        for (Emission& emission : found[i]) units.undo(emission);
      }
    });
    for (std::size_t i = 0; i < count; ++i) {
      for (const Emission& emission : found[i]) visit(begin + i, emission);
    }
    if (run.observer) {
      run.observer({"separating", static_cast<double>(begin + count), static_cast<double>(features.rows()), "items"});
    }
  }
}

}  // namespace motet::multilabel
