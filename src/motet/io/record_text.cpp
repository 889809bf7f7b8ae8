#include "motet/io/record_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "motet/base/error.h"
#include "motet/data/names.h"
#include "motet/io/json.h"

namespace motet {
namespace {

constexpr std::string_view format_name = "motet-model";

bool is_record(const Value& document) {
  const Value* format = document.find("format");
  const Value* kind = document.find("kind");
  const Value* version = document.find("version");
  const Value* fields = document.find("fields");
  return format != nullptr && *format == Value(format_name) && kind != nullptr && kind->is_text() &&
         version != nullptr && version->is_whole() && fields != nullptr && fields->is_object();
}

// 64 bits against accidents, not against forgers.
std::string checksum_of(const Value& kind, const Value& version, const Value& fields) {
  std::string text;
  for (const Value* part : {&kind, &version, &fields}) text += to_json(*part, 0) + "\n";
  return fmt::format("{:016x}", key_of_long(text).low);
}

void require_unchanged(const Value& document, const std::string& path) {
  constexpr std::array<std::string_view, 5> known = {"format", "kind", "version", "checksum", "fields"};
  for (const auto& [key, value] : document.as_object()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      fail(ErrorKind::bad_data, fmt::format("{}: field '{}' does not belong to a model file; the file was changed or "
                                            "damaged, make it again",
                                            path, key));
    }
  }
  const Value* checksum = document.find("checksum");
  const auto made = [&] { return checksum_of(document.at("kind"), document.at("version"), document.at("fields")); };
  if (checksum == nullptr || *checksum == Value(made())) return;
  fail(ErrorKind::bad_data, path +
                                ": its checksum does not fit, so the file was changed or damaged; make it again, or, "
                                "if you edited it yourself, remove the line \"checksum\"");
}

}  // namespace

std::string record_text(const Record& record) {
  const Value document = Value::object({{"format", format_name},
                                        {"kind", record.kind},
                                        {"version", record.version},
                                        {"checksum", checksum_of(record.kind, record.version, record.fields)},
                                        {"fields", record.fields}});
  return to_json(document, 1) + "\n";
}

Record parse_record(std::string_view text, const std::string& source) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  const bool is_object = start != std::string_view::npos && text[start] == '{';
  const Value document = is_object ? parse_json(text, source) : Value();
  if (!is_record(document)) fail(ErrorKind::bad_data, source + ": not a motet model file");
  require_unchanged(document, source);
  const std::int64_t version = document.at("version").as_whole();
  // A version that no int can hold is no version of ours: too new for require_kind.
  const auto most = static_cast<std::int64_t>(std::numeric_limits<int>::max());
  return {document.at("kind").as_text(), static_cast<int>(std::clamp<std::int64_t>(version, 0, most)),
          document.at("fields")};
}

}  // namespace motet
