// Commands of `motet multilabel` in tests, and small items to run them on.
#pragma once

#include <string>
#include <vector>

#include "cli/support.h"
#include "motet/app/multilabel/files.h"
#include "motet/base/rng.h"

namespace motet::multilabel {

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

// The same as items; named labels a, b and c.
inline LabelledItems items_of(const std::string& text) {
  const TemporaryFolder folder;
  ItemsFileOptions options;
  options.label_count = 3;
  return read_items(folder.write("d.csv", text), options, {}).items;
}

class MultilabelCommand : public CommandTest {
 protected:
  MultilabelCommand() {
    command = "multilabel";
    folder.write("train.csv", small_items(240, 1));
    folder.write("test.csv", small_items(120, 2));
  }

  Ran run(const Words& words, const Words& more = {}) const {
    return motet(joined(joined({"multilabel"}, words), joined(more, {"--quiet"})));
  }

  Ran train(const Words& more = {}) const {
    return run({"train", "@train.csv", "--label-count", "3", "--model", "@m.json"}, more);
  }

  void expect_refused(const Words& words, int code, const std::string& text) const {
    expect_error(joined(joined({"multilabel"}, words), {"--quiet"}), code, text);
  }
};

// Items that `train` refuses.
class BadItems : public MultilabelCommand {
 protected:
  void expect_untrained(std::string_view data, int code, const std::string& text,
                        const Words& more = {"--label-count", "2"}) const {
    folder.write("d.csv", data);
    expect_refused(joined({"train", "@d.csv", "--model", "@m.json"}, more), code, text);
    EXPECT_EQ(folder.read("m.json"), "");
  }
};
}  // namespace motet::multilabel
