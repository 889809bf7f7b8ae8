#include "motet/roles.h"

#include "binding.h"

namespace motet::python {
namespace {

using roles::Model;

// What users hold as the rows of a sparse matrix.
roles::Access access_of(Names users, Names permissions, const Array<std::int64_t>& numbers,
                        const Array<std::int64_t>& starts) {
  roles::Access access{std::move(users), std::move(permissions), {}};
  access.grants.reserve(static_cast<std::size_t>(numbers.size()));
  for (py::ssize_t user = 0; user + 1 < starts.size(); ++user) {
    for (std::int64_t i = starts.data()[user]; i < starts.data()[user + 1]; ++i) {
      access.grants.push_back({static_cast<std::uint32_t>(user), static_cast<std::uint32_t>(numbers.data()[i])});
    }
  }
  return access;
}

py::tuple told(roles::Assignments found, std::size_t roles) {
  const auto users = static_cast<py::ssize_t>(found.sets.size());
  return py::make_tuple(rows_of(found.sets),
                        array_of(std::move(found.probability), {users, static_cast<py::ssize_t>(roles)}));
}

py::list list_of(const std::vector<roles::Role>& roles) {
  py::list list;
  for (const roles::Role& role : roles) {
    list.append(
        py::make_tuple(role.name, role.permissions, array_of(std::vector<double>(role.probability)), role.members));
  }
  return list;
}

py::dict dict_of(roles::Mined mined) {
  py::list exceptions;
  for (const roles::Exception& one : mined.exceptions) {
    exceptions.append(py::make_tuple(one.user, one.permission, one.is_extra, one.probability));
  }
  py::dict result;
  result["model"] = mined.model;
  result["roles"] = list_of(mined.roles);
  result["assignments"] = told(std::move(mined.assignments), mined.roles.size());
  result["exceptions"] = exceptions;
  result["summary"] = python::dict_of(mined.summary);
  result["log_likelihood"] = mined.log_likelihood;
  result["training_error"] = mined.training_error;
  result["coverage"] = mined.coverage;
  result["noise_fraction"] = py::make_tuple(mined.noise_fraction.low, mined.noise_fraction.high);
  result["warnings"] = mined.warnings;
  return result;
}

}  // namespace

void bind_roles(py::module_& module) {
  using roles::Access;
  py::class_<Access>(module, "Access").def(py::init(&access_of));
  bind_model<Model>(module, "RoleModel", &roles::to_text, &roles::model_from_text)
      .def_property_readonly("roles", &Model::roles)
      .def_property_readonly("permissions", &Model::permissions)
      .def_property_readonly("granted", [](const Model& model) {
        const auto permissions = model.permissions().size();
        std::vector<std::uint8_t> table(model.roles().size() * permissions, 0);
        for (std::size_t k = 0; k < model.roles().size(); ++k) {
          for (const std::uint32_t d : model.granted(k)) table[k * permissions + d] = 1;
        }
        const py::array numbers = array_of(
            std::move(table), {static_cast<py::ssize_t>(model.roles().size()), static_cast<py::ssize_t>(permissions)});
        return numbers.attr("astype")("bool");
      });
  module.def("roles_mine_options", [] { return python::list_of(roles::mine_options()); });
  using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  module.def("roles_choose", [](const Access& access, std::size_t low, std::size_t high, const py::dict& options,
                                const py::tuple& run) {
    const Options chosen = options_of(options);
    return released_result(wish_of(run),
                           [&](const Run& inner) { return roles::choose_count(access, low, high, chosen, inner); });
  });
  // rules: pairs of permissions, (name, permissions) of kept roles, pairs of these.
  module.def("roles_mine", [](const Access& access, std::size_t count, Names names, Names words, const py::tuple& rules,
                              const py::dict& options, const py::tuple& run) {
    roles::Rules wanted{rules[0].cast<Pairs>(), {}, rules[2].cast<Pairs>()};
    for (const auto& [name, permissions] :
         rules[1].cast<std::vector<std::pair<std::string, std::vector<std::uint32_t>>>>()) {
      wanted.keep.push_back({name, permissions});
    }
    const roles::Attributes attributes{std::move(names), std::move(words)};
    const Options chosen = options_of(options);
    return dict_of(released_result(
        wish_of(run), [&](const Run& inner) { return roles::mine(access, count, chosen, inner, attributes, wanted); }));
  });
  module.def("roles_simulate_options", [] { return python::list_of(roles::simulate_options()); });
  module.def("roles_simulate", [](const py::dict& options, const py::tuple& run) {
    const Options chosen = options_of(options);
    const roles::Simulated made =
        released_result(wish_of(run), [&](const Run& inner) { return roles::simulate(chosen, inner); });
    std::vector<std::vector<std::uint32_t>> held(made.access.users.size());
    for (const roles::Grant& one : made.access.grants) held[one.user].push_back(one.permission);
    return py::make_tuple(made.access.users, made.access.permissions, rows_of(held), rows_of(made.roles),
                          rows_of(made.assignments), made.attributes.names, made.attributes.words);
  });
  module.def("roles_assign", [](const Model& model, const Access& access, const py::tuple& run) {
    return told(released_result(wish_of(run), [&](const Run& inner) { return roles::assign(model, access, inner); }),
                model.roles().size());
  });
}

}  // namespace motet::python
