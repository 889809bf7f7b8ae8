#include "motet/discover.h"

#include "binding.h"

namespace motet::python {
namespace {

using discover::Session;

py::dict dict_of(const discover::Certificate& found) {
  py::dict told;
  told["exclusion"] = found.exclusion;
  told["most_requests"] = found.most_requests;
  told["answered"] = found.answered;
  told["covered"] = found.covered;
  told["complete"] = found.complete;
  return told;
}

// `kind`: class, nothing or not_sure.
void answer(Session& session, std::size_t row, const std::string& kind, const std::string& label, const Run& run) {
  if (kind == "class") {
    session.answer(row, label, run);
  } else if (kind == "nothing") {
    session.answer_nothing(row, run);
  } else {
    session.answer_not_sure(row, run);
  }
}

}  // namespace

void bind_discover(py::module_& module) {
  module.def("discover_start_options", [] { return python::list_of(discover::start_options()); });
  module.def("discover_generate_options", [] { return python::list_of(discover::generate_options()); });
  module.def("discover_generate", [](const py::dict& options, const py::tuple& run) {
    const Options chosen = options_of(options);
    discover::Generated made =
        released_result(wish_of(run), [&](const Run& inner) { return discover::generate(chosen, inner); });
    const Names columns = made.features.columns;
    return py::make_tuple(array_of(std::move(made.features)), columns, made.classes, array_of(std::move(made.of_row)));
  });
  py::class_<Session>(module, "Session")
      .def(py::init<const Session&>())
      .def_static("start",
                  [](const py::array& values, Names columns, std::vector<std::size_t> sequences, double hop,
                     double window, const py::dict& options, const py::tuple& run) {
                    const FeatureTable table = table_of(values, std::move(columns), std::move(sequences), hop, window);
                    const Options chosen = options_of(options);
                    return released_result(wish_of(run),
                                           [&](const Run& inner) { return Session::start(table, chosen, inner); });
                  })
      .def_static("of_bytes",
                  [](const std::string& bytes, const py::array& values, Names columns,
                     std::vector<std::size_t> sequences, double hop, double window) {
                    return Session::from_bytes(bytes,
                                               table_of(values, std::move(columns), std::move(sequences), hop, window));
                  })
      .def("bytes", [](const Session& session) { return py::bytes(session.to_bytes()); })
      .def("next",
           [](const Session& session) {
             py::list list;
             for (const discover::Question& one : session.next()) list.append(py::make_tuple(one.row, one.component));
             return list;
           })
      .def("answer",
           [](Session& session, std::size_t row, const std::string& kind, const std::string& label,
              const py::tuple& run) {
             // An interrupted answer leaves the session as it was.
             session = released_result(wish_of(run), [&](const Run& inner) {
               Session next = session;
               answer(next, row, kind, label, inner);
               return next;
             });
           })
      .def("certificate", [](const Session& session) { return dict_of(session.certificate()); })
      .def("segments", [](const Session& session, double merge_gap, double minimum_length, const py::tuple& run) {
        py::list list;
        const auto found = released_result(
            wish_of(run), [&](const Run& inner) { return session.segments(merge_gap, minimum_length, inner); });
        for (const discover::Segment& one : found) {
          list.append(py::make_tuple(one.sequence, one.begin, one.end, one.label, one.probability));
        }
        return list;
      });
}

}  // namespace motet::python
