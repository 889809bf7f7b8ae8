#include "motet/discover.h"

#include <set>

#include "door/support.h"
#include "support/errors.h"

namespace motet::discover {
namespace {

// Rows 31 to 42 of each of two sequences are loud.
FeatureTable small_log() {
  FeatureTable table{{"a", "b"}, {}, {120, 120}, 0.1};
  for (std::size_t n = 0; n < 240; ++n) {
    const double shift = n % 120 >= 30 && n % 120 < 42 ? (n < 120 ? 8.0 : -8.0) : 0.0;
    table.values.push_back(shift + std::sin(17.0 * static_cast<double>(n)));
    table.values.push_back(shift + std::cos(23.0 * static_cast<double>(n)));
  }
  return table;
}

std::string as_csv(const FeatureTable& table) {
  std::string text = "sequence,a,b\n";
  for (std::size_t n = 0; n < table.rows(); ++n) {
    text += (n < 120 ? "1," : "2,") + to_text(table.values[2 * n]) + "," + to_text(table.values[2 * n + 1]) + "\n";
  }
  return text;
}

void answer_truly(Session& session, std::size_t questions) {
  for (std::size_t i = 0; i < questions; ++i) {
    const std::size_t row = session.next().at(0).row;
    if (row % 120 >= 30 && row % 120 < 42) {
      session.answer(row, row < 120 ? "up" : "down");
    } else {
      session.answer_nothing(row);
    }
  }
}

class DiscoverDoor : public CommandTest {};

TEST_F(DiscoverDoor, AsksWhatTheCommandLineAsks) {
  folder.write("d.csv", as_csv(small_log()));
  ASSERT_EQ(motet("discover start @p.motet @d.csv --radius 5 --hop 0.1 --components 2").code, 0);
  const Session session = Session::start(small_log(), {{"radius", 5}, {"components", 2}});
  const Value told = motet("discover next @p.motet --json -").json();
  const Value::List& items = told.at("items").as_list();
  const std::vector<Question> questions = session.next();
  ASSERT_FALSE(items.empty());
  for (std::size_t i = 0; i < items.size(); ++i) {
    EXPECT_EQ(items[i].at("row").as_whole(), static_cast<std::int64_t>(questions.at(i).row) + 1);
  }
}

TEST_F(DiscoverDoor, FindsBothEventsAndTellsWhere) {
  Session session = Session::start(small_log(), {{"radius", 5}, {"components", 2}});
  EXPECT_FALSE(session.certificate().complete);
  answer_truly(session, 8);
  EXPECT_EQ(session.certificate().answered, 8U);
  std::set<std::string> labels;
  for (const Segment& segment : session.segments()) {
    labels.insert(segment.label);
    EXPECT_EQ(segment.sequence, segment.label == "up" ? 0U : 1U);
    EXPECT_GT(segment.end, 3.0);
    EXPECT_LT(segment.begin, 4.2);
  }
  EXPECT_EQ(labels, (std::set<std::string>{"up", "down"}));
}

TEST_F(DiscoverDoor, IsAValueThatGoesOnFromItsBytes) {
  Session session = Session::start(small_log(), {{"radius", 5}, {"components", 2}});
  const Session kept = session;
  answer_truly(session, 3);
  EXPECT_EQ(kept.certificate().answered, 0U);
  Session again = Session::from_bytes(session.to_bytes(), small_log());
  answer_truly(session, 3);
  answer_truly(again, 3);
  EXPECT_EQ(again.to_bytes(), session.to_bytes());
}

TEST_F(DiscoverDoor, BadInputIsRefused) {
  Session session = Session::start(small_log(), {{"radius", 5}, {"components", 2}});
  FeatureTable other = small_log();
  other.columns[1] = "c";
  EXPECT_EQ(folder.error_of([&] { Session::from_bytes(session.to_bytes(), other); }),
            "session: the columns of the features are not those it was started with");
  folder.error_of([&] { session.answer(240, "up"); }, ErrorKind::usage);
  folder.error_of([&] { session.answer(0, ""); }, ErrorKind::usage);
}

TEST(DiscoverSession, AClassNameIsOneLine) {
  Session session = Session::start(small_log(), {{"radius", 5}, {"components", 2}});
  EXPECT_EQ(error_of([&] { session.answer(3, "a\tb"); }),
            "class 'a b' has a tab, a line break or another control character; a class name is one line of text");
}

TEST_F(DiscoverDoor, GeneratesAsTheCommandLine) {
  ASSERT_EQ(motet("discover generate --rows 200 --event-length 9 --seed 4 --digits 0 --out @e.csv").code, 0);
  const Generated made = generate({{"rows", 200}, {"event_length", 9}}, {.seed = 4});
  const auto lines = door::lines_of(folder / "e.csv");
  ASSERT_EQ(lines.size(), 201U);
  for (std::size_t n = 0; n < 200; ++n) {
    EXPECT_EQ(lines[n + 1][1], motet::to_text(made.features.values[n * 13 + 1]));
    EXPECT_EQ(lines[n + 1].back(), made.classes[made.of_row[n]]);
  }
  EXPECT_EQ(generate_options()[0].name, "rows");
}

}  // namespace
}  // namespace motet::discover
