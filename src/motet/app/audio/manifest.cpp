#include "motet/app/audio/manifest.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>

#include "motet/base/error.h"
#include "motet/io/file.h"
#include "motet/io/json.h"
#include "motet/io/text_lines.h"

namespace motet::audio {
namespace {

constexpr std::string_view manifest_kind = "motet audio manifest";

// A file that grows at its end and is read anywhere.
class GrowingFile {
 public:
  explicit GrowingFile(std::string path)
      : path_(std::move(path)), file_(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (file_.number() < 0) fail_growing("opened");
    const off_t end = ::lseek(file_.number(), 0, SEEK_END);
    if (end < 0) fail_growing("read");
    size_ = static_cast<std::uint64_t>(end);
  }

  std::uint64_t size() const { return size_; }

  void write(std::string_view bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t done =
          ::pwrite(file_.number(), bytes.data() + at, bytes.size() - at, static_cast<off_t>(size_ + at));
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) fail_growing("written");
      at += static_cast<std::size_t>(done);
    }
    size_ += bytes.size();
  }

  void cut_to(std::uint64_t size) {
    if (size == size_) return;
    if (::ftruncate(file_.number(), static_cast<off_t>(size)) != 0) fail_growing("written");
    size_ = size;
  }

  std::size_t read(std::uint64_t at, std::span<char> into) const {
    ssize_t done = -1;
    do done = ::pread(file_.number(), into.data(), into.size(), static_cast<off_t>(at));
    while (done < 0 && errno == EINTR);
    if (done < 0) fail_growing("read");
    return static_cast<std::size_t>(done);
  }

  void sync() {
    if (::fdatasync(file_.number()) != 0) fail_growing("written");
  }

 private:
  [[noreturn]] void fail_growing(const char* what) const {
    fail(ErrorKind::machine_limit,
         fmt::format("{}: cannot be {}: {}", path_, what, std::generic_category().message(errno)));
  }

  std::string path_;
  Descriptor file_;
  std::uint64_t size_ = 0;
};

// What tells one state of a recording from another.
std::string mark_of(const NamedRecording& recording) {
  struct stat status {};
  if (::stat(recording.path.c_str(), &status) != 0) return "";
  return fmt::format("{}: {} bytes, {}.{:09}", recording.name, status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec);
}

std::string option_text(const Value& options, std::string_view name) {
  const Value* const found = options.find(name);
  return found == nullptr ? "" : found->as_text();
}

}  // namespace

struct Manifest::Inside {
  struct Known {
    std::string mark;
    FinishedRecording finished;
  };

  Inside(const std::string& path, RowFile kind, const Value& options)
      : manifest_path(path), row_kind(kind), asked_options(options), row_file(path + ".rows"), line_file(path) {}

  void load();
  void load_start(const Value& start);
  void load_recording(const Value& line);
  Value parse_line(const std::string& text, std::size_t lines_before) const;
  void sync() {
    if (waiting.empty()) return;
    row_file.sync();
    line_file.write(waiting);
    line_file.sync();
    waiting.clear();
    synced_at = std::chrono::steady_clock::now();
  }

  std::string manifest_path;
  RowFile row_kind;
  Value asked_options;
  GrowingFile row_file;
  GrowingFile line_file;
  std::optional<RowShape> row_shape;
  std::map<std::string, Known> known_ones;  // by path
  std::string waiting;                      // lines whose rows may not be on the disk yet
  std::chrono::steady_clock::time_point synced_at = std::chrono::steady_clock::now();
};

void Manifest::Inside::load_start(const Value& start) {
  const Value* const kind = start.find("kind");
  if (kind == nullptr || !kind->is_text() || kind->as_text() != manifest_kind) {
    fail(ErrorKind::bad_data, "is no manifest of `motet audio features`; name another file");
  }
  if (start.at("version").as_whole() != 1) fail(ErrorKind::bad_data, "was written by a newer version of motet");
  if (start.at("format").as_whole() != static_cast<std::int64_t>(row_kind)) {
    fail(ErrorKind::usage, "was made for an output of another format; name another manifest");
  }
  const Value& rows = start.at("rows");
  for (const auto& [name, text] : asked_options.as_object()) {
    const std::string before = option_text(rows.at("options"), name);
    if (before == text.as_text()) continue;
    fail(ErrorKind::usage, fmt::format("was made with {0} {1}, and here it is {2}; name another manifest",
                                       flag_of(name), before, text.as_text()));
  }
  row_shape = RowShape{texts_at(rows, "columns"),
                       texts_at(rows, "units"),
                       {rows.at("hop").as_number(), rows.at("window").as_number()},
                       asked_options};
}

