// A small fit of two roles made by hand, for tests of how results are told.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "motet/data/access.h"
#include "motet/roles/mine.h"

namespace motet::roles {

//          mail pay ledger stock truck
// ann        1   1    1     .     .     finance
// bob        1   1    .     .     .     finance, ledger missing
// cid        1   .    .     1     1     store
// dee        1   .    .     1     1     store
// eva        1   1    1     1     1     both
// fay        .   .    .     .     1     no role, truck extra
struct RolesCase {
  Access access;
  RoleFit fit;
};

inline RolesCase roles_case() {
  RolesCase data;
  const std::vector<std::string> rows = {"11100", "11000", "10011", "10011", "11111", "00001"};
  data.access.users = NameList(std::vector<std::string>{"ann", "bob", "cid", "dee", "eva", "fay"});
  data.access.permissions = NameList(std::vector<std::string>{"mail", "pay", "ledger", "stock", "truck"});
  data.access.held = BitMatrix(6, 5);
  for (std::size_t n = 0; n < 6; ++n) {
    for (std::size_t d = 0; d < 5; ++d) data.access.held.set(n, d, rows[n][d] == '1');
  }
  RoleModel& model = data.fit.model;
  model.permissions = data.access.permissions.to_vector();
  model.roles = {"ledger +2", "stock +2"};
  model.absence = {0.01, 0.02, 0.25, 0.99, 0.98, 0.03, 0.99, 0.99, 0.02, 0.05};
  model.p0 = {0.015625};
  model.p1 = {0.953125};                // noise 1/16, set with 1/4: exact in binary
  model.sets = LabelSets::up_to(2, 2);  // {}, {0}, {1}, {0, 1}
  model.set_share = {0.2, 0.3, 0.3, 0.2};
  model.frozen = {0, 0};
  model.users = 6;
  for (const std::uint32_t set : {1U, 1U, 2U, 2U, 3U, 0U}) {
    data.fit.users.shares.push_back({set, 1.0});
    data.fit.users.ends.push_back(data.fit.users.shares.size());
    data.fit.users.log_likelihood.push_back(-2.0);
  }
  data.fit.told = most_probable_roles(model, data.fit.users);
  data.fit.roles = {{3, 2.9, 0.97, {2, 1, 0}}, {3, 3.1, 0.99, {3, 4, 0}}};
  data.fit.exceptions = {{5, 4, ExceptionKind::extra, 0.98}, {1, 2, ExceptionKind::missing, 0.75}};
  data.fit.starts = {{"association", false, -2.5, -2.0}, {"rows", true, std::nan(""), -2.25}};
  data.fit.summary.stop = Stop::converged;
  data.fit.summary.objective = {-15.0, -12.5, -12.0};
  data.fit.log_likelihood = -12.0;
  data.fit.free_energy = 12.0;
  data.fit.training_error = 2.0 / 30.0;
  data.fit.coverage = 16.0 / 17.0;
  data.fit.capacity_bits = std::nan("");
  data.fit.dropped_mass = 0.001;
  data.fit.noise_fraction = {0.01, 0.14};
  data.fit.set_probability = {0.1, 0.7};
  data.fit.warnings = {"role 'stock +2' has only 3 members"};
  return data;
}

}  // namespace motet::roles
