// What the processor at hand can do beyond what the program was built for. Code that asks has a version for
// every answer, and all of them give the same bits.
#pragma once

namespace motet {

enum class ProcessorLevel { plain, popcnt, avx2 };  // each has what those before it have

ProcessorLevel processor_level();
inline bool has_avx2() { return processor_level() == ProcessorLevel::avx2; }
inline bool has_popcnt() { return processor_level() >= ProcessorLevel::popcnt; }  // as one instruction

// From now on nothing above `most` is used, in all threads. For tests, which compare the versions.
void limit_processor(ProcessorLevel most);

}  // namespace motet
