#include "motet/app/roles/cover_usage.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/base/error.h"
#include "motet/report/document.h"

namespace motet::roles {
namespace {

// Everything that shapes a fit with noise, or constrains it.
constexpr std::string_view meant_for_fits[] = {
    "max_roles_per_user", "method",     "noise",  "noise_scope",    "centroids", "set_shares",
    "attribute_weight",   "confidence", "starts", "max_iterations", "tolerance", "never_share_role",
    "never_share_user",   "keep",       "compare"};

bool names_one(const std::vector<std::string>& given, std::string_view name) {
  return std::find(given.begin(), given.end(), name) != given.end();
}

}  // namespace

bool check_cover_usage(const CoverOptions& options, const VerbContext& context) {
  if (options.cover == CoverKind::none) {
    for (const char* const name : {"cover_errors", "cover_over_grants"}) {
      if (names_one(context.given, name)) fail(ErrorKind::usage, flag_of(name) + ": needs --cover exact");
    }
    return false;
  }
  if (names_one(context.given, "roles")) {
    fail(ErrorKind::usage, "--cover exact finds the number of roles itself; leave out --roles");
  }
  for (const std::string& name : context.given) {
    const bool is_refused =
        name.starts_with("select_") ||
        std::find(std::begin(meant_for_fits), std::end(meant_for_fits), name) != std::end(meant_for_fits);
    if (is_refused) {
      fail(ErrorKind::usage, fmt::format("--cover exact does not work with {}; leave it out", flag_of(name)));
    }
  }
  return true;
}

void require_finished(const CoverFit& cover) {
  if (cover.fit.summary.stop != Stop::interrupted) return;
  fail(
      ErrorKind::interrupted,
      fmt::format("interrupted while looking for fewer than {}; the tables and the model of what was found are written",
                  counted(cover.exact_roles, "role")));
}

}  // namespace motet::roles
