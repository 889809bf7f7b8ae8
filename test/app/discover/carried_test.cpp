#include "motet/app/discover/carried.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "app/discover/support.h"

namespace motet::discover::carried_test {
namespace {

class DiscoverCarried : public DiscoverCommand {
 protected:
  void begin_old() const {
    start();
    discover({"label", "@p.motet", "36", "frog"});
    discover({"label", "@p.motet", "157", "owl"});
    discover({"label", "@p.motet", "100", "--nothing"});
  }
  // Another night: a frog in `three`, nothing but noise in `four`.
  void write_new() const {
    std::string text = small_table("three,four", 9);
    folder.write("n.csv", text.substr(0, text.find("four,")));
  }
  Words starts(const Words& more = {}) const {
    return joined(
        {"start", "@n.motet", "@n.csv", "--radius", "5", "--hop", "0.1", "--components", "2", "--from", "@p.motet"},
        more);
  }
};

TEST_F(DiscoverCarried, KnownClassesAreToldAndSegmentsOfThemExported) {
  begin_old();
  write_new();
  const Ran ran = discover(starts());
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("\nKnown from p.motet, as far as the rows show it:\n"
                         "class  examples  segments  confirmed  best chance\n"
                         "frog          1         1          0         "),
            std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("\nNot met here so far: 'owl'.\n"), std::string::npos) << ran.out;
  std::filesystem::remove(folder / "p.motet");  // not needed any more
  const Ran exported = discover({"export", "@n.motet"});
  EXPECT_NE(exported.out.find(",frog,0."), std::string::npos) << exported.out;
  EXPECT_EQ(exported.out.find("owl"), std::string::npos) << exported.out;
  const Value status = discover({"status", "@n.motet", "--json", "-"}).json();
  EXPECT_EQ(status.at("carried").at("from").as_text(), "p.motet");
  const Value& frog = status.at("carried").at("classes").as_list()[0];
  EXPECT_EQ(frog.at("class").as_text(), "frog");
  EXPECT_EQ(frog.at("segments").as_whole(), 1);
  EXPECT_EQ(frog.at("confirmed").as_whole(), 0);
  EXPECT_EQ(status.at("classes").as_list().size(), 1U);  // the background; nobody has found anything here
  const std::string item =
      discover({"confirm", "@n.motet", "frog", "--json", "-"}).json().at("items").as_list()[0].at("item").as_text();
  EXPECT_EQ(first_line(discover({"confirm", "@n.motet", "frog", "--yes", item})),
            "1 answer is on the disk: 1 'frog', 0 nothing");
  const Value after = discover({"status", "@n.motet", "--json", "-"}).json();
  EXPECT_EQ(after.at("carried").at("classes").as_list()[0].at("confirmed").as_whole(), 1);
  EXPECT_EQ(discover({"status", "@n.motet", "--report", "@r.html"}).code, 0);
}

TEST_F(DiscoverCarried, ProjectsWithoutItSayNothing) {
  begin_old();
  const Ran status = discover({"status", "@p.motet"});
  EXPECT_EQ(status.out.find("Known from"), std::string::npos);
  EXPECT_EQ(discover({"status", "@p.motet", "--json", "-"}).json().find("carried"), nullptr);
}

TEST_F(DiscoverCarried, UndoGoesBackToWhatWasTakenAlong) {
  begin_old();
  write_new();
  ASSERT_EQ(discover(starts()).code, 0);
  const std::string before = discover({"status", "@n.motet"}).out;
  discover({"label", "@n.motet", "36", "frog"});
  discover({"undo", "@n.motet"});
  const std::string after = discover({"status", "@n.motet"}).out;
  EXPECT_EQ(after.substr(after.find("Known from")), before.substr(before.find("Known from")));
}

TEST_F(DiscoverCarried, Refusals) {
  start();
  write_new();
  expect_refused(starts(), 2, "p.motet: no class was found in it; there is nothing to take along");
  discover({"label", "@p.motet", "36", "frog"});
  folder.write("n.csv", "sequence,a,c\nx,1,2\nx,2,1\nx,1,1\n");
  expect_refused(starts(), 2,
                 "p.motet: its columns are 'a', 'b', and those of the data 'a', 'c'; examples need the same columns");
  write_new();
  expect_refused(
      {"start", "@n.motet", "@n.csv", "--hop", "0.2", "--from", "@p.motet"}, 2,
      "p.motet: its rows are 0.1 s apart and last 0.1 s, and those of the data 0.2 s and 0.2 s; examples need "
      "the same");
  folder.write("x.wav", small_wav(6.0, 3));
  expect_refused({"start", "@n.motet", "@x.wav", "--from", "@p.motet"}, 2,
                 "p.motet: it began with a table, and the data are recordings; examples need the same features");
  ASSERT_EQ(discover({"start", "@w.motet", "@x.wav", "--radius", "5", "--set", "mfcc"}).code, 0);
  discover({"label", "@w.motet", "35", "tone"});
  expect_refused(
      {"start", "@n.motet", "@x.wav", "--bands", "30", "--from", "@w.motet"}, 2,
      "w.motet: its features were made with --bands 40, and those of the data with 30; examples need the same "
      "features");
  EXPECT_FALSE(std::filesystem::exists(folder / "n.motet"));
}

}  // namespace
}  // namespace motet::discover::carried_test
