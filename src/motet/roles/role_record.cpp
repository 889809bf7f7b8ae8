#include "motet/roles/role_record.h"

#include <algorithm>

#include "motet/base/error.h"
#include "motet/data/record_fields.h"

namespace motet::roles {
namespace {

constexpr double most_users = 1e15;
constexpr double most_weight = 1e6;  // of the attributes; more would leave one set to each value

// The value up to `last` whose name the field is.
template <class Enum>
Enum choice_at(const Value& fields, const char* key, Enum last) {
  const std::string& text = fields.at(key).as_text();
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    if (text == name_of(static_cast<Enum>(i))) return static_cast<Enum>(i);
  }
  fail(ErrorKind::bad_data, "field '" + std::string(key) + "' is '" + text + "'");
}

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
  if (model.attributes) fields.set("attributes", attributes_value(*model.attributes));
  return {std::string(RoleModel::kind), RoleModel::newest_version, std::move(fields)};
}

RoleModel roles_from_record(const Record& record) {
  require_model(record, RoleModel::kind, RoleModel::newest_version);
  const Value& fields = record.fields;
  RoleModel model;
  model.method = choice_at(fields, "method", RoleMethod::ino);
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
  if (const Value* attributes = fields.find("attributes")) {
    model.attributes = attributes_of(*attributes, model.sets.size());
  }
  return model;
}

}  // namespace motet::roles
