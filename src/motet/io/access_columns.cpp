#include "motet/io/access_columns.h"

#include <algorithm>

#include "motet/io/words.h"

namespace motet {
namespace {

// "Okta username" is oktausername.
std::string plain(std::string_view heading) {
  std::string text = lower(heading);
  std::erase_if(text, [](char c) { return c == ' ' || c == '_' || c == '-' || c == '.'; });
  return text;
}

FoundColumn find_known(const std::vector<std::string>& header, std::string_view name,
                       const std::vector<std::string_view>& headings) {
  for (const std::string_view heading : headings) {
    const auto found =
        std::find_if(header.begin(), header.end(), [&](const std::string& text) { return plain(text) == heading; });
    if (found != header.end()) return {name, static_cast<std::size_t>(found - header.begin()), true};
  }
  return {name, FoundColumn::absent, true};
}

// The very name before one in other capitals.
FoundColumn find_named(const std::vector<std::string>& header, std::string_view name) {
  auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end()) {
    found =
        std::find_if(header.begin(), header.end(), [&](const std::string& text) { return lower(text) == lower(name); });
  }
  return {name, found == header.end() ? FoundColumn::absent : static_cast<std::size_t>(found - header.begin())};
}

}  // namespace

const std::vector<std::string_view>& user_headings() {
  static const std::vector<std::string_view> headings = {"user",
                                                         "account",
                                                         "identity",
                                                         "employee",
                                                         "username",
                                                         "userid",
                                                         "login",
                                                         "userlogin",
                                                         "samaccountname",
                                                         "oktausername",
                                                         "userprincipalname",
                                                         "identityname",
                                                         "accountname",
                                                         "nativeidentity",
                                                         "uid",
                                                         "member",
                                                         "owner"};
  return headings;
}

const std::vector<std::string_view>& permission_headings() {
  static const std::vector<std::string_view> headings = {
      "permission", "entitlement", "right",     "group", "permissionname", "entitlementname", "entitlementvalue",
      "groupname",  "memberof",    "privilege", "role",  "rolename",       "accessprofile"};
  return headings;
}

PairColumns find_pair_columns(const std::vector<std::string>& header, std::string_view user_name,
                              std::string_view permission_name) {
  return {user_name.empty() ? find_known(header, "user", user_headings()) : find_named(header, user_name),
          permission_name.empty() ? find_known(header, "permission", permission_headings())
                                  : find_named(header, permission_name)};
}

}  // namespace motet
