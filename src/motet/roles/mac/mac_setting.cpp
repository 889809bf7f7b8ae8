#include "motet/roles/mac/mac_setting.h"

#include <algorithm>
#include <cmath>

#include "motet/roles/mac/mac_starts.h"

namespace motet::roles {

MacSetting::MacSetting(const MineData& data, std::size_t roles, const MineOptions& options,
                       const RoleConstraints& constraints, const RunContext& run)
    : Fitter(data, roles, options, constraints, run), column_group_(columns_apart(held_.columns(), constraints)) {}

bool MacSetting::allows_soft() const {
  return options_.centroids != Centroids::rounded && options_.noise_scope != NoiseScope::user &&
         constraints_.never_in_one_role.empty();
}

MergedMatrix MacSetting::merged(const BitMatrix& held, const std::vector<std::uint32_t>& row_group) const {
  return merge_equal(held, {}, row_group, column_group_);
}

SearchRules MacSetting::rules_for(const MergedMatrix& data) const {
  SearchRules rules;
  rules.degree = options_.method == RoleMethod::sac ? 1 : options_.max_roles_per_user;
  rules.noise = options_.noise;
  rules.has_uniform_sets = options_.set_shares == SetShares::uniform;
  rules.never_with_one_user = apart_.empty() ? constraints_.never_with_one_user : apart_;
  if (constraints_.keep.rows() > 0) rules.keep = compressed(constraints_.keep, data);
  if (!constraints_.never_in_one_role.empty()) {
    rules.never_with.resize(data.bits.columns());
    for (const auto& [a, b] : constraints_.never_in_one_role) {
      rules.never_with[data.column_of[a]].push_back(data.column_of[b]);
      rules.never_with[data.column_of[b]].push_back(data.column_of[a]);
    }
  }
  return rules;
}

MacShape MacSetting::shape_for(const MergedMatrix& data, bool rounded) const {
  SearchRules rules = rules_for(data);
  if (listed_) rules.degree = 1;
  MacShape shape = shape_of(rules, roles_);
  if (listed_) shape.sets = listed_->sets;
  shape.rounded = rounded;
  return shape;
}

RoleModel MacSetting::model_of(const MacShape& shape, std::span<const double> p, const MergedMatrix& data) const {
  RoleModel model;
  const std::size_t columns = data.bits.columns();
  const MacParts parts = mac_parts(shape, columns);
  model.method = options_.method;
  model.permissions = data_.access->permissions.to_vector();
  model.roles.resize(roles_);
  model.absence.resize(roles_ * model.permissions.size());
  for (std::size_t k = 0; k < roles_; ++k) {
    for (std::size_t d = 0; d < model.permissions.size(); ++d) {
      model.absence[k * model.permissions.size() + d] = p[k * columns + data.column_of[d]];
    }
  }
  model.noise = options_.noise;
  model.scope = shape.scope;
  const auto level = [&](std::size_t at, std::vector<double>& to) {
    if (model.scope == NoiseScope::permission) {
      for (const std::uint32_t column : data.column_of) to.push_back(p[at + column]);
    } else if (model.scope == NoiseScope::user) {
      to.push_back(p[at] / (p[at] + p[at + 1]));
      model.user_noise.insert(model.user_noise.end(), {p[at], p[at + 1]});
    } else {
      to.push_back(p[at]);
    }
  };
  level(parts.p0(), model.p0);
  level(parts.p1(), model.p1);
  model.sets = shape.sets;
  const auto prior = p.begin() + static_cast<std::ptrdiff_t>(parts.prior());
  model.set_share.assign(prior, prior + static_cast<std::ptrdiff_t>(model.sets.size()));
  if (shape.groups.attributes() > 0) {
    const SetPrior attribute_prior(model.sets.size(), shape.groups, shape.prior_centre);
    const std::span<const double> numbers = p.subspan(parts.prior());
    model.attributes = attribute_prior.attribute_prior(numbers, *data_.attributes);
    model.attributes->weight = options_.attribute_weight;
    model.attributes->marginal = marginal_of(attribute_prior.log_table(numbers), model.sets.size());
  }
  model.frozen.assign(roles_, 0);
  std::fill_n(model.frozen.begin(), constraints_.keep.rows(), std::uint8_t{1});
  model.users = static_cast<double>(held_.rows());
  return model;
}

// p(L) over all users: the mean of p(L | group), a group as often as it has users.
std::vector<double> MacSetting::marginal_of(const std::vector<double>& log_table, std::size_t sets) const {
  const AttributeGroups groups = group_by_attributes(data_.attributes, held_.rows());
  std::vector<double> users(groups.groups);
  for (const std::uint32_t group : groups.group_of) users[group] += 1.0;
  std::vector<double> marginal(sets);
  for (std::size_t g = 0; g < users.size(); ++g) {
    const double share = users[g] / static_cast<double>(held_.rows());
    for (std::size_t l = 0; l < sets; ++l) marginal[l] += share * std::exp(log_table[g * sets + l]);
  }
  for (double& p : marginal) p = std::min(p, 1.0);
  return marginal;
}

}  // namespace motet::roles
