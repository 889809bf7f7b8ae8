#include "motet/judges/confusion/two_populations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/base/numeric.h"

namespace motet::judges {
namespace {

struct Share {
  double count = 0.0;
  double first = 0.0;

  double value() const { return first / count; }
  double variance() const {
    const double inside = std::clamp(first, 0.5, count - 0.5) / count;
    return inside * (1.0 - inside) / count;
  }
};

std::vector<Share> shares_of(const Votes& votes) {
  std::vector<Share> shares(votes.judge_count());
  for (const std::uint32_t code : votes.codes) {
    Share& share = shares[code / 2];
    share.count += 1.0;
    if (code % 2 == 0) share.first += 1.0;
  }
  return shares;
}

// constant + on_a p_a + on_b p_b.
struct Linear {
  double constant = 0.0;
  double on_a = 0.0;
  double on_b = 0.0;

  double at(const Share& a, const Share& b) const { return constant + on_a * a.value() + on_b * b.value(); }
  ProbabilityEstimate estimate(const Share& a, const Share& b, double factor) const {
    const double value = at(a, b);
    const double error = std::sqrt(on_a * on_a * a.variance() + on_b * on_b * b.variance());
    const auto cut = [](double x) { return std::clamp(x, 0.0, 1.0); };
    return {cut(value), error, {cut(value - factor * error), cut(value + factor * error)}};
  }
};

void check(const Votes& a, const Votes& b, const TwoPopulationsOptions& options) {
  check_ranges(options);
  if (!(a.classes == b.classes)) {
    fail(ErrorKind::bad_data, "the two populations have different classes; they must be the same two");
  }
  if (a.class_count() != 2) {
    fail(ErrorKind::bad_data, fmt::format("{} classes; two populations rate judges on exactly 2", a.class_count()));
  }
  if (options.prior_a == options.prior_b) {
    fail(ErrorKind::unanswerable,
         fmt::format("--prior-a and --prior-b are both {}; two populations tell the two kinds of error "
                     "apart only when their priors differ",
                     to_text(options.prior_a)));
  }
}

void warn_outside(std::string_view judge, std::string_view what, double value, const ProbabilityEstimate& estimate,
                  double factor, std::vector<std::string>& warnings) {
  if (std::abs(value - estimate.value) <= factor * estimate.error) return;
  warnings.push_back(
      fmt::format("judge '{}': {} = {:.4g} was cut to {:g}, further than chance explains; are the priors "
                  "right, and does the judge err alike in both populations?",
                  judge, what, value, estimate.value));
}

}  // namespace

TwoPopulationsResult rate_two_populations(const Votes& a, const Votes& b, const TwoPopulationsOptions& options) {
  check(a, b, options);
  const double pa = options.prior_a;
  const double pb = options.prior_b;
  const double gap = pa - pb;
  const Linear first{0.0, (1.0 - pb) / gap, -(1.0 - pa) / gap};
  const Linear second{1.0, pb / gap, -pa / gap};
  const auto risk = [&](double prior) {
    return Linear{prior + (1.0 - prior) * (1.0 - second.constant), -prior * first.on_a - (1.0 - prior) * second.on_a,
                  -prior * first.on_b - (1.0 - prior) * second.on_b};
  };
  const double factor = normal_quantile(0.5 + 0.5 * options.confidence);
  const std::vector<Share> shares_a = shares_of(a);
  const std::vector<Share> shares_b = shares_of(b);

  TwoPopulationsResult result;
  result.classes = a.classes.to_vector();
  std::vector<bool> matched(b.judge_count(), false);
  const auto leave_out = [&](std::string_view judge, std::string_view population) {
    result.warnings.push_back(fmt::format("judge '{}' voted only in the {} population; left out", judge, population));
  };
  for (std::size_t j = 0; j < a.judge_count(); ++j) {
    if (shares_a[j].count == 0.0) continue;
    std::size_t l = 0;
    while (l < b.judge_count() && b.judges[l] != a.judges[j]) ++l;
    if (l == b.judge_count() || shares_b[l].count == 0.0) {
      leave_out(a.judges[j], "first");
      continue;
    }
    matched[l] = true;
    const Share& in_a = shares_a[j];
    const Share& in_b = shares_b[l];
    TwoPopulationsJudge judge{std::string(a.judges[j]),
                              static_cast<std::size_t>(in_a.count),
                              static_cast<std::size_t>(in_b.count),
                              in_a.value(),
                              in_b.value(),
                              first.estimate(in_a, in_b, factor),
                              second.estimate(in_a, in_b, factor),
                              risk(pa).estimate(in_a, in_b, factor),
                              risk(pb).estimate(in_a, in_b, factor)};
    const auto right_on = [&](std::size_t label) { return fmt::format("accuracy on '{}'", a.classes[label]); };
    warn_outside(judge.name, right_on(0), first.at(in_a, in_b), judge.right_on_first, factor, result.warnings);
    warn_outside(judge.name, right_on(1), second.at(in_a, in_b), judge.right_on_second, factor, result.warnings);
    result.judges.push_back(std::move(judge));
  }
  for (std::size_t l = 0; l < b.judge_count(); ++l) {
    if (!matched[l] && shares_b[l].count > 0.0) leave_out(b.judges[l], "second");
  }
  if (result.judges.empty()) fail(ErrorKind::unanswerable, "no judge voted in both populations; none can be rated");
  return result;
}

}  // namespace motet::judges
