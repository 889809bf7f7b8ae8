// What the processor at hand can do beyond what the program was built for. Code that asks has a version for
// every answer, and all of them give the same bits.
#pragma once

namespace motet {

bool has_avx2();    // and popcnt, which every such processor has
bool has_popcnt();  // the population count as one instruction

}  // namespace motet
