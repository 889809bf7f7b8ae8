#include "motet/roles/choice/select.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "motet/base/error.h"
#include "motet/base/streams.h"
#include "motet/data/split.h"
#include "motet/measure/stability.h"
#include "motet/roles/choice/description_length.h"
#include "motet/roles/choice/grown_models.h"
#include "motet/roles/choice/role_capacity.h"
#include "motet/roles/evaluate.h"

namespace motet::roles {
namespace {

constexpr std::size_t stability_draws = 20;
constexpr std::size_t generalization_draws = 3;  // of the disclosed permissions

std::size_t whole(std::string_view text, std::string_view all) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value == 0) {
    fail(ErrorKind::usage,
         fmt::format("--roles: '{}' is not a number of roles such as 8, or a range such as 2..12", all));
  }
  return value;
}

struct Half {
  BitMatrix held;
  std::vector<RoleModel> models;  // by number of roles - 1, as far as the search got
};

class Selector {
 public:
  Selector(const Access& access, RoleRange range, const MineOptions& options, const SelectOptions& select,
           SelectWanted wanted, const RunContext& run)
      : access_(access), range_(range), options_(options), select_(select), wanted_(wanted), run_(run) {
    quiet_ = run;
    quiet_.observer = {};
    for (std::size_t k = range.low; k <= range.high; ++k) {
      trials_.emplace_back();
      trials_.back().roles = k;
    }
  }

  Selection go() {
    for (std::size_t repeat = 0; repeat < select_.repeats; ++repeat) {
      Half halves[2];
      cut(repeat, halves);
      for (std::size_t side = 0; side < 2; ++side) judge(halves[side], halves[1 - side], repeat * 2 + side);
    }
    price_all();
    told(2.0 * static_cast<double>(select_.repeats) + 1.0);
    return choose_roles(std::move(trials_));
  }

 private:
  void told(double done) const {
    if (run_.observer) {
      run_.observer(
          {"choosing the number of roles", done, 2.0 * static_cast<double>(select_.repeats) + 1.0, "searches"});
    }
  }

  std::vector<RoleModel> path(const BitMatrix& held, std::uint64_t number) {
    SearchRules rules;
    rules.degree = options_.method == RoleMethod::sac ? 1 : options_.max_roles_per_user;
    rules.noise = options_.noise;
    return grown_models(held, access_.permissions.to_vector(), {range_.low, range_.high}, rules,
                        stream(run_.seed, Stream::roles_select_growth, number), quiet_);
  }

  void cut(std::size_t repeat, Half (&halves)[2]) {
    const CutRows users = cut_by_lot(access_.held.rows(), 2 * most_users, 2, Cut::in_front,
                                     stream(run_.seed, Stream::roles_select_halves, repeat));
    halves[0].held = access_.held.rows_of(users.aside);
    halves[1].held = access_.held.rows_of(users.rest);
    for (std::size_t side = 0; side < 2; ++side) {
      halves[side].models = path(halves[side].held, repeat * 2 + side);
      told(static_cast<double>(repeat * 2 + side + 1));
    }
  }

  // Quiet, with randomness of its own: the same for every number of roles.
  RunContext own_run(std::size_t number) const {
    RunContext own = quiet_;
    own.seed = drawn_seed(run_.seed, Stream::roles_select_measures, number);
    return own;
  }

  void judge(const Half& fitted, const Half& other, std::size_t number) {
    const std::size_t most = std::min(fitted.models.size(), other.models.size());
    for (RoleTrial& trial : trials_) {
      if (trial.roles > most) {
        const std::string reason =
            fmt::format("half of the users ask for no more than {} role{}", most, most == 1 ? "" : "s");
        for (const Criterion criterion : criteria_of_halves()) trial.missing.push_back({criterion, reason});
        continue;
      }
      if (run_.cancelled()) fail(ErrorKind::interrupted, "interrupted");
      const RoleModel& model = fitted.models[trial.roles - 1];
      const UserPosteriors users = user_posteriors(model, other.held, {}, quiet_);
      trial.held_out.insert(trial.held_out.end(), users.log_likelihood.begin(), users.log_likelihood.end());
      if (wanted_.generalization) {
        EvaluateData data;
        data.held = &other.held;
        EvaluateOptions options;
        options.reveal = select_.reveal;
        options.repeats = generalization_draws;
        trial.generalization.push_back(evaluate_roles(model, data, options, {}, own_run(number)).posterior.mean);
      }
      if (wanted_.stability) {
        const RoleModel& own = other.models[trial.roles - 1];
        const BitMatrix a = most_probable_roles(model, users);
        const BitMatrix b = most_probable_roles(own, user_posteriors(own, other.held, {}, quiet_));
        const double corrected = stability(a, b, own.sets.size(), stability_draws, own_run(number)).corrected;
        if (std::isnan(corrected)) {
          trial.missing.push_back({Criterion::stability, "all users have the same set of roles"});
        } else {
          trial.stability.push_back(corrected);
        }
      }
      if (wanted_.capacity) {
        // Paired by the other half's own roles: those of the judged model would confirm it.
        const PairedUsers pairs =
            pair_users_by(other.models[trial.roles - 1], fitted.held, other.held, own_run(number));
        if (pairs.pairs.empty()) {
          trial.missing.push_back({Criterion::capacity, "no users of the two halves have the same set of roles"});
          continue;
        }
        const Capacity found = role_capacity(model, pairs, {}, quiet_);
        trial.capacity.push_back(found.bits);
        trial.capacity_error = found.error;
      }
    }
  }

