#include "motet/roles/choice/grown_models.h"

#include "motet/base/error.h"
#include "motet/roles/mac/search_starts.h"

namespace motet::roles {
namespace {

constexpr std::size_t grown_steps = 30;

RoleModel model_of(const RoleState& state, RoleSearch& search, const MergedMatrix& merged,
                   const std::vector<std::string>& permissions) {
  RoleModel model;
  model.permissions = permissions;
  const std::size_t columns = model.permissions.size();
  model.roles.resize(state.count());
  model.frozen.assign(state.count(), 0);
  model.absence.resize(state.count() * columns);
  for (std::size_t k = 0; k < state.count(); ++k) {
    for (std::size_t d = 0; d < columns; ++d) {
      model.absence[k * columns + d] = state.roles(k, merged.column_of[d]) ? 0.0 : 1.0;
    }
  }
  model.p0 = {state.p0};
  model.p1 = {state.p1};
  model.sets = search.shape(state.count()).sets;
  model.set_share = state.share;
  model.users = static_cast<double>(merged.row_of.size());
  return model;
}

}  // namespace

std::vector<RoleModel> grown_models(const BitMatrix& held, const std::vector<std::string>& permissions,
                                    const GrownRange& range, const SearchRules& rules, Rng rng, const RunContext& run) {
  if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted");
  const MergedMatrix merged = merge_equal(held);
  RoleSearch search(merged, rules, run);
  std::vector<RoleModel> models;
  for (RoleState& state : growth_path(search, range.most, rng)) {
    const RoleState settled =
        state.count() >= range.settled_from ? search.improve(std::move(state), grown_steps) : std::move(state);
    models.push_back(model_of(settled, search, merged, permissions));
  }
  return models;
}

}  // namespace motet::roles
