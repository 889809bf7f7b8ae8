#include "motet/io/predictions_csv.h"

#include <cmath>

#include "io/support.h"

namespace motet::predictions_csv_test {
namespace {

using Names = std::vector<std::string>;

const FileReader predictions_in{
    "p.csv", [](const std::string& path, char delimiter = ',') { return read_predictions(path, delimiter); }};

TEST(ReadPredictions, ItemsByNameOfTheColumn) {
  for (const std::string name : {"item", "id", "task"}) {
    const Predictions read = predictions_in(name + ",f1,f2\n7,1.5,-2\n8,,+3e2\n");
    EXPECT_EQ(read.items.to_vector(), (Names{"7", "8"}));
    EXPECT_EQ(read.judges.to_vector(), (Names{"f1", "f2"}));
    EXPECT_EQ(read.row(0)[0], 1.5);
    EXPECT_TRUE(std::isnan(read.row(1)[0]));
    EXPECT_EQ(read.row(1)[1], 300.0);
  }
}

TEST(ReadPredictions, ItemsByTextInTheColumn) {
  const Predictions read = predictions_in("house;f1\n12;1\nvilla;2\n", ';');
  EXPECT_EQ(read.items.to_vector(), (Names{"12", "villa"}));
  EXPECT_EQ(read.values, (std::vector<double>{1, 2}));
}

TEST(ReadPredictions, ItemsByRow) {
  const Predictions read = predictions_in("f1,f2\n1,2\n\n3,4\n");
  EXPECT_EQ(read.items.to_vector(), (Names{"1", "2"}));
  EXPECT_EQ(read.judges.to_vector(), (Names{"f1", "f2"}));
  EXPECT_EQ(read.values, (std::vector<double>{1, 2, 3, 4}));
}

TEST(ReadPredictions, Errors) {
  predictions_in.expect_errors(
      {{"item,f1\na,1\nb,2\nc,3\nd,nan\n", "p.csv:5: column 'f1': 'nan' is not a finite number"},
       {"item,f1\na,1\nb,high\n", "p.csv:3: column 'f1': 'high' is not a finite number"},
       {"f1,f2\n1,1\ninf,2\n", "p.csv:3: column 'f1': 'inf' is not a finite number"},
       {"f1,f2\n1,1e999\n", "p.csv:2: column 'f2': '1e999' is not a finite number"},
       {"item,f1\na,1\nb,2\na,3\n", "p.csv:4: item 'a' appears twice (first on line 2); keep one"},
       {"item,f1\n,1\n", "p.csv:2: the item is empty"},
       {"item,f1\n", "p.csv: there are no predictions"},
       {"item\na\n", "p.csv:1: at least one judge column is needed"},
       {"1.5,2.5\n1,2\n", "p.csv:1: found '1.5', '2.5'; the first line must be the header"},
       {"item,f1,f1\n", "p.csv:1: column 'f1' appears twice; the first line must be the header"}});
}

}  // namespace
}  // namespace motet::predictions_csv_test
