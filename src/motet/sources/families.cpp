#include "motet/sources/families.h"

#include <algorithm>
#include <string>

#include "motet/base/error.h"

namespace motet {

// In the order of Family; a new family is a line at the end, and in families.h.
const std::vector<SourceFamily>& source_families() {
  static const std::vector<SourceFamily> families = {
      gaussian_family(), bernoulli_family(), exponential_family(),       gamma_family(),
      poisson_family(),  lognormal_family(), negative_binomial_family(),
  };
  return families;
}

const SourceFamily& family_of(Family family) { return source_families()[static_cast<std::size_t>(family)]; }

std::vector<std::string_view> family_names() {
  std::vector<std::string_view> names;
  for (const SourceFamily& family : source_families()) names.push_back(family.word);
  return names;
}

Family family_named(std::string_view word) {
  const std::vector<SourceFamily>& all = source_families();
  std::size_t i = 0;
  while (i < all.size() && all[i].word != word) ++i;
  if (i == all.size()) fail(ErrorKind::bad_data, "there is no family '" + std::string(word) + "'");
  return static_cast<Family>(i);
}

std::string family_word(Family family) { return std::string(family_of(family).word); }

bool is_gaussian(Family family) { return family_of(family).has_scatter; }

bool has_closed_form(Family family, Combination combination) {
  const SourceFamily& own = family_of(family);
  const auto end = own.combinations.begin() + static_cast<std::ptrdiff_t>(own.closed);
  return std::find(own.combinations.begin(), end, combination) != end;
}

bool has_closed_form(const Sources& sources) { return has_closed_form(sources.family, sources.combination); }

void require_pair(Family family, Combination combination) {
  const std::vector<Combination>& all = family_of(family).combinations;
  if (std::find(all.begin(), all.end(), combination) != all.end()) return;
  const auto word_of = [](Combination one) { return std::string(combination_words[static_cast<std::size_t>(one)]); };
  std::string allowed;
  for (const Combination other : all) allowed += (allowed.empty() ? "" : ", ") + word_of(other);
  fail(ErrorKind::usage, "--combine " + word_of(combination) + " has no meaning for " + family_word(family) +
                             " sources; they have " + allowed);
}

}  // namespace motet
