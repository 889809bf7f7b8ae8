#include "motet/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "motet/report/cells.h"

namespace motet {
namespace {

constexpr std::string_view ellipsis = "\xE2\x80\xA6";

bool starts_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

bool is_control(char byte) { return static_cast<unsigned char>(byte) < 0x20U || byte == 0x7F; }

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_code_point));
}

}  // namespace

std::string one_line(std::string text) {
  std::replace_if(text.begin(), text.end(), is_control, ' ');
  return text;
}

std::string shortened(std::string text, std::size_t max_width) {
  text = one_line(std::move(text));
  if (width_of(text) <= max_width) return text;
  std::size_t end = 0;
  for (std::size_t seen = 0; end < text.size(); ++end) {
    if (starts_code_point(text[end]) && ++seen == max_width) break;
  }
  return text.substr(0, end).append(ellipsis);
}

std::string warning_lines(const std::vector<std::string>& warnings) {
  std::string text;
  for (const std::string& warning : warnings) text += "warning: " + one_line(warning) + "\n";
  return text;
}

std::string to_text(const Table& table, const TextTableOptions& options) {
  const std::size_t row_count = std::min(table.rows.size(), options.max_rows);
  const std::size_t column_count = table.columns.size();
  std::vector<std::vector<std::string>> lines(row_count + 1);
  std::vector<std::size_t> widths(column_count, 0);
  for (std::size_t r = 0; r <= row_count; ++r) {
    for (std::size_t c = 0; c < column_count; ++c) {
      const Column& column = table.columns[c];
      const bool is_missing = r > 0 && c >= table.rows[r - 1].size();
      std::string text = r == 0 ? column.name : is_missing ? "" : cell_text(table.rows[r - 1][c], column.digits);
      lines[r].push_back(shortened(std::move(text), options.max_width));
      widths[c] = std::max(widths[c], width_of(lines[r][c]));
    }
  }

  std::vector<bool> is_right(column_count);
  for (std::size_t c = 0; c < column_count; ++c) is_right[c] = is_number_column(table, c);
  std::string text;
  for (const std::vector<std::string>& line : lines) {
    std::string out;
    for (std::size_t c = 0; c < column_count; ++c) {
      const std::string padding(widths[c] - width_of(line[c]), ' ');
      if (c > 0) out += "  ";
      out += is_right[c] ? padding + line[c] : line[c] + padding;
    }
    out.erase(out.find_last_not_of(' ') + 1);
    text += out + '\n';
  }
  if (row_count < table.rows.size()) {
    const std::size_t left = table.rows.size() - row_count;
    text += fmt::format("... {} more row{} (all are in --json)\n", left, left == 1 ? "" : "s");
  }
  return text;
}

}  // namespace motet
