#include "motet/roles/baselines/from_factors.h"

#include <algorithm>
#include <map>

#include "motet/roles/mac/mac_em.h"
#include "motet/roles/mac/search.h"

namespace motet::roles {

RoleModel model_from_factors(const Access& access, const Factorization& factors, std::size_t degree,
                             RoleMethod method) {
  RoleModel model;
  const std::size_t roles = factors.roles.rows();
  model.method = method;
  model.permissions = access.permissions.to_vector();
  model.roles.resize(roles);
  model.frozen.assign(roles, 0);
  model.absence = absence_of(factors.roles);
  model.users = static_cast<double>(access.user_count());
  const BitMatrix covered = boolean_product(factors.assignments, factors.roles);
  double ones[2] = {0.0, 0.0};
  double cells[2] = {0.0, 0.0};
  for (std::size_t n = 0; n < covered.rows(); ++n) {
    for (std::size_t w = 0; w < covered.words(); ++w) {
      ones[1] += std::popcount(access.held.row(n)[w] & covered.row(n)[w]);
      ones[0] += std::popcount(access.held.row(n)[w] & ~covered.row(n)[w]);
    }
    cells[1] += static_cast<double>(covered.count(n));
  }
  cells[0] = static_cast<double>(covered.rows()) * static_cast<double>(covered.columns()) - cells[1];
  // Half a cell on either side: no level is 0 or 1.
  model.p0 = {(ones[0] + 0.5) / (cells[0] + 1.0)};
  model.p1 = {std::max((ones[1] + 0.5) / (cells[1] + 1.0), model.p0[0])};
  model.sets = LabelSets::up_to(roles, feasible_degree(roles, degree), {}, 10 * most_label_sets);
  std::map<std::vector<std::uint32_t>, std::size_t> number;
  for (std::size_t l = 0; l < model.sets.size(); ++l) {
    number.emplace(std::vector(model.sets[l].begin(), model.sets[l].end()), l);
  }
  std::vector<double> count(model.sets.size());
  for (std::size_t n = 0; n < factors.assignments.rows(); ++n) {
    std::vector<std::uint32_t> members;
    for_each_bit(factors.assignments.row(n), [&](std::size_t k) { members.push_back(static_cast<std::uint32_t>(k)); });
    const auto [place, is_new] = number.try_emplace(members, model.sets.size());
    if (is_new) {
      model.sets.add(members);
      count.push_back(0.0);
    }
    count[place->second] += 1.0;
  }
  const double pseudo = 1.0 / static_cast<double>(count.size());
  for (double& users : count) users = (users + pseudo) / (model.users + 1.0);
  model.set_share = std::move(count);
  return model;
}

}  // namespace motet::roles
