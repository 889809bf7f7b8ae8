#include "experiments/judges/peers.h"

#include <boost/math/special_functions/digamma.hpp>

#include <algorithm>
#include <cmath>
#include <span>

namespace motet::judges {
namespace {

constexpr double never = 1e-10;  // in place of a probability of 0, as in common implementations

double digamma(double x) { return boost::math::digamma(x); }

// Turns logarithms into probabilities.
void normalise_item(std::span<double> q) {
  const double most = *std::max_element(q.begin(), q.end());
  double total = 0.0;
  for (double& value : q) total += value = std::exp(value - most);
  for (double& value : q) value /= total;
}

// EM of confusion tables; `weights_of` turns counts into what stands for the logarithms of a row.
template <class LogsOf>
Posteriors confusion_em_of(const Votes& votes, double right, double wrong, double item, const LogsOf& logs_of) {
  constexpr int steps = 100;
  const std::size_t k = votes.class_count();
  Posteriors q = vote_share_labels(votes);
  std::vector<double> tables(votes.judge_count() * k * k);
  for (int step = 0; step < steps; ++step) {
    for (std::size_t i = 0; i < tables.size(); ++i) tables[i] = i / k % k == i % k ? right : wrong;
    std::vector<double> shares(k, item);
    for (std::size_t i = 0; i < votes.item_count(); ++i) {
      for (std::size_t y = 0; y < k; ++y) {
        shares[y] += q[i * k + y];
        for (const std::uint32_t code : votes.of_item(i)) tables[(code / k * k + y) * k + code % k] += q[i * k + y];
      }
    }
    logs_of(shares);
    for (std::size_t row = 0; row < tables.size(); row += k) logs_of(std::span(tables).subspan(row, k));
    for (std::size_t i = 0; i < votes.item_count(); ++i) {
      for (std::size_t y = 0; y < k; ++y) {
        q[i * k + y] = shares[y];
        for (const std::uint32_t code : votes.of_item(i)) q[i * k + y] += tables[(code / k * k + y) * k + code % k];
      }
      normalise_item(std::span(q).subspan(i * k, k));
    }
  }
  return q;
}

}  // namespace

Posteriors vote_share_labels(const Votes& votes) {
  const std::size_t k = votes.class_count();
  Posteriors q(votes.item_count() * k, 0.0);
  for (std::size_t i = 0; i < votes.item_count(); ++i) {
    const auto codes = votes.of_item(i);
    for (std::size_t y = 0; y < k && codes.empty(); ++y) q[i * k + y] = 1.0 / static_cast<double>(k);
    for (const std::uint32_t code : codes) q[i * k + code % k] += 1.0 / static_cast<double>(codes.size());
  }
  return q;
}

Posteriors agreement_weighted(const Votes& votes) {
  const std::size_t k = votes.class_count();
  const Posteriors shares = vote_share_labels(votes);
  std::vector<double> agreed(votes.judge_count(), never);
  std::vector<double> given(votes.judge_count(), never);
  for (std::size_t i = 0; i < votes.item_count(); ++i) {
    const auto first = shares.begin() + static_cast<std::ptrdiff_t>(i * k);
    const auto best = static_cast<std::size_t>(std::max_element(first, first + static_cast<std::ptrdiff_t>(k)) - first);
    for (const std::uint32_t code : votes.of_item(i)) {
      given[code / k] += 1.0;
      agreed[code / k] += code % k == best ? 1.0 : 0.0;
    }
  }
  Posteriors q(votes.item_count() * k, 0.0);
  for (std::size_t i = 0; i < votes.item_count(); ++i) {
    double total = 0.0;
    for (const std::uint32_t code : votes.of_item(i)) q[i * k + code % k] += agreed[code / k] / given[code / k];
    for (std::size_t y = 0; y < k; ++y) total += q[i * k + y];
    for (std::size_t y = 0; y < k; ++y) q[i * k + y] = total > 0.0 ? q[i * k + y] / total : shares[i * k + y];
  }
  return q;
}

Posteriors dawid_skene(const Votes& votes) {
  return confusion_em_of(votes, 0.0, 0.0, 0.0, [](std::span<double> counts) {
    double total = 0.0;
    for (const double count : counts) total += count;
    for (double& count : counts) count = std::log((total > 0.0 ? count / total : 0.0) + never);
  });
}

Posteriors independent_bcc(const Votes& votes) {
  return confusion_em_of(votes, 4.0, 1.0, 1.0, [](std::span<double> counts) {
    double total = 0.0;
    for (const double count : counts) total += count;
    for (double& count : counts) count = digamma(count) - digamma(total);
  });
}

Posteriors mace(const Votes& votes) {
  constexpr int steps = 50;
  constexpr double knows_pseudo = 0.5;
  constexpr double habit_pseudo = 10.0;  // over all classes
  const std::size_t k = votes.class_count();
  const std::size_t judges = votes.judge_count();
  Posteriors q(votes.item_count() * k);
  std::vector<double> knows(judges, 0.7);
  std::vector<double> habit(judges * k, 1.0 / static_cast<double>(k));
  for (int step = 0; step < steps; ++step) {
    std::vector<double> knew(judges, knows_pseudo);
    std::vector<double> guessed(judges, knows_pseudo);
    std::vector<double> said(judges * k, habit_pseudo / static_cast<double>(k));
    for (std::size_t i = 0; i < votes.item_count(); ++i) {
      const std::span<double> item = std::span(q).subspan(i * k, k);
      std::fill(item.begin(), item.end(), 0.0);
      for (const std::uint32_t code : votes.of_item(i)) {
        const double guess = (1.0 - knows[code / k]) * habit[code];
        for (std::size_t y = 0; y < k; ++y) item[y] += std::log(guess + (code % k == y ? knows[code / k] : 0.0));
      }
      normalise_item(item);
      for (const std::uint32_t code : votes.of_item(i)) {
        const double guess = (1.0 - knows[code / k]) * habit[code];
        const double sure = item[code % k] * knows[code / k] / (knows[code / k] + guess);
        knew[code / k] += sure;
        guessed[code / k] += 1.0 - sure;
        said[code] += 1.0 - sure;
      }
    }
    for (std::size_t j = 0; j < judges; ++j) {
      knows[j] = 1.0 / (1.0 + std::exp(digamma(guessed[j]) - digamma(knew[j])));
      double total = 0.0;
      for (std::size_t c = 0; c < k; ++c) total += said[j * k + c];
      for (std::size_t c = 0; c < k; ++c) habit[j * k + c] = said[j * k + c] / total;
    }
  }
  return q;
}

std::vector<Peer> peers() {
  return {{"majority", vote_share_labels},
          {"Wawa", agreement_weighted},
          {"Dawid-Skene", dawid_skene},
          {"iBCC", independent_bcc},
          {"MACE", mace}};
}

}  // namespace motet::judges
