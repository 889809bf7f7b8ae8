#include "motet/app/roles/access_picture.h"

#include <map>

#include "motet/report/document.h"
#include "motet/roles/role_order.h"
#include "motet/roles/role_summary.h"

namespace motet::roles {
namespace {

const char* const kind_names[] = {"not held", "held, no role grants it (extra)",
                                  "granted by a role, not held (missing)", "held, granted by a role"};

// Sets of roles, each kept once.
class SetNumbers {
 public:
  std::uint32_t of(const std::vector<std::uint32_t>& set) {
    const auto [place, is_new] = numbers_.try_emplace(set, static_cast<std::uint32_t>(sets_.size()));
    if (is_new) sets_.push_back(set);
    return place->second;
  }
  std::vector<std::vector<std::uint32_t>> take() { return std::move(sets_); }

 private:
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers_;
  std::vector<std::vector<std::uint32_t>> sets_;
};

PictureSide picture_side(const NameList& names, const BitMatrix& groups, const std::vector<std::uint32_t>& order,
                         const std::vector<OrderBand>& bands, const std::vector<std::string>& roles,
                         SetNumbers& numbers) {
  PictureSide side;
  for (const std::uint32_t i : order) {
    side.names.emplace_back(names[i]);
    side.set_of.push_back(numbers.of(ones_of(groups, i)));
  }
  for (const OrderBand& band : bands) side.bands.push_back({role_set_name(roles, band.roles), band.end});
  return side;
}

Table cell_table(const BitMatrix& held, const BitMatrix& granted) {
  const std::array<std::size_t, 4> count = count_cells(held, granted);
  const std::size_t cells = held.rows() * held.columns();
  Listing listing{{{"cells"}, {"number"}, {"share"}}};
  for (const std::size_t kind : {3U, 1U, 2U, 0U}) {
    listing.rows.push_back({kind_names[kind], count[kind],
                            cells == 0 ? 0.0 : static_cast<double>(count[kind]) / static_cast<double>(cells)});
  }
  return listing.table();
}

}  // namespace

MatrixPicture access_picture(const Access& access, const std::vector<std::string>& names, const BitMatrix& roles,
                             const BitMatrix& assignments) {
  const RoleOrder order = role_order(access.held, roles, assignments);
  const BitMatrix granted = boolean_product(assignments, roles);
  const auto ordered = [&](const BitMatrix& bits) { return bits.rows_of(order.users).columns_of(order.permissions); };
  SetNumbers numbers;
  MatrixPicture picture;
  picture.title = "Users and permissions in the order of the roles";
  picture.caption =
      "Users with the same roles stand together, permissions with the first role that has them. Each user has the most "
      "probable roles.";
  picture.rows = picture_side(access.users, assignments, order.users, order.user_bands, names, numbers);
  picture.columns =
      picture_side(access.permissions, roles.transposed(), order.permissions, order.permission_bands, names, numbers);
  picture.rows.title = "user";
  picture.columns.title = "permission";
  picture.kinds.assign(std::begin(kind_names), std::end(kind_names));
  picture.low = ordered(access.held);
  picture.high = ordered(granted);
  picture.group_title = "roles";
  picture.groups = names;
  picture.sets = numbers.take();
  picture.table = cell_table(access.held, granted);
  return picture;
}

std::string role_set_name(const std::vector<std::string>& names, const std::vector<std::uint32_t>& roles) {
  if (roles.empty()) return "no role";
  std::string text;
  for (const std::uint32_t k : roles) text += (text.empty() ? "" : " + ") + names[k];
  return text;
}

}  // namespace motet::roles
