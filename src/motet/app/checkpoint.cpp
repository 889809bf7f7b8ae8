#include "motet/app/checkpoint.h"

#include <fmt/format.h>

#include <filesystem>

#include "motet/data/record.h"
#include "motet/io/record_file.h"

namespace motet {
namespace {

constexpr std::string_view kind = "checkpoint";
constexpr int newest_version = 1;
constexpr double first_pause = 0.5;  // of the pause between two: who waits a minute finds one

}  // namespace

CheckpointFile::CheckpointFile(const CheckpointOptions& options, const std::function<void(Fingerprint&)>& add_shaping)
    : options_(options), last_save_(std::chrono::steady_clock::now()) {
  if (options_.resume && options_.checkpoint.empty()) fail(ErrorKind::usage, "--resume: needs --checkpoint FILE");
  if (options_.checkpoint == "-") {
    fail(ErrorKind::usage, "-: a checkpoint cannot go to standard output; name a file (./- for one called '-')");
  }
  if (options_.checkpoint.empty()) return;
  Fingerprint shaping;
  add_shaping(shaping);
  fingerprint_ = shaping.text();
  std::error_code none;
  if (!options_.resume || !std::filesystem::exists(options_.checkpoint, none)) return;
  const Record record = read_record(options_.checkpoint);
  with_frame(options_.checkpoint, [&] {
    require_kind(record, kind, newest_version);
    if (record.fields.at("fingerprint").as_text() != fingerprint_) {
      fail(ErrorKind::bad_data, "the checkpoint belongs to other data or options; start without --resume");
    }
    Checkpoint state;
    state.stage = record.fields.at("stage").as_text();
    state.iteration = static_cast<std::size_t>(record.fields.at("iteration").as_whole());
    state.parameters = numbers_at(record.fields, "parameters");
    state.objective = numbers_at(record.fields, "objective");
    kept_ = std::move(state);
    saved_ = true;
  });
}

void CheckpointFile::attach(RunContext& run) {
  if (options_.checkpoint.empty()) return;
  run.save = [this](const Checkpoint& state) { save(state); };
  run.resume = [this](std::string_view stage) { return kept_ && kept_->stage == stage ? &*kept_ : nullptr; };
}

void CheckpointFile::save(const Checkpoint& state) {
  if (state.parameters.empty()) return;  // interrupted before its first step: what is in the file is better
  const auto now = std::chrono::steady_clock::now();
  const double pause = options_.checkpoint_every * (saved_ ? 1.0 : first_pause);
  if (!state.urgent && now - last_save_ < std::chrono::duration<double>(pause)) return;
  last_save_ = now;
  saved_ = true;
  write_record(options_.checkpoint, {std::string(kind), newest_version,
                                     Value::object({{"fingerprint", fingerprint_},
                                                    {"stage", state.stage},
                                                    {"iteration", state.iteration},
                                                    {"parameters", Value::list_of(state.parameters)},
                                                    {"objective", Value::list_of(state.objective)}})});
}

void CheckpointFile::remove() {
  if (options_.checkpoint.empty()) return;
  std::error_code ignored;
  const bool is_ordinary = std::filesystem::is_regular_file(options_.checkpoint, ignored);  // and no /dev/null
  if (is_ordinary) std::filesystem::remove(options_.checkpoint, ignored);
}

std::string CheckpointFile::how_to_go_on() const {
  if (options_.checkpoint.empty()) return "nothing was kept; --checkpoint FILE would have kept the state of the fit";
  return saved_ ? fmt::format("the checkpoint is in {}; the same command with --resume goes on from it",
                              options_.checkpoint)
                : "nothing was saved yet";
}

std::shared_ptr<CheckpointFile> keep_checkpoints(const CheckpointOptions& options, RunContext& run,
                                                 const std::function<void(Fingerprint&)>& add_shaping) {
  auto file = std::make_shared<CheckpointFile>(options, [&](Fingerprint& all) {
    all.add(static_cast<std::uint64_t>(run.seed));
    add_shaping(all);
  });
  file->attach(run);
  return file;
}

}  // namespace motet
