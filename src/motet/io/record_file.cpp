#include "motet/io/record_file.h"

#include "motet/io/file.h"
#include "motet/io/record_text.h"

namespace motet {

void write_record(const std::string& path, const Record& record) { write_atomically(path, record_text(record)); }

Record read_record(const std::string& path) { return parse_record(read_whole(path), path); }

}  // namespace motet
