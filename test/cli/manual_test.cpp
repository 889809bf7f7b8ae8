#include "motet/cli/manual.h"

#include <gtest/gtest.h>

namespace motet::manual_test {
namespace {

// Words that mean something to roff, or to a shell, in every place where words can stand.
struct HearOptions {
  std::string way = "quick";
  bool loud = false;
  bool clean = true;
  std::string out;
};

template <class V>
void visit_fields(V& v, HearOptions& o) {
  v("way", o.way, Text{"quick|slow|SECONDS"}, "how: 'quick' [or] a\\b");
  v("loud", o.loud, ".loud is louder");
  v("clean", o.clean, "no noise");
  v("out_file", o.out, Text{"OUT.csv"}, "write here");
}

struct NoOptions {};
template <class V>
void visit_fields(V&, NoOptions&) {}

template <class Options>
Outcome nothing(const Options&, VerbContext&) {
  return {};
}

std::vector<Verb> few_verbs() {
  return {
      make_verb("audio", "hear", "what's there: sounds", {{"IN.wav", "a recording", 0, 9}}, {{"out_file"}},
                nothing<HearOptions>),
      make_verb("audio", "wait", "do nothing", {}, {}, nothing<NoOptions>, without_page),
      make_verb("", "show", "show all", {}, {}, nothing<NoOptions>),
  };
}

std::string text_of(const std::vector<ManualFile>& files, const std::string& name) {
  for (const ManualFile& file : files) {
    if (file.name == name) return file.text;
  }
  ADD_FAILURE() << "no file " << name;
  return "";
}

void expect_has(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "there is no\n" << part << "\nin\n" << text;
}

TEST(ManualPages, OneForTheProgramAndOneForEachTask) {
  const std::vector<ManualFile> pages = manual_pages(few_verbs());
  ASSERT_EQ(pages.size(), 2U);
  EXPECT_EQ(pages[0].name, "motet.1");
  EXPECT_EQ(pages[1].name, "motet-audio.1");
  EXPECT_TRUE(pages[0].text.starts_with(".TH MOTET 1 ")) << pages[0].text;
  expect_has(pages[0].text, ".TP\n.B audio\nrecordings to rows of numbers; see\n.BR motet\\-audio (1)\n");
  expect_has(pages[0].text, ".SH OTHER COMMANDS\n.SS show\nshow all\n");
  EXPECT_EQ(pages[0].text.find(".SS audio"), std::string::npos);
  EXPECT_TRUE(pages[0].text.ends_with(".SH SEE ALSO\n.BR motet\\-audio (1)\n")) << pages[0].text;
  EXPECT_TRUE(pages[1].text.starts_with(".TH MOTET\\-AUDIO 1 ")) << pages[1].text;
}

TEST(ManualPages, TellArgumentsAndOptionsOfEachVerb) {
  const std::string page = text_of(manual_pages(few_verbs()), "motet-audio.1");
  expect_has(page,
             ".SH SYNOPSIS\n.B motet audio hear\n.RI [\\fIIN.wav\\fP...]\n.RI [ options ]\n"
             ".br\n.B motet audio wait\n.RI [ options ]\n.SH VERBS\n");
  expect_has(page, ".SS audio hear\nwhat's there: sounds\n.TP\n.I IN.wav\na recording\n");
  expect_has(page, ".TP\n\\fB\\-\\-out\\-file\\fP \\fIOUT.csv\\fP\nwrite here (required)\n");
  expect_has(page, ".TP\n\\fB\\-\\-no\\-clean\\fP\nturns this off: no noise\n");
  EXPECT_EQ(page.find(".SS show"), std::string::npos);
}

TEST(ManualPages, NoWordIsTakenForAnInstruction) {
  const std::string page = text_of(manual_pages(few_verbs()), "motet-audio.1");
  expect_has(page, "\n\\fB\\-\\-loud\\fP\n\\&.loud is louder\n");
  expect_has(page, "\nhow: 'quick' [or] a\\eb (default quick)\n");
}

TEST(ManualPages, AVerbWithoutAPageHasNoReport) {
  const std::string page = text_of(manual_pages(few_verbs()), "motet-audio.1");
  const std::size_t second = page.find(".SS audio wait");
  EXPECT_NE(page.substr(0, second).find("\\-\\-report"), std::string::npos);
  EXPECT_EQ(page.substr(second).find("\\-\\-report"), std::string::npos);
  EXPECT_NE(page.substr(second).find("\\-\\-json"), std::string::npos);
}

TEST(Completions, AreForThreeShells) {
  const std::vector<ManualFile> files = completions(few_verbs());
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[0].name, "motet");
  EXPECT_EQ(files[1].name, "_motet");
  EXPECT_EQ(files[2].name, "motet.fish");
}

TEST(Completions, BashKnowsTasksVerbsOptionsAndChoices) {
  const std::string text = text_of(completions(few_verbs()), "motet");
  expect_has(text, "compgen -W 'audio show help --help --version'");
  expect_has(text, "    audio) verbs='hear wait' ;;\n");
  expect_has(text,
             "    'audio hear') options='--help --way --loud --no-clean --out-file --json --report --seed --threads "
             "--quiet' ;;\n");
  expect_has(text, "    'audio wait') options='--help --json --seed --threads --quiet' ;;\n");
  // SECONDS stands for a number, which cannot be completed, and OUT.csv for a file.
  expect_has(text, "    'audio hear --way') words='quick slow' ;;\n");
  EXPECT_EQ(text.find("--out-file')"), std::string::npos);
}

TEST(Completions, ZshIsToldWhatIsNoMarkOfItsOwn) {
  const std::string text = text_of(completions(few_verbs()), "_motet");
  EXPECT_TRUE(text.starts_with("#compdef motet\n")) << text;
  expect_has(text, "'--way[how\\: '\\''quick'\\'' \\[or\\] a\\\\b]:quick|slow|SECONDS:(quick slow)'");
  expect_has(text, "'--out-file[write here]:OUT.csv:_files'");
  expect_has(text, "'hear:what'\\''s there\\: sounds'");
  expect_has(text, "'--loud[.loud is louder]'");
}

TEST(Completions, FishHasALineForEachOption) {
  const std::string text = text_of(completions(few_verbs()), "motet.fish");
  expect_has(text, "complete -c motet -n '__fish_use_subcommand' -f -a audio -d 'recordings to rows of numbers'\n");
  expect_has(text, "complete -c motet -n '__fish_use_subcommand' -f -a show -d 'show all'\n");
  const std::string hear =
      "complete -c motet -n '__fish_seen_subcommand_from audio; and __fish_seen_subcommand_from hear'";
  expect_has(text, hear + " -l way -r -f -a 'quick slow' -d 'how: '\\''quick'\\'' [or] a\\\\b'\n");
  expect_has(text, hear + " -l no-clean -d 'turns this off: no noise'\n");
  expect_has(text, hear + " -l out-file -r -d 'write here'\n");
  expect_has(text, "complete -c motet -n '__fish_seen_subcommand_from show' -l quiet -d ");
}

}  // namespace
}  // namespace motet::manual_test
