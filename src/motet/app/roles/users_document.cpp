#include "motet/app/roles/users_document.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/app/csv_output.h"

namespace motet::roles {
namespace {

constexpr std::size_t most_on_terminal = 10;
constexpr std::size_t most_on_page = 200;

// Outliers, most improbable first; then the doubtful, least certain first.
std::vector<UserEstimate> listed(const UserEstimates& estimates) {
  std::vector<UserEstimate> result;
  for (const UserEstimate& one : estimates.users) {
    if (one.is_outlier || one.is_doubtful) result.push_back(one);
  }
  std::stable_sort(result.begin(), result.end(), [](const UserEstimate& a, const UserEstimate& b) {
    if (a.is_outlier != b.is_outlier) return a.is_outlier;
    return a.is_outlier ? a.log_likelihood < b.log_likelihood : a.set_probability < b.set_probability;
  });
  return result;
}

std::string why_listed(const UserEstimate& one) {
  if (one.is_outlier) return one.is_doubtful ? "outlier, doubtful" : "outlier";
  return one.is_doubtful ? "doubtful" : "";
}

Listing listing_of(const std::vector<UserEstimate>& some, const NameList& users, std::size_t most) {
  Listing listing{{{"user", "user"},
                   {"p value", "p_value"},
                   {"probability of the set", "set_probability", 3},
                   {"extra", "extra"},
                   {"missing", "missing"},
                   {"noise", "noise", 3},
                   {"why"},
                   {"", "log_likelihood"},
                   {"", "outlier"},
                   {"", "doubtful"}}};
  for (std::size_t i = 0; i < std::min(some.size(), most); ++i) {
    const UserEstimate& one = some[i];
    listing.rows.push_back({users[one.user], one.p_value, one.set_probability, std::size_t{one.extra},
                            std::size_t{one.missing}, one.noise, why_listed(one), one.log_likelihood, one.is_outlier,
                            one.is_doubtful});
  }
  return listing;
}

std::string outlier_counts(const UserEstimates& estimates, const OutlierOptions& options) {
  std::string text;
  if (estimates.drawn > 0) {
    text = fmt::format("{} outlier{} (p <= {:g}; {:.1f} to be expected by chance), ", estimates.outliers,
                       estimates.outliers == 1 ? "" : "s", options.outlier_level, estimates.expected_outliers);
  }
  return text + fmt::format("{} doubtful (most probable set below {:g})", estimates.doubtful, options.reject_below);
}

}  // namespace

Document users_part(const UserEstimates& estimates, const NameList& users, const OutlierOptions& options) {
  Document document;
  const std::vector<UserEstimate> some = listed(estimates);
  document.text = fmt::format("users the roles do not explain: {}\n", outlier_counts(estimates, options));
  if (!some.empty()) document.show(listing_of(some, users, most_on_terminal).table());
  if (some.size() > most_on_terminal) document.text += fmt::format("... and {} more\n", some.size() - most_on_terminal);
  document.json = Value::object({{"drawn", estimates.drawn},
                                 {"outliers", estimates.outliers},
                                 {"expected_outliers", estimates.expected_outliers},
                                 {"doubtful", estimates.doubtful},
                                 {"users", listing_of(some, users, some.size()).json()}});
  Section& section = document.section(
      "Users the roles do not explain",
      fmt::format("{}. An outlier holds what hardly any user drawn from the roles, with their noise, would hold. "
                  "Noise is the share of a user's cells that differ from the roles of the most probable set.",
                  outlier_counts(estimates, options)));
  if (some.size() > most_on_page) section.lead += fmt::format(" The first {} are shown.", most_on_page);
  if (!some.empty())
    section.tables.push_back({"Outliers and doubtful users", listing_of(some, users, most_on_page).table()});
  return document;
}

void write_users_csv(const UserEstimates& estimates, const NameList& users, const std::string& path) {
  CsvOutput out(path);
  CsvWriter& csv = out.csv();
  for (const char* column :
       {"user", "set_probability", "p_value", "extra", "missing", "noise", "outlier", "doubtful"}) {
    csv.text(column);
  }
  csv.end_row();
  for (const UserEstimate& one : estimates.users) {
    csv.text(users[one.user]).number(one.set_probability).number(one.p_value).whole(one.extra).whole(one.missing);
    csv.number(one.noise).text(one.is_outlier ? "1" : "0").text(one.is_doubtful ? "1" : "0").end_row();
  }
  out.finish();
}

}  // namespace motet::roles
