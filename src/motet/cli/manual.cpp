#include "motet/cli/manual.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/app/registry.h"
#include "motet/version.h"

namespace motet {
namespace {

// As roff reads it: a hyphen is a minus, and no line starts with a control character.
std::string roff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool at_start = result.empty() || result.back() == '\n';
    if (at_start && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result;
}

std::string title(std::string_view name) {
  std::string upper(name);
  std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return std::toupper(c); });
  return fmt::format(".TH {} 1 \"\" \"motet {}\" \"User Commands\"\n", roff(upper), version_text);
}

std::string words_of(const Verb& verb) {
  return verb.task.empty() ? std::string(verb.name) : fmt::format("{} {}", verb.task, verb.name);
}

// The verb's own options, then those of every verb.
std::vector<Field> fields_of_verb(const Verb& verb) {
  std::vector<Field> fields = verb.start().fields;
  CommonOptions common;
  for (Field& field : fields_of(common)) {
    if (verb.has_page || field.name != "report") fields.push_back(std::move(field));
  }
  return fields;
}

std::string synopsis(const Verb& verb) {
  std::string text = fmt::format(".B motet {}\n", roff(words_of(verb)));
  for (const Argument& argument : verb.arguments) {
    text += fmt::format(".RI {}\\fI{}\\fP{}{}\n", argument.at_least == 0 ? "[" : "", roff(argument.name),
                        argument.at_most > 1 ? "..." : "", argument.at_least == 0 ? "]" : "");
  }
  return text + ".RI [ options ]\n";
}

std::string verb_section(const Verb& verb) {
  std::string text = fmt::format(".SS {}\n{}\n", roff(words_of(verb)), roff(verb.purpose));
  for (const Argument& argument : verb.arguments) {
    text += fmt::format(".TP\n.I {}\n{}\n", roff(argument.name), roff(argument.help));
  }
  for (const Field& field : fields_of_verb(verb)) {
    text += fmt::format(".TP\n\\fB{}\\fP", roff(flag_of(field)));
    if (!field.is_flag) text += fmt::format(" \\fI{}\\fP", roff(field.shape));
    text += fmt::format("\n{}\n", roff(help_of(field, verb.required)));
  }
  return text;
}

std::vector<std::string_view> tasks_of(std::span<const Verb> verbs) {
  std::vector<std::string_view> tasks;
  for (const Verb& verb : verbs) {
    if (!verb.task.empty() && std::find(tasks.begin(), tasks.end(), verb.task) == tasks.end()) {
      tasks.push_back(verb.task);
    }
  }
  return tasks;
}

std::string pages_list(const std::vector<std::string_view>& tasks) {
  std::string text = ".SH SEE ALSO\n";
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    text += fmt::format(".BR motet\\-{} (1){}\n", tasks[i], i + 1 < tasks.size() ? "," : "");
  }
  return text;
}

std::string program_page(std::span<const Verb> verbs) {
  const std::vector<std::string_view> tasks = tasks_of(verbs);
  std::string text = title("motet");
  text += ".SH NAME\nmotet \\- learn from labels that are not one certain label per item\n.SH SYNOPSIS\n";
  text += ".B motet\n.I task verb\n.RI [ arguments ]\n.RI [ options ]\n";
  text += ".SH TASKS\n";
  for (const std::string_view task : tasks) {
    text += fmt::format(".TP\n.B {}\n{}; see\n.BR motet\\-{} (1)\n", task, roff(purpose_of_task(task)), task);
  }
  text += ".SH OTHER COMMANDS\n";
  for (const Verb& verb : verbs) {
    if (verb.task.empty()) text += verb_section(verb);
  }
  text +=
      ".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\na defect of motet\n.TP\n2\nwrong usage\n.TP\n3\nbad input: data, or a "
      "model "
      "file\n.TP\n4\nthese data cannot answer the question\n.TP\n5\na limit of the machine: memory, disk, permissions\n"
      ".TP\n130, 143\nstopped by SIGINT, by SIGTERM\n";
  return text + pages_list(tasks);
}

