// Who may do what, as yes and no: the overlapping roles behind it, who has them, and the exceptions.
// docs/roles.md has the models.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "motet/error.h"
#include "motet/interval.h"
#include "motet/model.h"
#include "motet/options.h"
#include "motet/run.h"

#pragma GCC visibility push(default)
namespace motet::roles {

struct RoleModel;

struct NamedGrant {
  std::string user;
  std::string permission;
};

struct Grant {
  std::uint32_t user = 0;  // numbers in the lists of names
  std::uint32_t permission = 0;
};

struct Access {
  std::vector<std::string> users;
  std::vector<std::string> permissions;
  std::vector<Grant> grants;
};

// Users and permissions by first appearance, as the command line reads a file of pairs.
Access access_from(std::span<const NamedGrant> grants);

// What is known of the users beside their permissions, such as department and site.
struct Attributes {
  std::vector<std::string> names{};
  std::vector<std::string> words{};  // at [user * names.size() + attribute]; empty: missing
};

struct KeptRole {
  std::string name;
  std::vector<std::uint32_t> permissions;
};

// What the roles must respect, such as separation of duties.
struct Rules {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> never_share_role{};  // pairs of permissions
  std::vector<KeptRole> keep{};                                             // roles that stay as they are
  std::vector<std::pair<std::uint32_t, std::uint32_t>> never_share_user{};  // pairs of kept roles
};

// Everything needed to tell the roles of further users, as a value that is cheap to copy.
class Model : public ModelOf<RoleModel> {
 public:
  using ModelOf::ModelOf;
  const std::vector<std::string>& roles() const;  // names
  const std::vector<std::string>& permissions() const;
  std::vector<std::uint32_t> granted(std::size_t role) const;  // numbers of permissions
};

std::string to_text(const Model& model);  // a model file
Model model_from_text(std::string_view text);

struct Role {
  std::string name;
  std::vector<std::uint32_t> permissions{};  // that it grants
  std::vector<double> probability{};         // by permission: that it grants it
  std::size_t members = 0;                   // users who are told to have it
};

struct Exception {
  std::uint32_t user = 0;
  std::uint32_t permission = 0;
  bool is_extra = true;      // held, and no role of theirs grants it; else granted, and not held
  double probability = 0.0;  // of that
};

// By user: the roles they are told to have (their most probable set, if no option says otherwise), and the probability
// of each role at [user * roles + role].
struct Assignments {
  std::vector<std::vector<std::uint32_t>> sets;
  std::vector<double> probability;
};

struct Mined {
  Model model;
  std::vector<Role> roles;
  Assignments assignments;
  std::vector<Exception> exceptions;  // every cell in which the roles told differ from the data, most probable first
  FitSummary summary;
  double log_likelihood = 0.0;
  double training_error = 0.0;  // share of cells that the roles do not reproduce
  double coverage = 0.0;        // share of the permissions held that a role grants
  Interval noise_fraction;
  std::vector<std::string> warnings;
};

// `motet roles mine --roles COUNT`; roles that are kept come first, and are not counted.
Mined mine(const Access& access, std::size_t count, const Options& options = {}, const Run& run = {},
           const Attributes& attributes = {}, const Rules& rules = {});
OptionList mine_options();

// The number of roles that `motet roles mine --roles LOW..HIGH` chooses: that of the shortest description.
std::size_t choose_count(const Access& access, std::size_t low, std::size_t high, const Options& options = {},
                         const Run& run = {});

// `motet roles assign`: of users whose permissions are known, by the names of the permissions.
Assignments assign(const Model& model, const Access& access, const Run& run = {});

struct Simulated {
  Access access;
  std::vector<std::vector<std::uint32_t>> roles;        // permissions of each
  std::vector<std::vector<std::uint32_t>> assignments;  // roles of each user
  Attributes attributes;                                // with the option attribute_values
};

// `motet roles simulate`.
Simulated simulate(const Options& options = {}, const Run& run = {});
OptionList simulate_options();

}  // namespace motet::roles
#pragma GCC visibility pop
