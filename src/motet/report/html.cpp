#include "motet/report/html.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/io/json.h"
#include "motet/report/cells.h"
#include "motet/report/page.h"

namespace motet {
namespace {

constexpr std::size_t longest_line = 32;  // bytes of a text that is kept on one line

std::string html_cell(const Cell& cell, int digits, bool is_row_header) {
  const std::string shown = cell_text(cell, digits);
  const std::string_view wrapping = shown.size() > longest_line ? " class=\"long\"" : "";
  if (is_row_header) return fmt::format("<th scope=\"row\"{}>{}</th>", wrapping, html_text(shown));
  if (!is_number(cell)) return fmt::format("<td{}>{}</td>", wrapping, html_text(shown));
  const std::string exact = cell_exact(cell);
  if (exact == shown) return fmt::format("<td class=\"number\">{}</td>", shown);
  return fmt::format("<td class=\"number\" data-exact=\"{}\">{}</td>", exact, shown);
}

std::string header_cell(const Table& table, std::size_t column) {
  return fmt::format("<th scope=\"col\"{}>{}</th>", is_number_column(table, column) ? " class=\"number\"" : "",
                     html_text(table.columns[column].name));
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += static_cast<unsigned char>(c) < 0x20U || c == 0x7F ? ' ' : c;
    }
  }
  return out;
}

std::string html_paragraphs(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("\n\n"), text.size());
    const std::string_view paragraph = text.substr(0, end);
    if (paragraph.find_first_not_of(" \n") != std::string_view::npos) {
      out += fmt::format("<p>{}</p>\n", html_text(paragraph));
    }
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return out;
}

std::string html_json(const Value& value) {
  std::string out;
  for (const char c : to_json(value, 0)) {
    switch (c) {
      case '<': out += "\\u003c"; break;
      case '>': out += "\\u003e"; break;
      case '&': out += "\\u0026"; break;
      default: out += c;
    }
  }
  return out;
}

std::string html_table(const Table& table, std::string_view label) {
  const std::string name = html_text(label);
  std::string out = fmt::format(
      "<div class=\"table-box\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\">\n"
      "<table>\n<caption>{0}</caption>\n<thead><tr>",
      name);
  for (std::size_t c = 0; c < table.columns.size(); ++c) out += header_cell(table, c);
  out += "</tr></thead>\n<tbody>\n";
  const bool has_row_headers = !table.columns.empty() && !is_number_column(table, 0);
  const std::size_t row_count = std::min(table.rows.size(), max_page_rows);
  for (std::size_t r = 0; r < row_count; ++r) {
    out += "<tr>";
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const Cell cell = c < table.rows[r].size() ? table.rows[r][c] : Cell("");
      out += html_cell(cell, table.columns[c].digits, c == 0 && has_row_headers);
    }
    out += "</tr>\n";
  }
  out += "</tbody>\n</table>\n</div>\n";
  if (row_count < table.rows.size()) {
    out += fmt::format("<p class=\"more\">{} more rows are not shown here; all are in the --json file.</p>\n",
                       table.rows.size() - row_count);
  }
  return out;
}

}  // namespace motet
