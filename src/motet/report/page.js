// What a report page does once it is open: draws the plots in the colours of the
// page, adds the tools of the tables, and prepares itself for print.
"use strict";

const filterFrom = 31; // rows from which on a table has a filter box

function cssValue(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// "var(--ink)" becomes the colour it stands for; data are left alone.
function withColours(spec) {
  if (typeof spec === "string") {
    const match = /^var\((--[a-z0-9-]+)\)$/.exec(spec);
    return match ? cssValue(match[1]) : spec;
  }
  if (Array.isArray(spec)) return spec.map(withColours);
  if (spec === null || typeof spec !== "object") return spec;
  return Object.fromEntries(
    Object.entries(spec).map(([key, value]) => [key, key === "data" ? value : withColours(value)])
  );
}

function plotConfig(width) {
  const text = { labelFontSize: 12, titleFontSize: 12, titleFontWeight: 500, labelColor: "var(--muted)", titleColor: "var(--ink)" };
  return withColours({
    background: "transparent",
    font: cssValue("--sans"),
    view: { stroke: null },
    mark: { color: "var(--series-1)" },
    axis: {
      ...text,
      labelLimit: width < 480 ? 110 : 220,
      labelPadding: 6,
      titlePadding: 10,
      gridColor: "var(--grid)",
      domainColor: "var(--line)",
      tickColor: "var(--line)",
    },
    axisQuantitative: { tickCount: width < 480 ? 4 : 8 },
    legend: {
      ...text,
      orient: "top",
      labelColor: "var(--ink)",
      labelLimit: 260,
      symbolSize: 90,
      symbolOpacity: 1,
      symbolStrokeWidth: 2,
      columns: width < 480 ? 2 : 4,
      offset: 12,
      layout: { top: { anchor: "start", direction: "horizontal", center: true, margin: 16 } },
    },
    range: {
      category: [1, 2, 3, 4, 5, 6, 7].map((i) => `var(--series-${i})`),
      ramp: ["var(--ramp-low)", "var(--ramp-middle)", "var(--ramp-high)"],
      heatmap: ["var(--ramp-low)", "var(--ramp-middle)", "var(--ramp-high)"],
    },
  });
}

const drawn = new Map(); // figure: {width, result} of its latest drawing

// Draws aside and then swaps, so that a plot is there at any moment, also for a
// browser that prints while we draw.
async function draw(figure) {
  const box = figure.querySelector(".plot-box");
  const area = box.querySelector(".plot-area");
  const spec = JSON.parse(figure.querySelector('script[type="application/json"]').textContent);
  if (spec?.data?.values?.length === 0) {
    area.textContent = "There is nothing to plot.";
    return;
  }
  area.style.minWidth = `${Math.max(250, spec.usermeta?.min_width ?? 0)}px`;
  const width = area.clientWidth;
  const previous = drawn.get(figure);
  const current = { width };
  drawn.set(figure, current);
  if (spec.width === "container") Object.assign(spec, { width, autosize: { type: "fit-x", contains: "padding" } });
  try {
    const canvas = document.createElement("div");
    current.result = await vegaEmbed(canvas, withColours(spec), {
      mode: "vega-lite",
      renderer: "svg",
      actions: false,
      ast: true, // expressions are interpreted, so that the page may forbid eval
      config: plotConfig(width),
      tooltip: { theme: "motet", disableDefaultStyle: true },
    });
    if (drawn.get(figure) !== current) return; // a later drawing took its place
    area.replaceChildren(canvas);
    previous?.result?.finalize();
    box.toggleAttribute("tabindex", false);
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  } catch (error) {
    area.textContent = `This plot could not be drawn (${error.message}); its numbers are in the table.`;
    figure.querySelector("details").open = true;
    console.error(error);
  }
}

function drawAll() {
  globalThis.drawPictures?.();
  return Promise.all([...document.querySelectorAll("figure.plot")].map(draw));
}

function csvOf(table) {
  const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return [...table.rows]
    .map((row) => [...row.cells].map((cell) => quoted(cell.dataset.exact ?? cell.textContent)).join(","))
    .join("\r\n");
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}

function button(label, action) {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = label;
  element.addEventListener("click", action);
  return element;
}

function saveSvg(figure, name) {
  const svg = figure.querySelector(".plot-area svg");
  if (!svg) return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" }));
  link.download = `${name.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60)}.svg`;
  link.click();
  URL.revokeObjectURL(link.href);
}

function filterBox(table, name, status) {
  const rows = [...table.tBodies[0].rows];
  const input = document.createElement("input");
  input.type = "search";
  input.placeholder = "Filter rows";
  input.setAttribute("aria-label", `Filter rows of ${name}`);
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      if (!row.hidden) ++shown;
    }
    status.textContent = words.length ? `${shown} of ${rows.length} rows` : "";
  });
  return input;
}

function addTools(box) {
  const table = box.querySelector("table");
  const name = table.caption.textContent;
  const figure = box.closest("figure.plot");
  const tools = document.createElement("div");
  tools.className = "tools";
  const status = document.createElement("output");
  const copy = button("Copy as CSV", async () => {
    status.textContent = (await copyText(csvOf(table))) ? "Copied" : "Copying was refused by the browser";
  });
  copy.setAttribute("aria-label", `Copy as CSV: ${name}`);
  if (table.tBodies[0].rows.length >= filterFrom) tools.append(filterBox(table, name, status));
  tools.append(copy);
  if (figure) {
    const save = button("Save plot as SVG", () => saveSvg(figure, name));
    save.setAttribute("aria-label", `Save plot as SVG: ${name}`);
    tools.append(save);
  }
  tools.append(status);
  box.before(tools);
}

for (const box of document.querySelectorAll(".table-box")) addTools(box);
for (const details of document.querySelectorAll("figure > details")) details.open = false;

const dark = matchMedia("(prefers-color-scheme: dark)");
dark.addEventListener("change", drawAll);

// Makes the letters of wide tables smaller on paper, as far as they can be read.
function fitTable(box) {
  const paperWidth = 650; // A4 or letter between the margins, in CSS pixels
  const smallest = 0.5;
  const fit = Math.min(1, paperWidth / box.querySelector("table").offsetWidth);
  box.style.setProperty("--fit", Math.max(fit, smallest));
  box.classList.toggle("cut", fit < smallest);
}

// Paper is light and shows every number, whatever is open or dark on the screen.
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not([open])")];
  for (const details of opened) details.open = true;
  for (const box of document.querySelectorAll(".table-box")) fitTable(box);
  document.documentElement.classList.add("paper");
  drawAll(); // needs no timer and no request, so it is done before the browser goes on
});
addEventListener("afterprint", () => {
  for (const details of opened) details.open = false;
  document.documentElement.classList.remove("paper");
  drawAll();
});

let pending = 0;
const sizes = new ResizeObserver(() => {
  clearTimeout(pending);
  pending = setTimeout(() => {
    if (document.documentElement.classList.contains("paper")) return;
    for (const [figure, { width }] of drawn) {
      if (figure.querySelector(".plot-area").clientWidth !== width) draw(figure);
    }
  }, 150);
});

// Tests wait for this.
document.documentElement.dataset.plots = "drawing";
drawAll().then(() => {
  document.documentElement.dataset.plots = "done";
  sizes.observe(document.body);
});
