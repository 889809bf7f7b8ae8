#include "motet/io/role_formats.h"

#include <fmt/format.h>

#include <string_view>

#include "motet/base/error.h"

namespace motet {
namespace {

// In double quotes: YAML takes every character there but some that do not show, which are written as numbers.
std::string yaml_text(std::string_view text) {
  std::string quoted = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == '"' || byte == '\\') {
      quoted += {'\\', text[i]};
    } else if (byte == '\n') {
      quoted += "\\n";
    } else if (byte == '\t') {
      quoted += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      quoted += fmt::format("\\x{:02x}", byte);
    } else if (byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0) {
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[++i]));  // U+0080 to U+009F
    } else if (text.substr(i, 3) == "\u2028" || text.substr(i, 3) == "\u2029" || text.substr(i, 3) == "\uFEFF") {
      quoted += text.substr(i, 3) == "\uFEFF" ? "\\ufeff" : text.substr(i, 3) == "\u2028" ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      quoted += text[i];
    }
  }
  return quoted + '"';
}

[[noreturn]] void fail_in_xml(std::string_view text) {
  fail(ErrorKind::bad_data,
       fmt::format("'{}' holds a character that XML cannot hold; rename it, or write .csv or .yaml", text));
}

std::string xml_text(std::string_view text) {
  std::string escaped;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    switch (byte) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      case '\t':
      case '\n':
      case '\r': escaped += fmt::format("&#{};", byte); break;
      default:
        if (byte < 0x20 || text.substr(i, 3) == "\xEF\xBF\xBE" || text.substr(i, 3) == "\xEF\xBF\xBF") {
          fail_in_xml(text);
        }
        escaped += text[i];
    }
  }
  return escaped;
}

std::string description_of(const RoleText& role) {
  std::string text = fmt::format("{} permission{}", role.permissions.size(), role.permissions.size() == 1 ? "" : "s");
  if (role.members) text += fmt::format(", {} member{}", *role.members, *role.members == 1 ? "" : "s");
  for (const auto& [what, value] : role.notes) text += fmt::format("; {}: {}", what, value);
  return text;
}

}  // namespace

void write_roles_yaml(AtomicFile& file, std::span<const RoleText> roles) {
  file.write(roles.empty() ? "roles: []\n" : "roles:\n");
  for (const RoleText& role : roles) {
    std::string text = fmt::format("  - name: {}\n", yaml_text(role.name));
    if (role.members) text += fmt::format("    members: {}\n", *role.members);
    for (const auto& [what, value] : role.notes) {
      text += fmt::format("    {}: {}\n", yaml_text(what), yaml_text(value));
    }
    text += role.permissions.empty() ? "    permissions: []\n" : "    permissions:\n";
    for (const RoleGrant& grant : role.permissions) {
      text +=
          fmt::format("      - name: {}\n        probability: {}\n", yaml_text(grant.permission), grant.probability);
    }
    file.write(text);
  }
}

void write_roles_midpoint(AtomicFile& file, std::span<const RoleText> roles) {
  constexpr std::string_view common = "http://midpoint.evolveum.com/xml/ns/public/common/common-3";
  file.write(
      fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<objects xmlns=\"{0}\" xmlns:c=\"{0}\"\n"
                  "         xmlns:q=\"http://prism.evolveum.com/xml/ns/public/query-3\">\n",
                  common));
  for (const RoleText& role : roles) {
    std::string text = fmt::format(
        "  <role>\n    <name>{}</name>\n    <description>{}</description>\n"
        "    <lifecycleState>proposed</lifecycleState>\n",
        xml_text(role.name), xml_text(description_of(role)));
    for (const RoleGrant& grant : role.permissions) {
      text += fmt::format(
          "    <inducement>\n      <targetRef type=\"c:RoleType\">\n        <filter>\n          <q:equal>\n"
          "            <q:path>name</q:path>\n            <q:value>{}</q:value>\n          </q:equal>\n"
          "        </filter>\n      </targetRef>\n    </inducement>\n",
          xml_text(grant.permission));
    }
    file.write(text + "  </role>\n");
  }
  file.write("</objects>\n");
}

}  // namespace motet
