#include "motet/roles/role_record.h"

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/data/record_fields.h"

namespace motet::roles {
namespace {

constexpr double most_users = 1e15;
constexpr double largest_cost = 1e12;
constexpr std::string_view never_granted = "never";
constexpr double most_weight = 1e6;  // of the attributes; more would leave one set to each value

std::vector<double> probabilities_at(const Value& value, const char* key, std::size_t size) {
  return numbers_within(value, key, size, 0.0, 1.0);
}

// Of all sets of roles; together one.
std::vector<double> set_shares_at(const Value& value, const char* key, std::size_t sets) {
  std::vector<double> shares = probabilities_at(value, key, sets);
  require_shares(shares, sets, 1, key);
  return shares;
}

Value attributes_value(const AttributePrior& prior) {
  Value::List attributes;
  for (std::size_t a = 0; a < prior.names.size(); ++a) {
    Value::List given;
    for (const std::vector<double>& shares : prior.set_given[a]) given.push_back(Value::list_of(shares));
    attributes.push_back(Value::object({{"name", prior.names[a]},
                                        {"values", Value::list_of(prior.values[a])},
                                        {"share", prior.share[1 + a]},
                                        {"set_shares", std::move(given)}}));
  }
  return Value::object({{"share_without", prior.share[0]},
                        {"weight", prior.weight},
                        {"marginal", Value::list_of(prior.marginal)},
                        {"attributes", std::move(attributes)}});
}

AttributePrior attributes_of(const Value& value, std::size_t sets) {
  AttributePrior prior;
  prior.share.push_back(value.at("share_without").as_number());
  prior.weight = number_within(value, "weight", 0.0, most_weight);
  prior.marginal = set_shares_at(value, "marginal", sets);
  for (const Value& attribute : value.at("attributes").as_list()) {
    prior.names.push_back(attribute.at("name").as_text());
    prior.values.push_back(texts_at(attribute, "values"));
    prior.share.push_back(attribute.at("share").as_number());
    std::vector<std::vector<double>> given;
    for (const Value& shares : attribute.at("set_shares").as_list()) {
      given.push_back(set_shares_at(Value::object({{"set_shares", shares}}), "set_shares", sets));
    }
    if (given.size() != prior.values.back().size() + 1) {
      fail(ErrorKind::bad_data, "field 'set_shares' does not fit the attribute's values");
    }
    prior.set_given.push_back(std::move(given));
  }
  for (const double share : prior.share) {
    if (!(share >= 0.0)) fail(ErrorKind::bad_data, "field 'share' = " + to_text(share) + " is negative");
  }
  require_shares(prior.share, prior.share.size(), 1, "share");
  return prior;
}

Value grown_value(const GrownPrior& grown) {
  Value::List pairs;
  for (const auto& [one, other] : grown.never_together) {
    pairs.emplace_back(Value::List{static_cast<std::int64_t>(one), static_cast<std::int64_t>(other)});
  }
  return Value::object({{"most_roles", grown.most_roles},
                        {"unseen", grown.unseen},
                        {"role_shares", Value::list_of(grown.role_share)},
                        {"never_together", std::move(pairs)}});
}

GrownPrior grown_of(const Value& value, const RoleModel& model) {
  const auto role_at = [&](const Value& number) {
    const std::int64_t role = number.as_whole();
    if (role < 0 || role >= static_cast<std::int64_t>(model.role_count())) {
      fail(ErrorKind::bad_data, "field 'never_together' names a role that does not exist");
    }
    return static_cast<std::uint32_t>(role);
  };
  GrownPrior grown;
  const std::int64_t most = value.at("most_roles").as_whole();
  if (most < 1) fail(ErrorKind::bad_data, "field 'most_roles' = " + std::to_string(most) + " is below 1");
  grown.most_roles = static_cast<std::size_t>(most);
  grown.unseen = number_within(value, "unseen", 0.0, 1.0);
  grown.role_share = probabilities_at(value, "role_shares", model.role_count());
  for (const double share : grown.role_share) {
    if (!(share > 0.0 && share < 1.0)) {
      fail(ErrorKind::bad_data, "field 'role_shares' = " + to_text(share) + " is not between 0 and 1");
    }
  }
  for (const Value& pair : value.at("never_together").as_list()) {
    if (pair.as_list().size() != 2) fail(ErrorKind::bad_data, "field 'never_together' is not a list of pairs");
    grown.never_together.emplace_back(role_at(pair.as_list()[0]), role_at(pair.as_list()[1]));
  }
  return grown;
}

}  // namespace

Record to_record(const RoleModel& model) {
  Value::List sets;
  for (std::size_t l = 0; l < model.sets.size(); ++l) {
    Value::List members;
    for (const std::uint32_t k : model.sets[l]) members.emplace_back(static_cast<std::int64_t>(k));
    sets.emplace_back(std::move(members));
  }
  Value::List frozen;
  for (const std::uint8_t is_frozen : model.frozen) frozen.emplace_back(is_frozen != 0);
  Value fields = Value::object({{"method", name_of(model.method)},
                                {"permissions", Value::list_of(model.permissions)},
                                {"roles", Value::list_of(model.roles)},
                                {"absence", Value::list_of(model.absence)},
                                {"noise", name_of(model.noise)},
                                {"noise_scope", name_of(model.scope)},
                                {"p0", Value::list_of(model.p0)},
                                {"p1", Value::list_of(model.p1)},
                                {"user_noise", Value::list_of(model.user_noise)},
                                {"sets", std::move(sets)},
                                {"set_shares", Value::list_of(model.set_share)},
                                {"frozen", std::move(frozen)},
                                {"users", model.users}});
  if (model.over_grant_cost) {
    const double cost = *model.over_grant_cost;
    fields.set("over_grant_cost", std::isinf(cost) ? Value(never_granted) : Value(cost));
  }
  if (model.attributes) fields.set("attributes", attributes_value(*model.attributes));
  if (model.grown) fields.set("grown", grown_value(*model.grown));
  return {std::string(RoleModel::kind), RoleModel::newest_version, std::move(fields)};
}

RoleModel roles_from_record(const Record& record) {
  const Value& fields = model_fields(record, RoleModel::kind, RoleModel::newest_version);
  RoleModel model;
  model.method = choice_at(fields, "method", RoleMethod::cover);
  model.permissions = texts_at(fields, "permissions");
  model.roles = texts_at(fields, "roles");
  model.absence = probabilities_at(fields, "absence", model.role_count() * model.permission_count());
  model.noise = choice_at(fields, "noise", RoleNoise::symmetric_flip);
  model.scope = choice_at(fields, "noise_scope", NoiseScope::user);
  const std::size_t levels = model.scope == NoiseScope::permission ? model.permission_count() : 1;
  model.p0 = probabilities_at(fields, "p0", levels);
  model.p1 = probabilities_at(fields, "p1", levels);
  model.user_noise = numbers_at(fields, "user_noise", model.scope == NoiseScope::user ? 4 : 0);
  for (const double parameter : model.user_noise) {
    if (!(parameter > 0.0)) fail(ErrorKind::bad_data, "field 'user_noise' is not positive");
  }
  for (const Value& set : fields.at("sets").as_list()) {
    std::vector<std::uint32_t> members;
    for (const Value& member : set.as_list()) {
      const std::int64_t k = member.as_whole();
      const bool is_rising = members.empty() || k > static_cast<std::int64_t>(members.back());
      if (k < 0 || k >= static_cast<std::int64_t>(model.role_count()) || !is_rising) {
        fail(ErrorKind::bad_data, "field 'sets' names a role that does not exist, or one twice");
      }
      members.push_back(static_cast<std::uint32_t>(k));
    }
    model.sets.add(members);
  }
  if (model.sets.size() == 0) fail(ErrorKind::bad_data, "field 'sets' is empty");
  model.set_share = set_shares_at(fields, "set_shares", model.sets.size());
  for (const Value& is_frozen : fields.at("frozen").as_list()) model.frozen.push_back(is_frozen.as_bool() ? 1 : 0);
  if (model.frozen.size() != model.role_count()) fail(ErrorKind::bad_data, "field 'frozen' does not fit the roles");
  model.users = number_within(fields, "users", 0.0, most_users);
  if (const Value* cost = fields.find("over_grant_cost")) {
    if (!cost->is_number() && cost->as_text() != never_granted) {
      fail(ErrorKind::bad_data, "field 'over_grant_cost' is '" + cost->as_text() + "'");
    }
    model.over_grant_cost = cost->is_number() ? number_within(fields, "over_grant_cost", 0.0, largest_cost) : infinity;
  }
  if (const Value* attributes = fields.find("attributes")) {
    model.attributes = attributes_of(*attributes, model.sets.size());
  }
  if (const Value* grown = fields.find("grown")) {
    if (model.attributes || model.scope != NoiseScope::global) {
      fail(ErrorKind::bad_data, "field 'grown' does not go with attributes or noise that is not global");
    }
    model.grown = grown_of(*grown, model);
  }
  return model;
}

}  // namespace motet::roles
