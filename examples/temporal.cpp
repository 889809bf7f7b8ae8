// A machine that is idle, runs, and is idle again, by its noisy load: neighbours in time help to tell which.
#include <motet/temporal.h>

#include <cmath>
#include <cstdio>

int main() {
  motet::FeatureTable load{{"load"}, {}};
  for (int n = 0; n < 120; ++n) {
    const bool runs = n >= 40 && n < 80;
    load.values.push_back((runs ? 2.0 : 0.0) + 0.9 * std::sin(13.0 * n) + 0.4 * std::cos(29.0 * n));
  }
  const motet::temporal::Fit fit = motet::temporal::fit(load, 2, {{"radius", 5}});
  std::printf("%s\n", std::string(name_of(fit.summary.stop)).c_str());
  std::size_t begin = 0;
  for (std::size_t n = 1; n <= load.rows(); ++n) {
    if (n < load.rows() && fit.states.component[n] == fit.states.component[begin]) continue;
    std::printf("rows %zu to %zu: mean load %.1f\n", begin, n - 1, fit.model.mean(fit.states.component[begin])[0]);
    begin = n;
  }
}