std::string task_page(std::string_view task, std::span<const Verb> verbs) {
  std::string text = title(fmt::format("motet-{}", task));
  text += fmt::format(".SH NAME\nmotet\\-{} \\- {}\n.SH SYNOPSIS\n", task, roff(purpose_of_task(task)));
  std::string sections = ".SH VERBS\n";
  bool is_first = true;
  for (const Verb& verb : verbs) {
    if (verb.task != task) continue;
    text += (is_first ? "" : ".br\n") + synopsis(verb);
    sections += verb_section(verb);
    is_first = false;
  }
  return text + sections + ".SH SEE ALSO\n.BR motet (1)\n";
}

// --- completion ---------------------------------------------------------------------

// The words of a choice, such as "a b c" of "a|b|c"; empty for other shapes. Where a shape names what stands for a
// value, as in "auto|literal|NATS", only what can be typed counts.
std::string choices_of(const Field& field) {
  if (field.shape.find('|') == std::string::npos || field.shape.find(':') != std::string::npos) return "";
  std::string words;
  std::string_view rest = field.shape;
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find('|'));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    if (std::any_of(word.begin(), word.end(), [](char c) { return (c >= 'A' && c <= 'Z') || c == '.'; })) continue;
    words += (words.empty() ? "" : " ") + std::string(word);
  }
  return words;
}

std::string verbs_of(std::string_view task, std::span<const Verb> verbs) {
  std::string words;
  for (const Verb& verb : verbs) {
    if (verb.task == task) words += (words.empty() ? "" : " ") + std::string(verb.name);
  }
  return words;
}

std::string bash_completion(std::span<const Verb> verbs) {
  std::string first;
  std::string seconds;
  for (const std::string_view task : tasks_of(verbs)) {
    first += fmt::format("{} ", task);
    seconds += fmt::format("    {}) verbs='{}' ;;\n", task, verbs_of(task, verbs));
  }
  std::string options;
  std::string values;
  for (const Verb& verb : verbs) {
    std::string flags = "--help";
    for (const Field& field : fields_of_verb(verb)) {
      flags += " " + flag_of(field);
      const std::string choices = choices_of(field);
      if (!choices.empty())
        values += fmt::format("    '{} {}') words='{}' ;;\n", words_of(verb), flag_of(field), choices);
    }
    options += fmt::format("    '{}') options='{}' ;;\n", words_of(verb), flags);
  }
  return fmt::format(R"(# bash completion for motet

_motet() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}
  local command=${{COMP_WORDS[1]}} verbs='' options='--help' words=''
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '{}{} help --help --version' -- "$word"))
    return
  fi
  case $command in
{}  esac
  if [[ -n $verbs ]]; then
    if ((COMP_CWORD == 2)); then
      COMPREPLY=($(compgen -W "$verbs --help" -- "$word"))
      return
    fi
    command+=" ${{COMP_WORDS[2]}}"
  fi
  case $command in
{}  esac
  case "$command $before" in
{}  esac
  if [[ -n $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  elif [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  else
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}}
complete -F _motet motet
)",
                     first, verbs_of("", verbs), seconds, options, values);
}

