#include "motet/app/audio/parity.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "cli/support.h"
#include "io/audio_support.h"

namespace motet::audio::parity_test {
namespace {

class ParityVerb : public CommandTest {};

TEST_F(ParityVerb, TellsHowNearTheReferenceIs) {
  ASSERT_TRUE(write_sound(folder / "x.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 20480, 1, tone(20480, 0.01)));
  done("audio features @x.wav --preset slaney --out @x.mfcc_slaney.csv");
  std::string rows;
  for (const std::string& line : lines_of("x.mfcc_slaney.csv")) {
    if (!line.starts_with("sequence")) rows += line.substr(line.find(',', line.find(',') + 1) + 1) + "\n";
  }
  folder.write("x.mfcc_slaney.csv", rows);
  const Ran ran = done("audio parity --golden @. --json @r.json");
  EXPECT_TRUE(ran.out.starts_with("1 of 1 tables agree to 1e-06\n")) << ran.out;
  EXPECT_EQ(json_of("r.json").at("tables").as_list()[0].at("worst_difference").as_number(), 0.0);
  folder.write("x.mfcc_slaney.csv", "9" + rows.substr(rows.find(',')));
  EXPECT_TRUE(done("audio parity --golden @.").out.starts_with("0 of 1 tables agree"));
}

TEST_F(ParityVerb, Errors) {
  expect_error("audio parity", 2, "parity: needs --golden");
  expect_error("audio parity --golden @none", 3, "none: cannot be read: No such file or directory");
  folder.write("a.wav", "");
  std::filesystem::create_directories(folder / "empty");
  expect_error("audio parity --golden @empty", 3,
               "empty: there are no reference values; NAME.wav with NAME.mfcc_slaney.csv and the like are needed");
  ASSERT_TRUE(write_sound(folder / "x.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 20480, 1, tone(20480, 0.01)));
  folder.write("x.mfcc_slaney.csv", "1,2\n3,x\n");
  expect_error("audio parity --golden @.", 3, "./x.mfcc_slaney.csv:2: 'x' is not a number");
  folder.write("x.mfcc_slaney.csv", "1,2\n3,4\n");
  expect_error("audio parity --golden @.", 3, "x.mfcc_slaney.csv: has 4 values where we have 1274");
}

// The vectors are too large to be kept here: MOTET_GOLDEN names the folder that holds them in audio/.
TEST(Parity, WithTheVectorsOfOtherPrograms) {
  const char* const folder = std::getenv("MOTET_GOLDEN");
  if (folder == nullptr || !std::filesystem::exists(std::string(folder) + "/audio/libri5s.wav")) GTEST_SKIP();
  const std::vector<Agreement> found = agreement_with(std::string(folder) + "/audio");
  EXPECT_EQ(found.size(), 19U);
  for (const Agreement& one : found) EXPECT_LE(one.worst, one.allowed) << one.name << " " << one.what;
}

}  // namespace
}  // namespace motet::audio::parity_test
