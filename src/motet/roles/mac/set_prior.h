// How frequent each set of roles is: p(L), or p(L | attributes of the user).
//
// Without attributes p(L) is learned with one pseudo user spread over all sets, or the same for all (`is_uniform`).
// With attributes (section 5 of spec/roles.md, in a form that is a probability model)
//   p(L | s_1 ... s_A) = share_0 p(L) + sum over a of share_a p_a(L | s_a),
// p_a(. | s) drawn around p(L) with `attribute_users` pseudo users; a missing value is a
// value of its own, the last. All shares are learned. Users of equal attributes are a group.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motet/data/access.h"
#include "motet/roles/role_model.h"

namespace motet::roles {

constexpr double attribute_users = 5.0;

// Users by equal attributes; group 0 alone when there are none.
struct AttributeGroups {
  std::vector<std::uint32_t> group_of;   // by user; empty when there is one group
  std::vector<std::uint32_t> value;      // [group * attributes + attribute]
  std::vector<std::size_t> value_count;  // by attribute
  std::size_t groups = 1;

  std::size_t attributes() const { return value_count.size(); }
};
AttributeGroups group_by_attributes(const Attributes* attributes, std::size_t users);

// The numbers behind it, as one flat vector: p(L) [sets]; then, with attributes, the
// shares [1 + A] and p_a(L | s) [attribute, value, set].
class SetPrior {
 public:
  // `centre` is what attributes are shrunk to: p(L) of a fit without them.
  // A uniform one has no attributes, and whatever its numbers are it says the same.
  SetPrior(std::size_t sets, AttributeGroups groups, std::vector<double> centre = {}, bool is_uniform = false);

  std::size_t parameter_count() const;
  std::size_t group_count() const { return groups_.groups; }
  std::vector<double> start(std::span<const double> set_share) const;

  std::vector<double> log_table(std::span<const double> parameters) const;  // [group * sets + set]
  double log_density(std::span<const double> parameters) const;             // of the parameters themselves
  // users[group * sets + set]: expected numbers of users.
  std::vector<double> maximise(std::span<const double> users, std::span<const double> parameters) const;

  // Makes an extrapolated point a prior again; no share falls below a hundredth of the EM point's.
  void project(std::span<const double> em_point, std::span<double> candidate) const;

  AttributePrior attribute_prior(std::span<const double> parameters, const Attributes& attributes) const;

 private:
  std::size_t at(std::size_t attribute, std::size_t value) const;  // of p_a(. | value)
  void normalise(std::span<double> parameters) const;              // every distribution sums to 1

  std::size_t sets_;
  AttributeGroups groups_;
  std::vector<double> centre_;
  bool is_uniform_;
  std::vector<std::size_t> first_;  // by attribute: where its block begins
};

}  // namespace motet::roles
