#include "motet/io/csv_writer.h"

#include <limits>
#include <sstream>

#include "io/support.h"
#include "support/errors.h"

namespace motet::csv_writer_test {
namespace {

TEST(CsvWriter, QuotesOnlyWhereNeeded) {
  std::ostringstream out;
  CsvWriter csv(out);
  csv.text("plain").text("a,b").text("say \"hi\"").text("two\nlines").text("cr\r").text("").end_row();
  csv.text("").end_row();
  csv.finish();
  EXPECT_EQ(out.str(), "plain,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",\"cr\r\",\n\"\"\n");
}

TEST(CsvWriter, NumbersAreShort) {
  std::ostringstream out;
  CsvWriter csv(out, ';');
  csv.number(0.1).number(3.0).number(1.0 / 3.0).number(std::numeric_limits<double>::quiet_NaN());
  csv.whole(-12).text("a,b").end_row();
  csv.finish();
  EXPECT_EQ(out.str(), "0.1;3;0.3333333333333333;;-12;a,b\n");
}

TEST(CsvWriter, StreamFailureIsAnError) {
  const TemporaryFolder folder;
  std::ofstream out("/dev/full");
  CsvWriter csv(out);
  csv.text("x").end_row();
  EXPECT_EQ(folder.error_of([&] { csv.finish(); }, ErrorKind::machine_limit), "the output cannot be written");
}

}  // namespace
}  // namespace motet::csv_writer_test
