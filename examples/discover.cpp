// A long log with two rare events in it. Someone who knows them answers what is asked until nothing is left to find.
#include <motet/discover.h>

#include <cmath>
#include <cstdio>

namespace {

const char* event_at(std::size_t row) {
  if (row >= 150 && row < 170) return "leak";
  if (row >= 330 && row < 350) return "jam";
  return nullptr;
}

}  // namespace

int main() {
  motet::FeatureTable log{{"pressure", "speed"}, {}};
  for (std::size_t n = 0; n < 480; ++n) {
    const char* const event = event_at(n);
    const double shift = event == nullptr ? 0.0 : *event == 'l' ? 6.0 : -6.0;
    log.values.push_back(shift + std::sin(17.0 * static_cast<double>(n)));
    log.values.push_back(-shift + std::cos(23.0 * static_cast<double>(n)));
  }
  motet::discover::Session session = motet::discover::Session::start(log, {{"radius", 8}, {"components", 1}});
  std::size_t questions = 0;
  while (questions < 6) {
    const std::size_t row = session.next().at(0).row;
    const char* const event = event_at(row);
    if (event != nullptr) {
      session.answer(row, event);
    } else {
      session.answer_nothing(row);
    }
    ++questions;
  }
  std::printf("%zu questions were asked, %zu would be needed to be sure\n", questions,
              session.certificate().most_requests);
  for (const motet::discover::Segment& segment : session.segments()) {
    std::printf("%s in rows %.0f to %.0f\n", segment.label.c_str(), segment.begin, segment.end);
  }
}
