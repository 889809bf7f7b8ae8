// Attribute-relation files: a header of named, typed attributes, then rows, dense or sparse.
//
//   % a comment
//   @relation 'songs: -C 2'
//   @attribute 'sad songs' {0,1}
//   @attribute energy numeric
//   @data
//   0,0.71
//   {1 0.71}
// In a sparse row what is left out is 0, of a nominal attribute its first value. Names and
// values with spaces or commas are quoted, with \ before a quote.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "motet/io/text_lines.h"

namespace motet {

enum class ArffType { numeric, nominal, text };

struct ArffAttribute {
  std::string name;
  ArffType type = ArffType::numeric;
  std::vector<std::string> values;  // of a nominal one
};

struct ArffHeader {
  std::string relation;
  std::vector<ArffAttribute> attributes;
};

// One cell of a row, unquoted; good until the next call.
struct ArffCell {
  std::size_t attribute = 0;
  std::string_view text;
  bool is_missing = false;  // an unquoted ?
};

class ArffReader {
 public:
  explicit ArffReader(const std::string& path);

  const ArffHeader& header() const { return header_; }

  // The cells of the next row, in the order in which they stand there; false at the end. A
  // dense row has all attributes, a sparse one those that are not 0.
  bool next_row(std::vector<ArffCell>& cells, bool& is_sparse);

  const TextLines& lines() const { return lines_; }
  [[noreturn]] void fail_here(std::string_view message) const { lines_.fail_here(message); }

 private:
  void read_header();
  void read_attribute(std::string_view rest);
  void read_dense(std::string_view line, std::vector<ArffCell>& cells);
  std::string_view cell_text(std::string_view raw, bool is_quoted);
  void read_sparse(std::string_view line, std::vector<ArffCell>& cells);

  TextLines lines_;
  ArffHeader header_;
  std::string unquoted_;               // room for cells with escapes
  std::vector<std::size_t> last_row_;  // of each attribute in a sparse row, to find those that come twice
  std::size_t row_ = 0;
};

// The label count that MEKA puts into the relation's name: "-C 3" is 3 (the first three
// attributes), "-C -3" is -3 (the last three), 0 when there is none.
int meka_label_count(std::string_view relation);

}  // namespace motet
