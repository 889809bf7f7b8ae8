// Bytes in from a file, bytes out to a file.
//
// Reading: a path, or `-` for standard input; gzip is noticed by its first bytes
// and unpacked on the way. Writing: whole or not at all, that is to a temporary
// file in the same folder, fsync, rename, fsync of the folder; what is no ordinary
// file (`-`, /dev/stdout, /dev/fd/N, a pipe) is written as a stream.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace motet {

constexpr std::size_t default_chunk = std::size_t{1} << 18;

// An open file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&&) = delete;

  int number() const { return number_; }
  int release();  // the caller closes it

 private:
  int number_;
};

class InputFile {
 public:
  // `chunk` is how much packed data is kept in memory at a time. Throws
  // Error{bad_data} "FILE: cannot be opened: No such file or directory".
  explicit InputFile(const std::string& path, std::size_t chunk = default_chunk);
  ~InputFile();
  InputFile(InputFile&&) noexcept;

  const std::string& name() const { return name_; }  // for messages: the path, or "standard input"

  // Fills `into` as far as there is data; less than its size only at the end. Whoever reads keeps what is read in
  // some form, so that now and then it looks whether there is memory left: Error{machine_limit} where there is none.
  std::size_t read(std::span<char> into);

  // Of the file as it lies on the disk; the size is 0 when it cannot be known.
  std::uint64_t bytes_done() const { return bytes_done_; }
  std::uint64_t bytes_total() const { return bytes_total_; }

  // The most bytes that can be in it, which is its size unless it is packed; 0 when that cannot be known.
  std::uint64_t most_bytes() const;

 private:
  struct Unpacker;

  std::size_t unpack(std::span<char> into);
  std::size_t read_raw(std::span<char> into);
  void start_unpacking_if_packed(std::size_t chunk);

  Descriptor file_;
  std::string name_;
  std::string first_bytes_;  // read to see what the file is, still to be handed out
  std::unique_ptr<Unpacker> unpacker_;
  std::uint64_t bytes_done_ = 0;
  std::uint64_t bytes_total_ = 0;
  std::uint64_t bytes_out_ = 0;  // handed out, unpacked
};

std::string read_whole(const std::string& path);

// A file that appears under its name only when commit() succeeds. Links are
// followed; what is there and is no ordinary file (/dev/null, a pipe) is written
// directly, and so is a stream that is open already: `-` is standard output, and a log
// that was opened to be added to is added to. Failures are Error{machine_limit}
// "FILE: cannot be written: No space left on device" and leave the old file.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(AtomicFile&&) = delete;

  void write(std::string_view bytes);
  void commit();

  std::uint64_t size() const { return size_; }  // bytes written so far

  // What can be done only while the file is ours alone; false, and nothing done, where it is a stream.
  bool cut_to(std::uint64_t size);             // what was written after that goes
  bool rewrite_start(std::string_view bytes);  // no more of them than are there

 private:
  void open_temporary(bool replaces, unsigned mode);
  void close_and_remove() noexcept;
  [[noreturn]] void fail_with(int error_number);

  std::string path_;       // as the caller gave it, for messages
  std::string target_;     // with links followed
  std::string temporary_;  // empty when the target is written directly
  std::uint64_t size_ = 0;
  int file_ = -1;
};

// Throws what AtomicFile would throw for this path, and changes nothing: to be asked
// before hours of work, not after them.
void require_writable(const std::string& path);

void write_atomically(const std::string& path, std::string_view content);

}  // namespace motet
