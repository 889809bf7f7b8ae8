#include "motet/app/audio/feature_run.h"

#include <fmt/format.h>

#include <exception>
#include <memory>
#include <utility>

#include "motet/app/audio/manifest.h"
#include "motet/base/error.h"
#include "motet/base/ordered_pieces.h"
#include "motet/io/file.h"

namespace motet::audio {
namespace {

constexpr std::size_t most_waiting_bytes = std::size_t{16} << 20;

// Where rows go, recording by recording in their order: into the output, or with a manifest beside it first.
class RowSink {
 public:
  RowSink(const FeatureRunOptions& options, RowFile kind, const Value& of_options)
      : options_(options), kind_(kind), of_options_(of_options) {
    if (options.manifest.empty()) {
      out_ = std::make_unique<AtomicFile>(options.out);
    } else {
      manifest_.emplace(options.manifest, kind, of_options);
      if (manifest_->shape() != nullptr) shape_ = *manifest_->shape();
    }
  }

  const RowShape* shape() const { return shape_ ? &*shape_ : nullptr; }
  const FinishedRecording* find(const NamedRecording& recording) const {
    return manifest_ ? manifest_->find(recording) : nullptr;
  }
  RowShape shape_of(const Heard& heard) const { return {heard.columns, heard.units, heard.clock, of_options_}; }

  // Before the first rows of a recording. Throws Error{bad_data} when they do not fit to those before.
  void begin(const NamedRecording& recording, const Heard& heard) {
    RowShape shape = shape_of(heard);
    if (shape_ && !(*shape_ == shape)) {
      fail(ErrorKind::bad_data,
           fmt::format(
               "{}: its rows have other columns or other times than those before, as its sample rate is another; "
               "bring all to one with --rate",
               recording.path));
    }
    if (!shape_) {
      if (manifest_) manifest_->set_shape(shape);
      if (out_) out_->write(row_header(kind_, shape, 0));
      shape_ = std::move(shape);
    }
    begin_ = size();
  }

  void write(std::string_view rows) { manifest_ ? manifest_->write(rows) : out_->write(rows); }

  // Takes back what was written of the recording that was begun last; false where it is gone into a stream.
  bool take_back() {
    if (!manifest_) return out_->cut_to(begin_);
    manifest_->cut_to(begin_);
    return true;
  }

  void end(const NamedRecording& recording, const Heard& heard) {
    if (manifest_) manifest_->add(recording, {begin_, manifest_->size(), heard});
  }

  void keep_finished() {
    if (manifest_) manifest_->finish();
  }

  void finish(const FeatureRunResult& result) {
    if (manifest_) return finish_from_manifest(result);
    if (kind_ == RowFile::npy && !out_->rewrite_start(row_header(kind_, *shape_, result.rows))) {
      fail(ErrorKind::machine_limit, options_.out + ": an .npy begins with its length, which a stream cannot tell");
    }
    out_->commit();
  }

 private:
  std::uint64_t size() const { return manifest_ ? manifest_->size() : out_->size(); }

  void finish_from_manifest(const FeatureRunResult& result) {
    manifest_->finish();
    AtomicFile out(options_.out);
    out.write(row_header(kind_, *shape_, result.rows));
    for (const FeatureRunEntry& entry : result.entries) {
      if (!entry.failure.empty()) continue;
      const FinishedRecording* const finished = manifest_->find(entry.recording);
      if (finished == nullptr) {
        fail(ErrorKind::bad_data, entry.recording.path + ": was changed while it was heard; run the command again");
      }
      manifest_->read(*finished, [&](std::string_view bytes) { out.write(bytes); });
    }
    out.commit();
  }

  const FeatureRunOptions& options_;
  RowFile kind_;
  const Value& of_options_;
  std::unique_ptr<AtomicFile> out_;
  std::optional<Manifest> manifest_;
  std::optional<RowShape> shape_;
  std::uint64_t begin_ = 0;
};

class FeatureRun {
 public:
  FeatureRun(const std::vector<NamedRecording>& recordings, const FeatureRunOptions& options, const RunContext& run)
      : options_(options),
        run_(run),
        kind_(row_file_of(options.out)),
        of_options_(options_value(options.recordings)),
        sink_(options, kind_, of_options_),
        failures_(recordings.size()),
        pieces_(most_waiting_bytes) {
    for (const NamedRecording& recording : recordings) result_.entries.push_back({recording, {}, {}, {}});
  }

