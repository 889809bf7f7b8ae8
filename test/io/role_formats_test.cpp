#include "motet/io/role_formats.h"

#include <pugixml.hpp>

#include "io/support.h"

namespace motet::role_formats_test {
namespace {

template <class Write>
std::string written(const Write& write, const std::vector<RoleText>& roles) {
  TemporaryFolder folder;
  AtomicFile file(folder / "roles");
  write(file, roles);
  file.commit();
  return folder.read("roles");
}

const std::vector<RoleText> two_roles = {
    {"clerks & \"chiefs\" <a>", 12, {{"owner", "ann: boss"}}, {{"read", 1.0}, {"tab\there", 0.75}}}, {"none"}};

TEST(RolesYaml, TextsStandInQuotes) {
  EXPECT_EQ(written(write_roles_yaml, two_roles),
            "roles:\n"
            "  - name: \"clerks & \\\"chiefs\\\" <a>\"\n"
            "    members: 12\n"
            "    \"owner\": \"ann: boss\"\n"
            "    permissions:\n"
            "      - name: \"read\"\n"
            "        probability: 1\n"
            "      - name: \"tab\\there\"\n"
            "        probability: 0.75\n"
            "  - name: \"none\"\n"
            "    permissions: []\n");
  EXPECT_EQ(written(write_roles_yaml, {}), "roles: []\n");
}

TEST(RolesYaml, WhatDoesNotShowIsANumber) {
  EXPECT_EQ(written(write_roles_yaml, {{"a\\b\nc\x01\x7F\u0085\u2028\u2029\uFEFFé"}}),
            "roles:\n  - name: \"a\\\\b\\nc\\x01\\x7f\\x85\\u2028\\u2029\\ufeffé\"\n    permissions: []\n");
}

TEST(RolesMidpoint, IsReadBackByAnXmlReader) {
  const std::string text = written(write_roles_midpoint, two_roles);
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(text.c_str())) << text;
  const pugi::xml_node objects = document.child("objects");
  EXPECT_EQ(std::string(objects.attribute("xmlns").value()),
            "http://midpoint.evolveum.com/xml/ns/public/common/common-3");
  const pugi::xml_node role = objects.child("role");
  EXPECT_EQ(std::string(role.child_value("name")), "clerks & \"chiefs\" <a>");
  EXPECT_EQ(std::string(role.child_value("description")), "2 permissions, 12 members; owner: ann: boss");
  EXPECT_EQ(std::string(role.child_value("lifecycleState")), "proposed");
  std::vector<std::string> permissions;
  for (const pugi::xml_node inducement : role.children("inducement")) {
    const pugi::xml_node target = inducement.child("targetRef");
    EXPECT_EQ(std::string(target.attribute("type").value()), "c:RoleType");
    const pugi::xml_node equal = target.child("filter").child("q:equal");
    EXPECT_EQ(std::string(equal.child_value("q:path")), "name");
    permissions.emplace_back(equal.child_value("q:value"));
  }
  EXPECT_EQ(permissions, (std::vector<std::string>{"read", "tab\there"}));
  EXPECT_EQ(std::string(role.next_sibling("role").child_value("description")), "0 permissions");
}

TEST(RolesMidpoint, RefusesWhatXmlCannotHold) {
  for (const std::string name : {"a\x01", "b\uFFFE"}) {
    EXPECT_EQ(refusal([&] { written(write_roles_midpoint, {{name}}); }),
              "'" + name + "' holds a character that XML cannot hold; rename it, or write .csv or .yaml");
  }
}

}  // namespace
}  // namespace motet::role_formats_test