  std::vector<Criterion> criteria_of_halves() const {
    std::vector<Criterion> wanted{Criterion::held_out};
    if (wanted_.generalization) wanted.push_back(Criterion::generalization);
    if (wanted_.stability) wanted.push_back(Criterion::stability);
    if (wanted_.capacity) wanted.push_back(Criterion::capacity);
    return wanted;
  }

  // Models of all users by what they cost. BIC: a role costs one number per permission, a label set that occurs one.
  void price_all() {
    std::vector<std::uint32_t> rows(std::min<std::size_t>(access_.held.rows(), 2 * most_users));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i] = static_cast<std::uint32_t>(i * access_.held.rows() / rows.size());
    }
    const BitMatrix held = access_.held.rows_of(rows);
    const std::vector<RoleModel> models = path(held, 1000);
    const MergedMatrix merged = merge_equal(held);
    const double users = static_cast<double>(held.rows());
    for (RoleTrial& trial : trials_) {
      if (trial.roles > models.size()) {
        const std::string reason =
            fmt::format("the users ask for no more than {} role{}", models.size(), models.size() == 1 ? "" : "s");
        for (const Criterion criterion : {Criterion::bic, Criterion::description_length}) {
          trial.missing.push_back({criterion, reason});
        }
        continue;
      }
      const RoleModel& model = models[trial.roles - 1];
      const std::vector<double> each = user_posteriors(model, held, {}, quiet_).log_likelihood;
      const double log_likelihood = std::accumulate(each.begin(), each.end(), 0.0);
      std::size_t used = 0;
      for (const double share : model.set_share) used += share * users > 1.0 ? 1 : 0;
      const double parameters = static_cast<double>(trial.roles * access_.permission_count() + used + 2);
      trial.bic = -2.0 * log_likelihood + parameters * std::log(users);
      trial.description_length = description_length(model, merged, log_likelihood).total();
    }
  }

  static constexpr std::size_t most_users = 4000;  // a half

  const Access& access_;
  RoleRange range_;
  const MineOptions& options_;
  const SelectOptions& select_;
  SelectWanted wanted_;
  const RunContext& run_;
  RunContext quiet_;
  std::vector<RoleTrial> trials_;
};

}  // namespace

RoleRange parse_role_range(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) {
    const std::size_t number = whole(text, text);
    return {number, number};
  }
  const RoleRange range{whole(text.substr(0, dots), text), whole(text.substr(dots + 2), text)};
  if (range.low > range.high) {
    fail(ErrorKind::usage,
         fmt::format("--roles: '{}' ends before it begins; write it as {}..{}", text, range.high, range.low));
  }
  return range;
}

Selection select_roles(const Access& access, RoleRange range, const MineOptions& options, const SelectOptions& select,
                       SelectWanted wanted, const RunContext& run) {
  const std::size_t users = access.user_count();
  if (users < 8) {
    fail(ErrorKind::unanswerable,
         fmt::format("{} users are too few to choose the number of roles; give it with --roles", users));
  }
  const std::size_t distinct = merge_equal(access.held, {true, false}).bits.rows();
  if (range.low > distinct) {
    fail(ErrorKind::unanswerable, fmt::format("--roles {} is more than the {} distinct user{}; ask for at most {}",
                                              range.low, distinct, distinct == 1 ? "" : "s", distinct));
  }
  range.high = std::min(range.high, distinct);
  return Selector(access, range, options, select, wanted, run).go();
}

}  // namespace motet::roles