  FeatureRunResult hear_all() {
    for (FeatureRunEntry& entry : result_.entries) {
      if (const FinishedRecording* const finished = sink_.find(entry.recording)) {
        entry.heard = finished->heard;
        is_finished_.push_back(true);
      } else {
        is_finished_.push_back(false);
      }
    }
    try {
      for_each_task(result_.entries.size(), run_.threads.here(), [&](std::size_t task) { hear_safely(task); });
    } catch (...) {
      sink_.keep_finished();
      throw;
    }
    require_one();
    for (const FeatureRunEntry& entry : result_.entries) result_.rows += entry.failure.empty() ? entry.heard.rows : 0;
    result_.shape = *sink_.shape();
    sink_.finish(result_);
    return std::move(result_);
  }

 private:
  void hear_safely(std::size_t task) {
    try {
      if (!is_finished_[task]) hear(task);
      pieces_.put(task, 0, [this] { tell_done(); });
      pieces_.finish(task);
    } catch (...) {
      pieces_.abandon();
      throw;
    }
  }

  RunContext run_of_task() const {
    RunContext run = run_;
    if (result_.entries.size() > 1) run.observer = {};  // how many are done is told instead
    return run;
  }

  void hear(std::size_t task) {
    FeatureRunEntry& entry = result_.entries[task];
    std::size_t rows_before = 0;
    const auto take = [&](const Heard& heard, std::span<const double> rows) {
      if (task < options_.pictures) {
        if (!entry.picture) entry.picture.emplace(heard.columns.size());
        entry.picture->add(rows);
      }
      std::string bytes = row_text(kind_, sink_.shape_of(heard), entry.recording.name, rows_before, rows);
      const bool is_first = rows_before == 0;
      rows_before += rows.size() / heard.columns.size();
      const std::size_t size = bytes.size();
      pieces_.put(task, size, [this, task, is_first, heard = is_first ? heard : Heard{}, bytes = std::move(bytes)] {
        write(task, is_first ? &heard : nullptr, bytes);
      });
    };
    try {
      Heard heard = hear_recording(entry.recording.path, options_.recordings, run_of_task(), take);
      pieces_.put(task, 0, [this, task, heard = std::move(heard)] { end(task, heard); });
    } catch (const Error& error) {
      const bool is_of_the_recording = error.kind() == ErrorKind::bad_data || error.kind() == ErrorKind::usage;
      if (options_.is_strict || !is_of_the_recording) throw;
      pieces_.put(task, 0, [this, task, failure = std::current_exception(), text = std::string(error.what())] {
        leave_out(task, failure, text);
      });
    }
  }

  // From here on in the order of the recordings, one at a time.
  void write(std::size_t task, const Heard* first, const std::string& bytes) {
    if (failures_[task]) return;
    if (first != nullptr) {
      try {
        sink_.begin(result_.entries[task].recording, *first);
      } catch (const Error& error) {
        if (options_.is_strict) throw;
        failures_[task] = std::current_exception();
        result_.entries[task].failure = error.what();
        return;
      }
      is_begun_ = true;
    }
    sink_.write(bytes);
  }

  void end(std::size_t task, const Heard& heard) {
    is_begun_ = false;
    if (failures_[task]) return;
    result_.entries[task].heard = heard;
    sink_.end(result_.entries[task].recording, heard);
  }

  void leave_out(std::size_t task, const std::exception_ptr& failure, const std::string& text) {
    if (std::exchange(is_begun_, false) && !sink_.take_back()) std::rethrow_exception(failure);
    if (failures_[task]) return;
    failures_[task] = failure;
    result_.entries[task].failure = text;
    result_.entries[task].picture.reset();
  }

  void tell_done() {
    ++done_;
    if (!run_.observer || result_.entries.size() < 2) return;
    run_.observer(
        {"hearing recordings", static_cast<double>(done_), static_cast<double>(result_.entries.size()), "recordings"});
  }

  // What all recordings fail at is wrong with the options, or there is nothing else to tell.
  void require_one() const {
    for (const std::exception_ptr& failure : failures_) {
      if (!failure) return;
    }
    std::rethrow_exception(failures_.front());
  }

  const FeatureRunOptions& options_;
  const RunContext& run_;
  RowFile kind_;
  Value of_options_;
  RowSink sink_;
  FeatureRunResult result_;
  std::vector<bool> is_finished_;
  std::vector<std::exception_ptr> failures_;
  OrderedPieces pieces_;
  bool is_begun_ = false;  // rows of the recording whose turn it is have been written
  std::size_t done_ = 0;
};

}  // namespace

Value options_value(RecordingOptions options) {
  Value settings = Value::Object{};
  for (const Field& field : fields_of(options)) settings.set(field.name, field.default_text);
  return settings;
}

FeatureRunResult run_features(const std::vector<NamedRecording>& recordings, const FeatureRunOptions& options,
                              const RunContext& run) {
  try {
    return FeatureRun(recordings, options, run).hear_all();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::interrupted || options.manifest.empty()) throw;
    fail(ErrorKind::interrupted, fmt::format("{}; the same command goes on from {}", error.what(), options.manifest));
  }
}

}  // namespace motet::audio
