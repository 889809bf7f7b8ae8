#include "motet/app/roles/grants_sentence.h"

#include <fmt/format.h>

#include <algorithm>

namespace motet::roles {
namespace {

// Never 100 % while something is left, nor 0 % while something is covered.
std::string percent_of(std::size_t part, std::size_t whole) {
  if (whole == 0) return "0 %";
  const double share = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  if (part == whole || part == 0) return fmt::format("{:.0f} %", share);
  return fmt::format("{:.1f} %", std::clamp(share, 0.1, 99.9));
}

}  // namespace

std::string plain_percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? "0 %" : fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string grouped_digits(std::size_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t place = digits.size(); place > 3;) {
    place -= 3;
    digits.insert(place, ",");
  }
  return digits;
}

std::string grants_sentence(std::size_t roles, const GrantCount& count) {
  return fmt::format("{} role{} {} of {} grant{}, would newly grant {}, {} stay{} individual", grouped_digits(roles),
                     roles == 1 ? " covers" : "s cover", percent_of(count.covered, count.held()),
                     grouped_digits(count.held()), count.held() == 1 ? "" : "s", grouped_digits(count.newly_granted),
                     grouped_digits(count.individual), count.individual == 1 ? "s" : "");
}

std::string worse_than_none(const GrantCount& count) {
  if (count.held() == 0 || count.newly_granted < count.covered) return "";
  return fmt::format(
      "without roles there would be {} wrong cells: {} grants stay individual, against {} that would stay so and {} "
      "that "
      "the roles would newly grant; --over-grant-cost never, or more roles, may help",
      count.newly_granted == count.covered ? "no more" : "fewer", grouped_digits(count.held()),
      grouped_digits(count.individual), grouped_digits(count.newly_granted));
}

}  // namespace motet::roles
