#include "experiments/judges/made_judges.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "motet/base/error.h"

namespace motet::judges {
namespace {

double gamma_draw(double shape, Rng& rng) {  // Marsaglia and Tsang 2000
  if (shape < 1.0) return gamma_draw(shape + 1.0, rng) * std::pow(1.0 - rng.uniform(), 1.0 / shape);
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double x = rng.normal();
    const double v = std::pow(1.0 + c * x, 3);
    if (v > 0.0 && std::log(1.0 - rng.uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

double beta_draw(double a, double b, Rng& rng) {
  const double x = gamma_draw(a, rng);
  return x / (x + gamma_draw(b, rng));
}

double logistic_of(double x) { return 1.0 / (1.0 + std::exp(-x)); }

struct Size {
  std::size_t items;
  std::size_t judges;
  std::size_t votes_an_item;
  std::vector<double> shares;  // of the classes
};

// Items with their classes and voters; the kinds fill in what is said.
class Maker {
 public:
  Maker(const Size& size, Rng rng) : rng_(rng), size_(size) {
    std::vector<double> activity(size.judges);
    for (double& value : activity) value = std::exp(1.2 * rng_.normal());
    for (std::size_t i = 0; i < size.items; ++i) {
      truth_.push_back(rng_.categorical(size.shares));
      std::vector<double> left = activity;
      voters_.emplace_back();
      while (voters_.back().size() < std::min(size.votes_an_item, size.judges)) {
        voters_.back().push_back(rng_.categorical(left));
        left[voters_.back().back()] = 0.0;
      }
      std::sort(voters_.back().begin(), voters_.back().end());
      said_.emplace_back(voters_.back().size(), 0);
    }
  }

  std::size_t classes() const { return size_.shares.size(); }
  Rng& rng() { return rng_; }
  std::size_t truth(std::size_t i) const { return truth_[i]; }
  std::size_t other_than(std::size_t y) { return (y + 1 + rng_.below(classes() - 1)) % classes(); }

  // say(item, judge) is what the judge says.
  template <class Say>
  void vote(const Say& say) {
    for (std::size_t i = 0; i < said_.size(); ++i) {
      for (std::size_t v = 0; v < said_[i].size(); ++v) said_[i][v] = say(i, voters_[i][v]);
    }
  }
  // change(item, judge, what it has said so far)
  template <class Change>
  void change(const Change& change_of) {
    for (std::size_t i = 0; i < said_.size(); ++i) {
      for (std::size_t v = 0; v < said_[i].size(); ++v) said_[i][v] = change_of(i, voters_[i][v], said_[i][v]);
    }
  }
  const std::vector<std::size_t>& said(std::size_t i) const { return said_[i]; }

  // Tables of judges right with probability beta(a, b); what is said else goes in directions that all share.
  std::vector<std::vector<double>> tables(double a, double b) {
    const std::size_t k = classes();
    std::vector<double> direction(k * k);
    for (double& value : direction) value = gamma_draw(0.7, rng_) + 0.05;
    std::vector<std::vector<double>> rows(size_.judges * k, std::vector<double>(k));
    for (std::size_t at = 0; at < rows.size(); ++at) {
      const std::size_t y = at % k;
      const double right = beta_draw(a, b, rng_);
      double wrong = 0.0;
      for (std::size_t c = 0; c < k; ++c) {
        if (c != y) wrong += rows[at][c] = direction[y * k + c] * gamma_draw(3.0, rng_);
      }
      for (double& value : rows[at]) value *= (1.0 - right) / wrong;
      rows[at][y] = right;
    }
    return rows;
  }
  std::size_t from(const std::vector<std::vector<double>>& tables, std::size_t judge, std::size_t y) {
    return rng_.categorical(tables[judge * classes() + y]);
  }

  MadeJudges finish() const {
    NameList items;
    NameList judges;
    NameList names;
    std::vector<Vote> list;
    for (std::size_t j = 0; j < size_.judges; ++j) judges.push_back(fmt::format("judge{}", j + 1));
    for (std::size_t c = 0; c < classes(); ++c) names.push_back(std::to_string(c));
    MadeJudges made;
    for (std::size_t i = 0; i < said_.size(); ++i) {
      items.push_back(fmt::format("item{}", i + 1));
      made.truth.push_back(static_cast<std::int32_t>(truth_[i]));
      for (std::size_t v = 0; v < said_[i].size(); ++v) {
        list.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(voters_[i][v]),
                        static_cast<std::uint32_t>(said_[i][v])});
      }
    }
    made.votes = make_votes(items, judges, names, list);
    return made;
  }

 private:
  Rng rng_;
  Size size_;
  std::vector<std::size_t> truth_;
  std::vector<std::vector<std::size_t>> voters_;
  std::vector<std::vector<std::size_t>> said_;
};

void independent(Maker& made) {
  const auto tables = made.tables(7.0, 3.0);
  made.vote([&](std::size_t i, std::size_t j) { return made.from(tables, j, made.truth(i)); });
}

// Class plus a shift of the item, bias and spread of the judge; a guesser's spread is fifty classes.
void ordered(Maker& made, std::size_t judges, std::size_t items, double guessers) {
  std::vector<double> bias(judges);
  std::vector<double> spread(judges);
  std::vector<double> shift(items);
  for (double& value : bias) value = 0.45 * made.rng().normal();
  for (double& value : spread) {
    value = 0.45 + 0.35 * gamma_draw(1.5, made.rng());
    if (made.rng().uniform() < guessers) value = 50.0;
  }
  for (double& value : shift) value = 0.4 * made.rng().normal();
  const double last = static_cast<double>(made.classes() - 1);
  made.vote([&](std::size_t i, std::size_t j) {
    const double x = static_cast<double>(made.truth(i)) + shift[i] + bias[j] + spread[j] * made.rng().normal();
    return static_cast<std::size_t>(std::clamp(std::floor(x + 0.5), 0.0, last));
  });
}

void difficulty(Maker& made, std::size_t judges, std::size_t items, double lure) {
  std::vector<double> ability(judges);
  std::vector<double> easiness(items);
  std::vector<std::size_t> lures;
  for (double& value : ability) value = 1.2 + 0.7 * made.rng().normal();
  for (double& value : easiness) value = std::exp(0.9 * made.rng().normal());
  for (std::size_t i = 0; i < items; ++i) lures.push_back(made.other_than(made.truth(i)));
  made.vote([&](std::size_t i, std::size_t j) {
    if (made.rng().uniform() < logistic_of(ability[j] * easiness[i])) return made.truth(i);
    return made.rng().uniform() < lure ? lures[i] : made.other_than(made.truth(i));
  });
}

void copies(Maker& made, double strength) {
  const auto tables = made.tables(12.0, 4.0);
  made.vote([&](std::size_t i, std::size_t j) { return made.from(tables, j, made.truth(i)); });
  made.change([&](std::size_t i, std::size_t j, std::size_t said) {
    return j > 0 && j < 4 && made.rng().uniform() < strength ? made.said(i)[0] : said;
  });
}

void families(Maker& made, std::size_t items, double strength, std::size_t of_a_family, double misled) {
  const auto tables = made.tables(9.0, 4.0);
  made.vote([&](std::size_t i, std::size_t j) { return made.from(tables, j, made.truth(i)); });
  std::vector<std::array<std::size_t, 3>> answers(items);
  std::vector<bool> misleads(items);
  for (std::size_t i = 0; i < items; ++i) {
    for (std::size_t f = 0; f < 3; ++f) answers[i][f] = made.from(tables, f * of_a_family, made.truth(i));
    misleads[i] = made.rng().uniform() < misled;
  }
  made.change([&](std::size_t i, std::size_t j, std::size_t said) {
    const std::size_t kin = made.rng().uniform() < strength ? answers[i][j / of_a_family] : said;
    return misleads[i] && made.rng().uniform() < 0.5 ? (made.truth(i) + 1) % made.classes() : kin;
  });
}

void trap(Maker& made, std::size_t items) {
  const auto tables = made.tables(8.0, 2.0);
  std::vector<std::size_t> into(items);
  for (std::size_t i = 0; i < items; ++i) {
    into[i] = made.rng().uniform() < 0.15 ? made.other_than(made.truth(i)) : made.classes();
  }
  made.vote([&](std::size_t i, std::size_t j) {
    const bool falls = into[i] < made.classes() && made.rng().uniform() < 0.6;
    return falls ? into[i] : made.from(tables, j, made.truth(i));
  });
}

void spammers(Maker& made, std::size_t judges) {
  const auto tables = made.tables(8.0, 2.0);
  const std::size_t k = made.classes();
  std::vector<std::size_t> habit(judges);  // a class, k: guesses, k + 1: honest
  for (std::size_t& value : habit) value = made.rng().uniform() < 0.4 ? made.rng().below(k + 1) : k + 1;
  made.vote([&](std::size_t i, std::size_t j) {
    if (habit[j] < k) return habit[j];
    return habit[j] == k ? static_cast<std::size_t>(made.rng().below(k)) : made.from(tables, j, made.truth(i));
  });
}

std::vector<double> even(std::size_t k) { return std::vector<double>(k, 1.0 / static_cast<double>(k)); }

struct Kind {
  std::string_view name;
  Size size;
  void (*fill)(Maker& made, const Size& size);
};

std::vector<Kind> all_kinds() {
  return {
      {"independent", {600, 40, 7, {0.3, 0.3, 0.4}}, [](Maker& m, const Size&) { independent(m); }},
      {"many-classes", {1500, 150, 4, even(10)}, [](Maker& m, const Size&) { independent(m); }},
      {"ordered",
       {2600, 177, 6, {0.15, 0.2, 0.25, 0.25, 0.15}},
       [](Maker& m, const Size& s) { ordered(m, s.judges, s.items, 0.0); }},
      {"ordered-rare",
       {3000, 300, 7, {0.6, 0.2, 0.12, 0.08}},
       [](Maker& m, const Size& s) { ordered(m, s.judges, s.items, 0.125); }},
      {"difficulty", {800, 60, 9, even(2)}, [](Maker& m, const Size& s) { difficulty(m, s.judges, s.items, 1.0); }},
      {"lures",
       {900, 100, 8, {0.3, 0.3, 0.2, 0.2}},
       [](Maker& m, const Size& s) { difficulty(m, s.judges, s.items, 0.6); }},
      {"copies-0.5", {500, 10, 10, even(3)}, [](Maker& m, const Size&) { copies(m, 0.5); }},
      {"copies-0.8", {500, 10, 10, even(3)}, [](Maker& m, const Size&) { copies(m, 0.8); }},
      {"families", {600, 12, 12, even(3)}, [](Maker& m, const Size& s) { families(m, s.items, 0.6, 4, 0.0); }},
      {"trap", {800, 30, 8, {0.3, 0.3, 0.4}}, [](Maker& m, const Size& s) { trap(m, s.items); }},
      {"spammers", {800, 50, 8, even(4)}, [](Maker& m, const Size& s) { spammers(m, s.judges); }},
      {"rare", {1500, 30, 6, {0.95, 0.05}}, [](Maker& m, const Size&) { independent(m); }},
      {"llms", {1000, 9, 9, {0.6, 0.4}}, [](Maker& m, const Size& s) { families(m, s.items, 0.5, 3, 0.2); }},
  };
}

}  // namespace

std::vector<std::string_view> kinds_of_made_judges() {
  std::vector<std::string_view> names;
  for (const Kind& kind : all_kinds()) names.push_back(kind.name);
  return names;
}

MadeJudges make_judges(std::string_view kind, Rng rng) {
  for (const Kind& known : all_kinds()) {
    if (known.name != kind) continue;
    Maker made(known.size, rng);
    known.fill(made, known.size);
    return made.finish();
  }
  fail(ErrorKind::internal, fmt::format("make_judges: there is no kind '{}'", kind));
}

}  // namespace motet::judges
