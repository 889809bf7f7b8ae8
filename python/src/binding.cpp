#include "binding.h"

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "motet/version.h"

namespace motet::python {
namespace {

constexpr std::chrono::milliseconds glance{50};  // between two looks at signals and progress

// What the working thread tells and the calling one asks for.
class Desk {
 public:
  void tell(const Progress& progress) {
    const std::lock_guard lock(mutex_);
    stage_ = progress.stage;
    unit_ = progress.unit;
    done_ = progress.done;
    total_ = progress.total;
    has_news_ = true;
  }

  void finish() {
    {
      const std::lock_guard lock(mutex_);
      is_finished_ = true;
    }
    changed_.notify_one();
  }

  bool wait() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, glance, [&] { return is_finished_; });
  }

  void wait_to_the_end() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return is_finished_; });
  }

  // Calls `hear` outside of the lock, which the interpreter's might wait for.
  void hear(const py::object& hear) {
    std::unique_lock lock(mutex_);
    if (!has_news_) return;
    has_news_ = false;
    const std::string stage = stage_;
    const std::string unit = unit_;
    const double done = done_;
    const double total = total_;
    lock.unlock();
    hear(stage, done, total, unit);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_finished_ = false;
  bool has_news_ = false;
  std::string stage_;
  std::string unit_;
  double done_ = 0.0;
  double total_ = 0.0;
};

// Returns what Python threw meanwhile.
std::exception_ptr watch(Desk& desk, const py::object& progress, CancelFlag& cancel) {
  for (;;) {
    bool is_finished = false;
    {
      const py::gil_scoped_release without_lock;
      is_finished = desk.wait();
    }
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (!progress.is_none()) desk.hear(progress);
    } catch (...) {
      const std::exception_ptr thrown = std::current_exception();
      cancel.set(SIGINT);
      const py::gil_scoped_release without_lock;
      desk.wait_to_the_end();
      return thrown;
    }
    if (is_finished) return nullptr;
  }
}

template <class T>
void copy_numbers(const py::array& values, std::vector<double>& numbers) {
  const auto* const first = static_cast<const T*>(values.data());
  numbers.assign(first, first + values.size());
}

}  // namespace

Options options_of(const py::dict& values) {
  Options options;
  for (const auto& [name, value] : values) {
    options.emplace_back(name.cast<std::string>(), std::string_view(value.cast<std::string>()));
  }
  return options;
}

py::list list_of(const OptionList& options) {
  py::list list;
  for (const OptionDescription& one : options) {
    list.append(py::make_tuple(one.name, one.help, one.shape, one.range, one.default_text, one.is_flag));
  }
  return list;
}

Wish wish_of(const py::tuple& run) {
  return {run[0].cast<std::uint64_t>(), run[1].cast<unsigned>(), py::object(run[2])};
}

void released(const Wish& wish, const std::function<void(const Run&)>& work) {
  Desk desk;
  CancelFlag cancel;
  Run run{wish.seed, wish.threads, {}, &cancel};
  if (!wish.progress.is_none()) run.observer = [&desk](const Progress& progress) { desk.tell(progress); };
  std::exception_ptr failure;
  std::thread worker([&] {
    try {
      work(run);
    } catch (...) {
      failure = std::current_exception();
    }
    desk.finish();
  });
  const std::exception_ptr thrown = watch(desk, wish.progress, cancel);
  worker.join();
  if (thrown) std::rethrow_exception(thrown);
  if (failure) std::rethrow_exception(failure);
}

py::array_t<double> array_of(FeatureTable table) {
  const auto rows = static_cast<py::ssize_t>(table.rows());
  const auto columns = static_cast<py::ssize_t>(table.columns.size());
  return array_of(std::move(table.values), {rows, columns});
}

py::array_t<double> array_of_intervals(const std::vector<Interval>& intervals, std::vector<py::ssize_t> shape) {
  std::vector<double> ends;
  ends.reserve(2 * intervals.size());
  for (const Interval& one : intervals) {
    ends.push_back(one.low);
    ends.push_back(one.high);
  }
  shape.push_back(2);
  return array_of(std::move(ends), std::move(shape));
}

py::tuple rows_of(const std::vector<std::vector<std::uint32_t>>& sets) {
  std::vector<std::int64_t> numbers;
  std::vector<std::int64_t> starts = {0};
  for (const std::vector<std::uint32_t>& set : sets) {
    numbers.insert(numbers.end(), set.begin(), set.end());
    starts.push_back(static_cast<std::int64_t>(numbers.size()));
  }
  return py::make_tuple(array_of(std::move(numbers)), array_of(std::move(starts)));
}

std::vector<std::vector<std::uint32_t>> sets_of(const Array<std::int64_t>& numbers, const Array<std::int64_t>& starts) {
  std::vector<std::vector<std::uint32_t>> sets;
  for (py::ssize_t row = 0; row + 1 < starts.size(); ++row) {
    std::vector<std::uint32_t>& set = sets.emplace_back();
    for (std::int64_t i = starts.data()[row]; i < starts.data()[row + 1]; ++i) {
      set.push_back(static_cast<std::uint32_t>(numbers.data()[i]));
    }
  }
  return sets;
}

py::dict dict_of(const FitSummary& summary) {
  py::dict told;
  told["stop"] = std::string(name_of(summary.stop));
  told["converged"] = summary.stop == Stop::converged;
  told["iterations"] = summary.iterations();
  told["objective"] = array_of(std::vector<double>(summary.objective));
  told["warnings"] = summary.warnings;
  return told;
}

FeatureTable table_of(const py::array& values, Names columns) {
  FeatureTable table;
  table.columns = std::move(columns);
  if (values.dtype().is(py::dtype::of<float>())) {
    copy_numbers<float>(values, table.values);
  } else {
    copy_numbers<double>(values, table.values);
  }
  return table;
}

FeatureTable table_of(const py::array& values, Names columns, std::vector<std::size_t> sequences, double hop,
                      double window) {
  FeatureTable table = table_of(values, std::move(columns));
  table.sequences = std::move(sequences);
  table.hop = hop;
  table.window = window;
  return table;
}

}  // namespace motet::python

PYBIND11_MODULE(_core, module) {
  namespace py = pybind11;
  module.attr("version") = std::string(motet::version_text);
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const motet::Error& error) {
      const py::object made = py::module_::import("motet._errors")
                                  .attr("error_of")(static_cast<int>(error.kind()), std::string(error.what()));
      PyErr_SetObject(py::type::of(made).ptr(), made.ptr());
    }
  });
  motet::python::bind_judges(module);
  motet::python::bind_multilabel(module);
  motet::python::bind_superset(module);
  motet::python::bind_roles(module);
  motet::python::bind_temporal(module);
  motet::python::bind_discover(module);
  motet::python::bind_audio(module);
  motet::python::bind_measure(module);
}
