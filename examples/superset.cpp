// Photographs with captions that name one or two persons: who is it?
#include <motet/superset.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

int main() {
  namespace superset = motet::superset;
  superset::Items items{{{"x", "y"}, {}}, {"ada", "bob", "cleo"}, {}};
  for (unsigned n = 0; n < 90; ++n) {
    const unsigned person = n % 3;
    items.features.values.push_back((person == 0 ? 3.0 : person == 1 ? -3.0 : 0.0) + std::sin(3.0 * n));
    items.features.values.push_back((person == 2 ? 3.0 : 0.0) + std::cos(11.0 * n));
    items.candidates.push_back({{person}});
    if (n % 4 != 0) items.candidates.back().push_back({(person + 1 + n / 3 % 2) % 3});
  }
  const superset::Trained trained = superset::train(items, {{"method", "logistic-em"}});

  std::size_t right = 0;
  for (unsigned n = 0; n < 90; ++n) {
    const auto begin = trained.probability.begin() + n * 3;
    right += static_cast<unsigned>(std::max_element(begin, begin + 3) - begin) == n % 3 ? 1 : 0;
  }
  std::printf("%zu of 90 persons found\n", right);
  const superset::Predictions found = superset::predict(trained.model, {{"x", "y"}, {3.1, 0.2, 0.1, 3.5}});
  for (const std::int32_t label : found.label) {
    std::printf("%s\n", items.classes[static_cast<std::size_t>(label)].c_str());
  }
}
