// Figures A.1 and A.2: the other songs in the other two backgrounds, by the amplification rate. Figures A.3 to A.5, box
// plots of the recordings of table 7.3, are drawn with that table.
#include <fmt/format.h>

#include "experiments/discover/bird_study.h"
#include "experiments/discover/figures.h"
#include "experiments/panel.h"

namespace motet::discover {

Outcome run_bird_appendix(const ExperimentContext& context) {
  ExperimentWriter writer("discover-appendix-a", "Figures A.1 and A.2: the other songs by the amplification rate");
  const BirdStudy study = study_of(context);
  writer.section("Set-up", set_up(study) + " Five of the ten printed rates.");
  const std::vector<double> gains =
      context.quick ? std::vector<double>{0.2} : std::vector<double>{0.1, 0.2, 0.4, 0.7, 1.0};
  std::vector<SearchSetting> settings;
  for (const Strategy strategy : printed_strategies) settings.push_back(bird_setting(strategy));
  settings.push_back(bird_setting(Strategy::temporal));
  std::size_t below_random = 0;
  std::size_t few_when_loud = 0;
  std::size_t curves_drawn = 0;
  for (const Background background : {Background::traffic, Background::rain}) {
    const BirdScene scene = study.scene(background);
    for (std::size_t song = 1; song < (context.quick ? 2 : song_count); ++song) {
      const GainCurves curves = gain_curves(study, scene, song, settings, gains);
      write_curves(writer,
                   fmt::format("Figure A.{}, {}F{}", static_cast<std::size_t>(background), scene.name, song + 1),
                   curves);
      for (std::size_t s = 0; s < 3; ++s) {
        below_random += mean_sd(curves.requests[s].front()).mean < curves.random ? 1 : 0;
        few_when_loud += mean_sd(curves.requests[s].back()).mean <= 5.0 ? 1 : 0;
        ++curves_drawn;
      }
    }
  }
  Claims claims;
  claims.add("all three need less than at random on B2 and B3, even at 0.1", "all",
             fmt::format("{} of {}", below_random, curves_drawn), verdict(below_random == curves_drawn));
  claims.add("a loud song takes few questions (5 or less at 1)", "drawn so",
             fmt::format("{} of {}", few_when_loud, curves_drawn), verdict(few_when_loud == curves_drawn));
  claims.write(writer);
  return writer.finish("the document draws these figures without numbers");
}

}  // namespace motet::discover
