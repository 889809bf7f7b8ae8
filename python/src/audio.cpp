#include "motet/audio.h"

#include "binding.h"

namespace motet::python {
namespace {

py::tuple told(FeatureTable table) {
  const auto rows = static_cast<py::ssize_t>(table.rows());
  const auto columns = static_cast<py::ssize_t>(table.columns.size());
  return py::make_tuple(array_of(std::move(table.values), {rows, columns}), table.columns, table.hop, table.window);
}

}  // namespace

void bind_audio(py::module_& module) {
  module.def("audio_feature_options", [] { return python::list_of(audio::feature_options()); });
  module.def("audio_mfcc_options", [] { return python::list_of(audio::mfcc_options()); });
  // channels: one row per channel.
  module.def(
      "audio_features", [](const Array<float>& channels, double rate, const py::dict& options, const py::tuple& run) {
        std::vector<std::span<const float>> rows;
        const auto samples = static_cast<std::size_t>(channels.shape(1));
        for (py::ssize_t c = 0; c < channels.shape(0); ++c) {
          rows.emplace_back(channels.data() + static_cast<std::size_t>(c) * samples, samples);
        }
        const Options chosen = options_of(options);
        return told(released_result(wish_of(run), [&](const Run&) { return audio::features(rows, rate, chosen); }));
      });
  module.def("audio_mfcc", [](const Array<float>& samples, double rate, const py::dict& options, const py::tuple& run) {
    const std::span<const float> mono(samples.data(), static_cast<std::size_t>(samples.size()));
    const Options chosen = options_of(options);
    return told(released_result(wish_of(run), [&](const Run&) { return audio::mfcc(mono, rate, chosen); }));
  });
}

}  // namespace motet::python