// Inside single quotes, and inside the brackets and colons of zsh's specifications.
std::string quoted(std::string_view text, std::string_view special = "") {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
      continue;
    }
    if (special.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_arguments(const Verb& verb) {
  std::string text = "_arguments";
  for (const Field& field : fields_of_verb(verb)) {
    text += fmt::format(" \\\n        '{}[{}]", flag_of(field), quoted(help_of(field), "[]:\\"));
    if (!field.is_flag) {
      const std::string choices = choices_of(field);
      text += fmt::format(":{}:{}", quoted(field.shape, "[]:\\"), choices.empty() ? "_files" : "(" + choices + ")");
    }
    text += "'";
  }
  return text + " \\\n        '*:file:_files'";
}

std::string zsh_completion(std::span<const Verb> verbs) {
  std::string first;
  std::string cases;
  for (const std::string_view task : tasks_of(verbs)) {
    first += fmt::format(" \\\n      '{}:{}'", task, quoted(purpose_of_task(task), ":\\"));
    std::string seconds;
    std::string inner;
    for (const Verb& verb : verbs) {
      if (verb.task != task) continue;
      seconds += fmt::format(" \\\n        '{}:{}'", verb.name, quoted(verb.purpose, ":\\"));
      inner += fmt::format("      '{}')\n        {} ;;\n", words_of(verb), zsh_arguments(verb));
    }
    cases += fmt::format(
        "    {})\n      if ((CURRENT == 3)); then\n        local -a verbs=({})\n        _describe verb verbs\n        "
        "return\n      fi\n      local command=\"$words[2] $words[3]\"\n      shift 2 words\n      ((CURRENT -= 2))\n  "
        "    "
        "case $command in\n{}      esac ;;\n",
        task, seconds, inner);
  }
  for (const Verb& verb : verbs) {
    if (!verb.task.empty()) continue;
    first += fmt::format(" \\\n      '{}:{}'", verb.name, quoted(verb.purpose, ":\\"));
    cases += fmt::format("    {})\n      shift words\n      ((CURRENT -= 1))\n      {} ;;\n", verb.name,
                         zsh_arguments(verb));
  }
  return fmt::format(
      "#compdef motet\n\n_motet() {{\n  if ((CURRENT == 2)); then\n    local -a tasks=({})\n    _describe task tasks\n "
      "   "
      "return\n  fi\n  case $words[2] in\n{}  esac\n}}\n\n_motet \"$@\"\n",
      first, cases);
}

std::string fish_completion(std::span<const Verb> verbs) {
  std::string text = "# fish completion for motet\n";
  const auto add = [&](std::string_view condition, std::string_view name, std::string_view help) {
    text += fmt::format("complete -c motet -n '{}' -f -a {} -d '{}'\n", condition, name, quoted(help, "\\"));
  };
  for (const std::string_view task : tasks_of(verbs)) add("__fish_use_subcommand", task, purpose_of_task(task));
  for (const Verb& verb : verbs) {
    std::string seen = fmt::format("__fish_seen_subcommand_from {}", verb.name);
    if (verb.task.empty()) {
      add("__fish_use_subcommand", verb.name, verb.purpose);
    } else {
      add(fmt::format("__fish_seen_subcommand_from {}; and not __fish_seen_subcommand_from {}", verb.task,
                      verbs_of(verb.task, verbs)),
          verb.name, verb.purpose);
      seen = fmt::format("__fish_seen_subcommand_from {}; and {}", verb.task, seen);
    }
    for (const Field& field : fields_of_verb(verb)) {
      const std::string choices = choices_of(field);
      text += fmt::format("complete -c motet -n '{}' -l {}{}{} -d '{}'\n", seen, flag_of(field).substr(2),
                          field.is_flag ? "" : " -r", choices.empty() ? "" : fmt::format(" -f -a '{}'", choices),
                          quoted(help_of(field), "\\"));
    }
  }
  return text;
}

}  // namespace

std::vector<ManualFile> manual_pages(std::span<const Verb> verbs) {
  std::vector<ManualFile> pages = {{"motet.1", program_page(verbs)}};
  for (const std::string_view task : tasks_of(verbs)) {
    pages.push_back({fmt::format("motet-{}.1", task), task_page(task, verbs)});
  }
  return pages;
}

std::vector<ManualFile> completions(std::span<const Verb> verbs) {
  return {{"motet", bash_completion(verbs)}, {"_motet", zsh_completion(verbs)}, {"motet.fish", fish_completion(verbs)}};
}

}  // namespace motet
