#include "motet/app/audio/field.h"

#include "cli/support.h"

namespace motet::audio::field_verb_test {
namespace {

using FieldVerb = CommandTest;

TEST_F(FieldVerb, TellsWhatIsExpectedAndWhatIsMeasured) {
  const Ran ran = done("audio field --seconds 0.8 --waves 100 --step 30 --json @r.json --report @r.html");
  EXPECT_TRUE(ran.out.find("indicators are what theory says") != std::string::npos) << ran.out;
  EXPECT_TRUE(ran.out.find("side         betatilde12n") != std::string::npos) << ran.out;
  const Value json = json_of("r.json");
  EXPECT_EQ(json.at("checks").as_list().size(), 17U);
  EXPECT_EQ(json.at("patterns").as_list().size(), 3U);
  EXPECT_EQ(json.at("patterns").as_list()[0].at("degrees").as_list().size(), 12U);
  const std::string page = folder.read("r.html");
  for (const char* text : {"Polar patterns", "Coherence in a diffuse field", "Hyper-cardioid"}) {
    EXPECT_NE(page.find(text), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace motet::audio::field_verb_test
