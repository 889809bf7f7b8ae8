#include "motet/report/cells.h"

#include <fmt/format.h>

#include <cmath>

#include "motet/base/error.h"

namespace motet {
namespace {

constexpr double longest_fixed = 1e15;  // beyond it a double has no digits after the point

std::string number_text(double value, int digits) {
  if (std::isnan(value)) return "";
  if (std::isinf(value)) return value > 0.0 ? "inf" : "-inf";
  if (std::abs(value) >= longest_fixed) return fmt::format("{:.{}e}", value, digits);
  std::string text = fmt::format("{:.{}f}", value, digits);
  const bool is_zero = text.find_first_of("123456789") == std::string::npos;
  if (is_zero && text.front() == '-') text.erase(0, 1);
  return text;
}

}  // namespace

bool is_number(const Cell& cell) { return !std::holds_alternative<std::string>(cell); }

std::string cell_text(const Cell& cell, int digits) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return std::to_string(*whole);
  return number_text(std::get<double>(cell), digits);
}

std::string cell_exact(const Cell& cell) {
  const auto* number = std::get_if<double>(&cell);
  if (number == nullptr || std::isnan(*number)) return cell_text(cell, 0);
  return to_text(*number);
}

bool is_number_column(const Table& table, std::size_t column) {
  bool has_number = false;
  for (const std::vector<Cell>& row : table.rows) {
    if (column >= row.size()) continue;
    if (is_number(row[column])) {
      has_number = true;
    } else if (!std::get<std::string>(row[column]).empty()) {
      return false;
    }
  }
  return has_number;
}

}  // namespace motet
