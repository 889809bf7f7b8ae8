// Two instruments, alone or together: what each adds to a measurement is learnt from all items, and new items are
// told apart.
#include <motet/multilabel.h>

#include <cmath>
#include <cstdio>
#include <string>

int main() {
  namespace multilabel = motet::multilabel;
  multilabel::Items items{{{"low", "high"}, {}}, {"drum", "flute"}, {}};
  for (int n = 0; n < 60; ++n) {
    const bool drum = n % 3 != 1;
    const bool flute = n % 3 != 0;
    items.features.values.push_back((drum ? 5.0 : 0.0) + (flute ? 1.0 : 0.0) + 0.3 * std::sin(7.0 * n));
    items.features.values.push_back((drum ? 1.0 : 0.0) + (flute ? 4.0 : 0.0) + 0.3 * std::cos(5.0 * n));
    multilabel::LabelSet& set = items.sets.emplace_back();
    if (drum) set.push_back(0);
    if (flute) set.push_back(1);
  }
  const multilabel::Trained trained = multilabel::train(items, {{"covariance", "diagonal"}});

  // A model is text that the program reads as well, and back.
  const multilabel::Model model = multilabel::model_from_text(multilabel::to_text(trained.model));
  const multilabel::Predictions found = multilabel::predict(model, {{"low", "high"}, {5.1, 0.9, 6.0, 5.1, 0.8, 4.2}});
  for (const multilabel::LabelSet& set : found.sets) {
    std::string names;
    for (const std::uint32_t label : set) names += (names.empty() ? "" : " and ") + model.labels()[label];
    std::printf("%s\n", names.c_str());
  }
}
