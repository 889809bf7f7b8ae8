#include "motet/roles/baselines/factorization.h"

namespace motet::roles {

Factorization unmerged(const Factorization& merged, const MergedMatrix& data) {
  return {merged.roles.columns_of(data.column_of), merged.assignments.rows_of(data.row_of)};
}

}  // namespace motet::roles
