#include "motet/discover/study/learning_curve.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "motet/discover/answers.h"
#include "motet/discover/certificate.h"
#include "motet/discover/questions/propagate.h"

namespace motet::discover {
namespace {

// Marks the rows within g of n in its sequence; returns how many were not marked yet.
std::size_t cover(const Features& features, std::size_t n, std::size_t g, std::vector<std::uint8_t>& covered) {
  const auto [begin, end] = rows_around(features.starts, n, g);
  std::size_t fresh = 0;
  for (std::size_t i = begin; i < end; ++i) {
    fresh += covered[i] == 0 ? 1U : 0U;
    covered[i] = 1;
  }
  return fresh;
}

}  // namespace

LearningCurve learning_curve(const Features& features, const Discovery& discovery, const Propagation& rows) {
  const auto total = static_cast<double>(features.rows());
  std::vector<double> size(discovery.mixture.classes.size(), 0.0);
  for (const std::int32_t c : rows.of_class) {
    if (c > 0) size[static_cast<std::size_t>(c)] += 1.0;
  }
  const auto g = static_cast<std::size_t>(std::max(discovery.options.exclusion, 0));

  LearningCurve curve;
  std::set<std::string> known;
  std::vector<std::uint8_t> covered(features.rows(), 0);
  std::size_t covered_rows = 0;
  std::vector<double> log_missed(size.size(), 0.0);  // of each class, by the rows drawn so far
  for (std::size_t r = 0; r < discovery.answers.size(); ++r) {
    const Answer& answer = discovery.answers[r];
    if (answer.kind == AnswerKind::of_class) known.insert(answer.class_name);
    if (answer.kind != AnswerKind::not_sure) covered_rows += cover(features, answer.row, g, covered);
    curve.classes.push_back(static_cast<double>(known.size()));
    curve.covered.push_back(static_cast<double>(covered_rows) / total);
    double found = 0.0;
    const auto drawn = static_cast<double>(r);
    for (std::size_t c = 1; c < size.size(); ++c) {
      if (size[c] == 0.0) continue;
      const double left = total - drawn;
      log_missed[c] += left > size[c] ? std::log1p(-size[c] / left) : -INFINITY;
      found += 1.0 - std::exp(log_missed[c]);
    }
    curve.at_random.push_back(found);
  }
  return curve;
}

std::vector<double> promised_cover(const SearchCertificate& certificate, std::size_t rows, std::size_t answers) {
  const double reach = static_cast<double>(certificate.exclusion + 1) / static_cast<double>(rows);
  std::vector<double> promised(answers);
  for (std::size_t r = 0; r < answers; ++r) promised[r] = std::min(1.0, static_cast<double>(r + 1) * reach);
  return promised;
}

}  // namespace motet::discover
