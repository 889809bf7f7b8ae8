#include "motet/discover/study/learning_curve.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

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

// Classes that an answer holds of: the last one to a row replaces those before it.
class HeldClasses {
 public:
  std::size_t take(const Answer& answer) {
    std::string& held = of_row_[answer.row];
    if (!held.empty() && --answers_[held] == 0) answers_.erase(held);
    held = answer.class_name;
    if (!held.empty()) ++answers_[held];
    return answers_.size();
  }

 private:
  std::map<std::size_t, std::string> of_row_;  // empty: of no class
  std::map<std::string, std::size_t> answers_;
};

}  // namespace

LearningCurve learning_curve(const Features& features, const Discovery& discovery, const Propagation& rows) {
  const auto total = static_cast<double>(features.rows());
  std::vector<double> size(std::max(discovery.mixture.classes.size(), rows.classes.size()), 0.0);
  for (const std::int32_t c : rows.of_class) {
    if (c > 0) size[static_cast<std::size_t>(c)] += 1.0;
  }
  const auto g = static_cast<std::size_t>(std::max(discovery.options.exclusion, 0));

  LearningCurve curve;
  HeldClasses known;
  std::vector<std::uint8_t> covered(features.rows(), 0);
  std::size_t covered_rows = 0;
  std::vector<double> log_missed(size.size(), 0.0);  // of each class, by the rows drawn so far
  for (std::size_t r = 0; r < discovery.answers.size(); ++r) {
    const Answer& answer = discovery.answers[r];
    if (answer.kind != AnswerKind::not_sure) covered_rows += cover(features, answer.row, g, covered);
    curve.classes.push_back(static_cast<double>(known.take(answer)));
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