void Manifest::Inside::load_recording(const Value& line) {
  Known known;
  known.mark = line.at("mark").as_text();
  FinishedRecording& finished = known.finished;
  finished.begin = static_cast<std::uint64_t>(line.at("begin").as_whole());
  finished.end = static_cast<std::uint64_t>(line.at("end").as_whole());
  if (finished.begin > finished.end || finished.end > row_file.size()) return;  // its rows were lost
  finished.heard.rows = static_cast<std::size_t>(line.at("rows").as_whole());
  finished.heard.seconds = line.at("seconds").as_number();
  finished.heard.sample_rate = line.at("sample_rate").as_number();
  finished.heard.channels = static_cast<std::size_t>(line.at("channels").as_whole());
  finished.heard.warnings = texts_at(line, "warnings");
  known_ones[line.at("path").as_text()] = std::move(known);
}

Value Manifest::Inside::parse_line(const std::string& text, std::size_t lines_before) const {
  try {
    return parse_json(text, manifest_path);
  } catch (const Error&) {
    parse_json(std::string(lines_before, '\n') + text, manifest_path);  // tells the line
    throw;
  }
}

void Manifest::Inside::load() {
  if (line_file.size() == 0) {
    row_file.cut_to(0);
    return;
  }
  std::string text(line_file.size(), '\0');
  text.resize(line_file.read(0, text));
  const std::size_t end = text.rfind('\n') + 1;  // a line that was cut short does not count
  std::size_t line = 0;
  for (std::size_t begin = 0; begin < end;) {
    const std::size_t stop = text.find('\n', begin);
    const std::string place = fmt::format("{}:{}", manifest_path, line + 1);
    const Value value = parse_line(text.substr(begin, stop - begin), line);
    // What the start says is of the whole manifest, such as that it is another.
    if (line == 0) {
      with_frame(manifest_path, [&] { load_start(value); });
    } else {
      with_frame(place, [&] { load_recording(value); });
    }
    ++line;
    begin = stop + 1;
  }
  if (line == 0)
    fail(ErrorKind::bad_data, manifest_path + ": is no manifest of `motet audio features`; name another file");
  line_file.cut_to(end);
  std::uint64_t last = 0;
  for (const auto& [path, known] : known_ones) last = std::max(last, known.finished.end);
  row_file.cut_to(last);
}

Manifest::Manifest(const std::string& path, RowFile kind, const Value& options)
    : inside_(std::make_unique<Inside>(path, kind, options)) {
  inside_->load();
}

Manifest::~Manifest() = default;
Manifest::Manifest(Manifest&&) noexcept = default;

const RowShape* Manifest::shape() const { return inside_->row_shape ? &*inside_->row_shape : nullptr; }

const FinishedRecording* Manifest::find(const NamedRecording& recording) const {
  const auto found = inside_->known_ones.find(recording.path);
  if (found == inside_->known_ones.end() || found->second.mark != mark_of(recording)) return nullptr;
  return &found->second.finished;
}

void Manifest::set_shape(const RowShape& shape) {
  Inside& in = *inside_;
  in.row_shape = shape;
  const Value start = Value::object({{"kind", manifest_kind},
                                     {"version", 1},
                                     {"format", static_cast<std::int64_t>(in.row_kind)},
                                     {"rows", shape_value(shape)}});
  in.waiting += to_json(start, 0) + "\n";
}

void Manifest::write(std::string_view rows) { inside_->row_file.write(rows); }
std::uint64_t Manifest::size() const { return inside_->row_file.size(); }
void Manifest::cut_to(std::uint64_t size) { inside_->row_file.cut_to(size); }

void Manifest::add(const NamedRecording& recording, FinishedRecording finished) {
  Inside& in = *inside_;
  const Heard& heard = finished.heard;
  const std::string mark = mark_of(recording);
  const Value line = Value::object({{"path", recording.path},
                                    {"mark", mark},
                                    {"begin", finished.begin},
                                    {"end", finished.end},
                                    {"rows", heard.rows},
                                    {"seconds", heard.seconds},
                                    {"sample_rate", heard.sample_rate},
                                    {"channels", heard.channels},
                                    {"warnings", Value::list_of(heard.warnings)}});
  in.waiting += to_json(line, 0) + "\n";
  in.known_ones[recording.path] = {mark, std::move(finished)};
  if (std::chrono::steady_clock::now() - in.synced_at > std::chrono::seconds(1)) in.sync();
}

void Manifest::finish() { inside_->sync(); }

void Manifest::read(const FinishedRecording& recording, const std::function<void(std::string_view)>& take) const {
  std::vector<char> buffer(std::size_t{1} << 18);
  for (std::uint64_t at = recording.begin; at < recording.end;) {
    const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), recording.end - at));
    const std::size_t got = inside_->row_file.read(at, std::span(buffer).first(most));
    if (got == 0) fail(ErrorKind::machine_limit, inside_->manifest_path + ".rows: became shorter while it was read");
    take({buffer.data(), got});
    at += got;
  }
}

}  // namespace motet::audio
