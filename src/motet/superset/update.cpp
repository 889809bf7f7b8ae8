#include "motet/superset/update.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/base/error.h"
#include "motet/superset/companions.h"
#include "motet/superset/lsb_cmm/lsb_stochastic.h"

namespace motet::superset {

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
  const CandidateItems weighted =
      candidates_of(credited(evidence_of(items, model.options.outside_probability), model.credit));
  const std::vector<double> x = prepare(model.preparation, items.features, run.threads);
  for (SupersetMember& member : model.members) {
    const std::vector<double> scaled = member.plan.unit_rows ? unit_rows(x, model.dimensions()) : x;
    for (LsbCmm& mixture : member.mixtures) {
      mixture = update_lsb_cmm(mixture, weighted, scaled, model.options, run).model;
    }
  }
  model.items += items.rows();
  std::erase_if(model.never, [&](const std::string& name) {
    return std::any_of(items.label.begin(), items.label.end(),
                       [&](std::uint32_t label) { return items.classes[label] == name; });
  });
  return model;
}

}  // namespace motet::superset
