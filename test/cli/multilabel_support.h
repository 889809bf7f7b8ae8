// Commands of `motet multilabel` in tests, and small items to run them on.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "cli/support.h"
#include "motet/base/rng.h"

namespace motet {

// Items of three Gaussian sources that add, in two features: x, y, then labels a, b, c.
inline std::string small_items(int items, std::uint64_t seed) {
  const double means[3][2] = {{4, 0}, {0, 4}, {-4, -4}};
  const int sets[6][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}};
  Rng rng(Seed{seed});
  std::string text = "item,x,y,a,b,c\n";
  for (int n = 0; n < items; ++n) {
    const int* const set = sets[n % 6];
    double x = 0.0;
    double y = 0.0;
    for (int k = 0; k < 3; ++k) {
      if (set[k] == 0) continue;
      x += means[k][0] + rng.normal();
      y += means[k][1] + rng.normal();
    }
    text += "i" + std::to_string(n + 1) + "," + to_text(x) + "," + to_text(y);
    for (int k = 0; k < 3; ++k) text += set[k] != 0 ? ",1" : ",0";
    text += "\n";
  }
  return text;
}

class MultilabelCommand : public CommandTest {
 protected:
  MultilabelCommand() {
    folder.write("train.csv", small_items(240, 1));
    folder.write("test.csv", small_items(120, 2));
  }

  Ran run(const std::vector<std::string>& words, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all{"multilabel"};
    all.insert(all.end(), words.begin(), words.end());
    all.insert(all.end(), more.begin(), more.end());
    all.push_back("--quiet");
    return motet(all);
  }

  Ran train(const std::vector<std::string>& more = {}) const {
    return run({"train", "@train.csv", "--label-count", "3", "--model", "@m.json"}, more);
  }

  std::vector<std::string> lines_of(std::string_view name) const {
    std::vector<std::string> lines;
    std::istringstream text(folder.read(name));
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }
};

}  // namespace motet
