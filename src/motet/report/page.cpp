#include "motet/report/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "motet/report/assets.h"
#include "motet/report/html.h"
#include "motet/report/page_parts.h"

namespace motet {
namespace {

// Scripts and styles are those in the page; nothing may be fetched, sent or evaluated.
constexpr std::string_view policy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
    "base-uri 'none'; form-action 'none'";

std::string facts_html(const Page& page) {
  if (page.facts.empty()) return "";
  std::string out = "<dl class=\"facts\">\n";
  for (const auto& [what, value] : page.facts) {
    out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", html_text(what), html_text(value));
  }
  return out + "</dl>\n";
}

std::string contents_html(const Page& page) {
  if (page.sections.size() < 2) return "";
  std::string out = "<nav class=\"contents\" aria-label=\"Contents\">\n<ol>\n";
  for (std::size_t s = 0; s < page.sections.size(); ++s) {
    out += fmt::format("<li><a href=\"#section-{}\">{}</a></li>\n", s + 1, html_text(page.sections[s].title));
  }
  return out + "</ol>\n</nav>\n";
}

std::string notes_html(const std::vector<std::string>& notes) {
  if (notes.empty()) return "";
  std::string out = "<div class=\"notes\" role=\"note\" aria-label=\"Please note\">\n<ul>\n";
  for (const std::string& note : notes) out += fmt::format("<li>{}</li>\n", html_text(note));
  return out + "</ul>\n</div>\n";
}

std::string plot_html(const Plot& plot) {
  const std::string title = html_text(plot.title);
  const std::string caption = html_text(plot.caption);
  const std::string label = plot.caption.empty() ? title : title + ": " + caption;
  std::string out = fmt::format(
      "<figure class=\"plot\">\n<h3>{}</h3>\n"
      "<div class=\"plot-box\" role=\"img\" aria-label=\"{}\"><div class=\"plot-area\"></div></div>\n"
      "<script type=\"application/json\">{}</script>\n",
      title, label, html_json(plot.spec));
  if (!plot.caption.empty()) out += fmt::format("<figcaption>{}</figcaption>\n", caption);
  out += "<details open>\n<summary>Numbers</summary>\n" + html_table(plot.table, plot.title) + "</details>\n";
  return out + "</figure>\n";
}

std::string named_table_html(const NamedTable& named) {
  return fmt::format("<div class=\"table\">\n<h3>{}</h3>\n{}</div>\n", html_text(named.title),
                     html_table(named.table, named.title));
}

std::string section_html(const Section& section, std::size_t number) {
  std::string out =
      fmt::format("<section id=\"section-{0}\" aria-labelledby=\"title-{0}\">\n<h2 id=\"title-{0}\">{1}</h2>\n", number,
                  html_text(section.title));
  out += html_paragraphs(section.lead);
  out += notes_html(section.notes);
  if (section.small_plots) out += "<div class=\"small-plots\">\n";
  for (const Plot& plot : section.plots) out += plot_html(plot);
  if (section.small_plots) out += "</div>\n";
  for (const MatrixPicture& picture : section.pictures) out += picture_html(picture);
  for (const PageImage& image : section.images) out += image_html(image);
  out += cards_html(section.cards);
  for (const NamedTable& table : section.tables) out += named_table_html(table);
  return out + "</section>\n";
}

// A runtime without the pointer to its source map, which a browser would look for.
std::string script_html(std::string_view name) {
  const std::string_view text = embedded_file(name);
  return fmt::format("<script>{}</script>\n", text.substr(0, text.rfind("//# sourceMappingURL=")));
}

template <class Item>
bool has_any(const Page& page, std::vector<Item> Section::*items) {
  return std::any_of(page.sections.begin(), page.sections.end(),
                     [&](const Section& section) { return !(section.*items).empty(); });
}

}  // namespace

std::string to_html_body(const Page& page) {
  std::string out = fmt::format("<header>\n<h1>{}</h1>\n", html_text(page.title));
  if (!page.subtitle.empty()) out += fmt::format("<p class=\"subtitle\">{}</p>\n", html_text(page.subtitle));
  out += "</header>\n" + contents_html(page) + "<main>\n" + facts_html(page);
  if (has_any(page, &Section::plots)) {
    out += "<noscript><p class=\"more\">The plots need JavaScript; their numbers are in the tables.</p></noscript>\n";
  }
  for (std::size_t s = 0; s < page.sections.size(); ++s) out += section_html(page.sections[s], s + 1);
  return out + "</main>\n<footer><p>Written by Motet. This page is one file and can be read offline.</p></footer>\n";
}

std::string to_html(const Page& page) {
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n"
      "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n",
      policy, html_text(page.title), embedded_file("page.css"));
  out += to_html_body(page);
  if (has_any(page, &Section::plots)) {
    out += fmt::format("<!--\n{}-->\n", embedded_file("vega_notice.txt"));
    for (const char* name : {"vega.min.js", "vega-lite.min.js", "vega-embed.min.js"}) out += script_html(name);
  }
  if (has_any(page, &Section::pictures)) out += fmt::format("<script>\n{}</script>\n", embedded_file("picture.js"));
  return out + fmt::format("<script>\n{}</script>\n</body>\n</html>\n", embedded_file("page.js"));
}

}  // namespace motet
