#include "motet/io/libsvm_items.h"

#include "io/item_cases.h"
#include "io/support.h"
#include "support/errors.h"

namespace motet::libsvm_items_test {
namespace {

using Names = std::vector<std::string>;
using Numbers = std::vector<double>;

LabelledItems items_in(std::string_view text, const LabelledFormat& format = {}) {
  const TemporaryFolder folder;
  return read_libsvm_items(folder.write("x.svm", text), format, {});
}

std::string error_in(std::string_view text, const LabelledFormat& format = {}, ErrorKind kind = ErrorKind::bad_data) {
  const TemporaryFolder folder;
  folder.write("x.svm", text);
  return folder.error_of([&] { read_libsvm_items(folder / "x.svm", format, {}); }, kind);
}

TEST(LibsvmItems, HaveSeveralLabelsOrNoneAndComments) {
  const LabelledItems items = items_in("10,3 2:0.5 4:1 # first\n 1:-2\n# nothing\n\n3 4:+1e2\n");
  EXPECT_EQ(items.features.columns, (Names{"1", "2", "3", "4"}));
  EXPECT_EQ(items.features.values, (Numbers{0, 0.5, 0, 1, -2, 0, 0, 0, 0, 0, 0, 100}));
  EXPECT_EQ(items.labels, (Names{"3", "10"}));
  EXPECT_EQ(sets_of(items), "3|10;;3");
  EXPECT_EQ(items_in("dog,cat 0:1 1:2\n").labels, (Names{"dog", "cat"}));
  EXPECT_EQ(items_in("1 0:1 2:2\n").features.columns, (Names{"0", "1", "2"}));
  EXPECT_EQ(sets_of(items_in("1:3\n2 1:1\n")), ";2");  // labels may be left away altogether
}

TEST(LibsvmItems, TakeTheColumnsAndLabelsOfAModel) {
  LabelledFormat format;
  format.known_columns = {"1", "2", "3"};
  format.known_labels = {"7", "5"};
  const LabelledItems items = items_in("5 2:1\n", format);
  EXPECT_EQ(items.features.values, (Numbers{0, 1, 0}));
  EXPECT_EQ(items.labels, (Names{"7", "5"}));
  EXPECT_EQ(error_in("5 2:1\n5 4:1\n", format), "x.svm:2: feature 4 is not one of the model's, 1 to 3");
  EXPECT_EQ(error_in("6 2:1\n", format), "x.svm:1: label '6' is not one of '7', '5'");
  format.needs_labels = false;
  EXPECT_FALSE(items_in("6 2:1\n", format).has_sets());
  EXPECT_FALSE(items_in(" 2:1\n", format).has_sets());
}

TEST(LibsvmItems, MistakesAreToldWithTheLine) {
  expect_each([](const std::string& text) { return error_in(text); },
              {{"", "x.svm: there are no items in it"},
               {"1 2\n", "x.svm:1: '2' is no feature such as 7:0.5"},
               {"1 a:2\n", "x.svm:1: 'a:2' is no feature such as 7:0.5"},
               {"1 -3:2\n", "x.svm:1: '-3:2' is no feature such as 7:0.5"},
               {"1,,2 1:1\n", "x.svm:1: '1,,2' is no list of labels such as 1,3"},
               {"1,1 1:1\n", "x.svm:1: label '1' appears twice"},
               {"1 2:1 2:3\n", "x.svm:1: feature 2 comes after feature 2; numbers must rise"},
               {"1 2:nan\n", "x.svm:1: feature 2 is 'nan'; every feature needs a finite number"},
               {"1 2:\n", "x.svm:1: feature 2 is ''; every feature needs a finite number"},
               {"1 20000000:1\n", "x.svm:1: feature 20000000 is out of range; 10000000 is the largest number"},
               {"1\n2\n", "x.svm: no item has a feature"}});
  EXPECT_EQ(error_in("1 1:1\n", counted(1), ErrorKind::usage),
            "x.svm: a libsvm file has no named columns, and its labels start each line; --labels, --label-count, "
            "--item-column and --leave-out do not apply");
}

TEST(LibsvmItems, FeatureNumbersThatWouldMakeAHugeTableAreRefused) {
  EXPECT_EQ(error_in("1 1:1\n2 10000000:1\n"),
            "x.svm: 2 x 10000000 is too large a table for the 2 numbers in it; at least one in 10000 must be given");
  std::string text;
  for (int n = 0; n < 50000; ++n) text += "1 10000000:1\n";
  EXPECT_EQ(error_in(text),
            "x.svm: 50000 x 10000000 is too large a table for the 50000 numbers in it; at least "
            "one in 10000 must be given");
}

}  // namespace
}  // namespace motet::libsvm_items_test
