// Families of events that were made after all choices: those of half C.
#pragma once

#include "experiments/discover/event_parts.h"

namespace motet::discover {

Wave cuckoo_event(EventDraw draw);   // pure notes, the same two or three each time
Wave bounce_event(EventDraw draw);   // strokes that follow each other faster and faster
Wave siren_event(EventDraw draw);    // harmonics that swing slowly
Wave bark_event(EventDraw draw);     // short rough voices
Wave scrape_event(EventDraw draw);   // noise with a comb of notches that moves
Wave crackle_event(EventDraw draw);  // clicks without rhythm, denser in the middle
Wave zap_event(EventDraw draw);      // fast falls over octaves, again and again

}  // namespace motet::discover
