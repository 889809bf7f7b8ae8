#include "motet/io/csv_writer.h"

#include <array>
#include <charconv>
#include <cmath>
#include <ostream>

#include "motet/base/error.h"

namespace motet {
namespace {

constexpr std::size_t kept_at_most = std::size_t{1} << 16;

template <class Number>
void append(std::string& text, Number number) {
  std::array<char, 32> buffer{};
  text.append(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr);
}

}  // namespace

void CsvWriter::separate() {
  if (fields_in_row_++ != 0) kept_ += delimiter_;
}

CsvWriter& CsvWriter::text(std::string_view field) {
  separate();
  const std::array<char, 4> awkward = {delimiter_, '"', '\n', '\r'};
  if (field.find_first_of(std::string_view(awkward.data(), awkward.size())) == std::string_view::npos) {
    kept_ += field;
    return *this;
  }
  kept_ += '"';
  for (const char byte : field) {
    if (byte == '"') kept_ += '"';
    kept_ += byte;
  }
  kept_ += '"';
  return *this;
}

CsvWriter& CsvWriter::number(double field) {
  separate();
  if (std::isfinite(field)) append(kept_, field);
  return *this;
}

CsvWriter& CsvWriter::whole(std::int64_t field) {
  separate();
  append(kept_, field);
  return *this;
}

void CsvWriter::end_row() {
  // A single empty field would be a blank line, which readers skip.
  if (fields_in_row_ == 1 && (kept_.empty() || kept_.back() == '\n')) kept_ += "\"\"";
  kept_ += '\n';
  fields_in_row_ = 0;
  if (kept_.size() >= kept_at_most) flush();
}

void CsvWriter::row(std::span<const std::string> fields) {
  for (const std::string& field : fields) text(field);
  end_row();
}

void CsvWriter::finish() {
  flush();
  if (stream_ != nullptr && !stream_->flush()) fail(ErrorKind::machine_limit, "the output cannot be written");
}

void CsvWriter::flush() {
  if (file_ != nullptr) file_->write(kept_);
  if (stream_ != nullptr) stream_->write(kept_.data(), static_cast<std::streamsize>(kept_.size()));
  kept_.clear();
}

}  // namespace motet
