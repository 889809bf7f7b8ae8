#include "motet/superset/update.h"

#include <fmt/format.h>

#include "motet/base/error.h"
#include "motet/superset/lsb_stochastic.h"

namespace motet {

SupersetModel update_superset(SupersetModel model, const CandidateItems& items, const RunContext& run) {
  if (items.classes != model.classes) {
    fail(ErrorKind::bad_data, "the classes of the items are not those of the model");
  }
  for (const SupersetMember& member : model.members) {
    if (member.mixtures.empty()) {
      fail(ErrorKind::usage, fmt::format("update: a model with '{}' cannot take further items; train one with --method "
                                         "lsb-cmm, or again on all items",
                                         name_of(member.plan)));
    }
  }
  const std::vector<double> x = prepare(model.preparation, items.features, run.threads);
  for (SupersetMember& member : model.members) {
    const std::vector<double> scaled = member.plan.unit_rows ? unit_rows(x, model.dimensions()) : x;
    for (LsbCmm& mixture : member.mixtures) {
      mixture = update_lsb_cmm(mixture, items, scaled, model.options, run).model;
    }
  }
  model.items += items.rows();
  return model;
}

}  // namespace motet
