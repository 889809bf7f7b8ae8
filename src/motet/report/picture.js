// Pictures of large matrices on a page: drawn from two bits per cell on a canvas that
// can be zoomed and moved with the wheel, fingers, buttons or keys. page.js, which
// comes after it, calls drawPictures whenever the colours or the paper change.
"use strict";

{
  const tallest = 560; // of the matrix, in CSS pixels
  const wholeCell = 28; // largest side of a cell in the whole picture
  const largestCell = 44;
  const detailFrom = 7; // side of a cell from which on cells are told apart by shape
  const nameFrom = 12; // height of a row from which on its name fits
  const blockShare = [1 / 64, 1 / 16, 1 / 4, 3 / 4]; // of the cells of a block, by its density

  const pictures = [];

  function unpack(text, count) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const cells = new Uint8Array(count);
    for (let i = 0; i < count; ++i) cells[i] = (bytes[i >> 2] >> ((i & 3) << 1)) & 3;
    return cells;
  }

  function colours() {
    const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const bytes = (colour) => {
      probe.fillStyle = colour;
      probe.fillRect(0, 0, 1, 1);
      return probe.getImageData(0, 0, 1, 1).data;
    };
    const kinds = [0, 1, 2, 3].map((kind) => cssValue(`--kind-${kind}`));
    const named = Object.fromEntries(["ink", "line", "muted", "page", "series-7"].map((name) => [name, cssValue(`--${name}`)]));
    return { ...named, kinds, bytes: kinds.map(bytes), font: `12px ${cssValue("--sans")}` };
  }

  class Picture {
    constructor(figure) {
      this.figure = figure;
      this.box = figure.querySelector(".picture-box");
      this.canvas = this.box.querySelector("canvas");
      this.tip = this.box.querySelector(".picture-tip");
      const data = JSON.parse(figure.querySelector('script[type="application/json"]').textContent);
      this.data = data;
      this.rowCount = data.rows.names.length;
      this.columnCount = data.columns.names.length;
      this.cells = unpack(data.cells, this.rowCount * this.columnCount);
      this.density = data.density && unpack(data.density, this.cells.length);
      this.zoom = 1;
      this.x = this.y = 0; // the cell in the upper left corner, with fractions
      this.pointers = new Map();
      this.box.hidden = false;
      this.addTools();
      this.listen();
      new ResizeObserver(() => {
        if (this.canvas.clientWidth !== this.drawnWidth) this.draw();
      }).observe(this.box);
    }

    addTools() {
      const tools = document.createElement("div");
      tools.className = "tools";
      const title = this.figure.querySelector("h3").textContent;
      const add = (label, action) => {
        const element = button(label, action);
        element.setAttribute("aria-label", `${label}: ${title}`);
        tools.append(element);
      };
      add("Zoom in", () => this.zoomBy(2));
      add("Zoom out", () => this.zoomBy(0.5));
      add("Whole picture", () => this.zoomBy(0));
      add("Save picture as PNG", () => this.save(title));
      this.status = document.createElement("output");
      tools.append(this.status);
      this.box.before(tools);
    }

    measure() {
      const width = this.canvas.clientWidth;
      this.drawnWidth = width;
      this.left = this.data.rows.bands.length ? Math.min(130, Math.round(width * 0.2)) : 0;
      this.top = this.data.columns.bands.length ? 22 : 0;
      this.width = Math.min(width - this.left, this.columnCount * wholeCell);
      this.height = Math.min(tallest, this.rowCount * wholeCell);
      this.fitX = this.width / this.columnCount;
      this.fitY = this.height / this.rowCount;
      this.mostZoom = Math.max(1, largestCell / Math.min(this.fitX, this.fitY));
    }

    get cellWidth() {
      return Math.min(Math.max(largestCell, this.fitX), this.fitX * this.zoom);
    }
    get cellHeight() {
      return Math.min(Math.max(largestCell, this.fitY), this.fitY * this.zoom);
    }

    clampView() {
      this.x = Math.max(0, Math.min(this.x, this.columnCount - this.width / this.cellWidth));
      this.y = Math.max(0, Math.min(this.y, this.rowCount - this.height / this.cellHeight));
    }

    // Zooms with the point at (px, py) of the matrix kept in its place; 0 shows the whole.
    zoomBy(factor, px = this.width / 2, py = this.height / 2) {
      const column = this.x + px / this.cellWidth;
      const row = this.y + py / this.cellHeight;
      this.zoom = factor === 0 ? 1 : Math.max(1, Math.min(this.zoom * factor, this.mostZoom));
      this.x = column - px / this.cellWidth;
      this.y = row - py / this.cellHeight;
      this.clampView();
      this.plan();
    }

    // Returns whether the picture had room to move.
    moveBy(dx, dy) {
      const [x, y] = [this.x, this.y];
      this.x += dx / this.cellWidth;
      this.y += dy / this.cellHeight;
      this.clampView();
      this.plan();
      return x !== this.x || y !== this.y;
    }

    plan() {
      this.planned ??= requestAnimationFrame(() => this.draw());
    }

    draw() {
      if (this.planned !== undefined) cancelAnimationFrame(this.planned);
      this.planned = undefined;
      if (this.canvas.clientWidth === 0) return; // not laid out now: it is drawn once it is
      this.measure();
      this.clampView();
      const scale = window.devicePixelRatio || 1;
      const { canvas } = this;
      canvas.style.height = `${this.top + this.height}px`;
      canvas.width = Math.round(this.drawnWidth * scale);
      canvas.height = Math.round((this.top + this.height) * scale);
      this.look = colours();
      const context = canvas.getContext("2d");
      if (this.cells.length > 0) this.drawCells(context, scale);
      context.scale(scale, scale);
      this.drawDetails(context);
      this.drawBands(context);
      canvas.style.touchAction = this.zoom > 1 ? "none" : "pan-y";
      canvas.dataset.zoom = this.zoom.toFixed(2);
      this.tellView();
    }

    // Every pixel has the mean colour of the cells under it that are not empty, and is
    // the stronger the more those are; a single one is still seen.
    drawCells(context, scale) {
      const width = Math.round(this.width * scale);
      const height = Math.round(this.height * scale);
      const image = context.createImageData(width, height);
      const ends = (count, start, perPixel, most) =>
        Array.from({ length: count + 1 }, (_, i) => Math.min(most, Math.max(0, Math.floor(start + i * perPixel + 1e-9))));
      const across = ends(width, this.x, 1 / (this.cellWidth * scale), this.columnCount);
      const down = ends(height, this.y, 1 / (this.cellHeight * scale), this.rowCount);
      const { bytes } = this.look;
      const { cells, density, columnCount } = this;
      const marked = new Float64Array(4); // cells under the pixel, by kind
      for (let py = 0, at = 0; py < height; ++py) {
        const top = down[py];
        const bottom = Math.max(down[py + 1], top + 1);
        for (let px = 0; px < width; ++px, at += 4) {
          const left = across[px];
          const right = Math.max(across[px + 1], left + 1);
          marked.fill(0);
          for (let row = top; row < bottom; ++row) {
            for (let i = row * columnCount + left, end = row * columnCount + right; i < end; ++i) {
              marked[cells[i]] += density ? blockShare[density[i]] : 1;
            }
          }
          const held = marked[1] + marked[2] + marked[3];
          const share = held / ((bottom - top) * (right - left));
          const strength = held === 0 ? 0 : share >= 1 ? 1 : 0.4 + 0.6 * share;
          for (let part = 0; part < 3; ++part) {
            const mean =
              held === 0 ? 0 : (marked[1] * bytes[1][part] + marked[2] * bytes[2][part] + marked[3] * bytes[3][part]) / held;
            image.data[at + part] = strength * mean + (1 - strength) * bytes[0][part];
          }
          image.data[at + 3] = 255;
        }
      }
      context.putImageData(image, Math.round(this.left * scale), Math.round(this.top * scale));
    }

    // Lines between large cells, and a hollow square for what is not there but should be.
    drawDetails(context) {
      const [w, h] = [this.cellWidth, this.cellHeight];
      if (Math.min(w, h) < detailFrom) return;
      context.save();
      context.beginPath();
      context.rect(this.left, this.top, this.width, this.height);
      context.clip();
      const lastRow = Math.min(this.rowCount - 1, Math.floor(this.y + this.height / h));
      const lastColumn = Math.min(this.columnCount - 1, Math.floor(this.x + this.width / w));
      const inset = Math.max(2, Math.min(w, h) * 0.22);
      context.fillStyle = this.look.kinds[0];
      context.strokeStyle = this.look.page;
      context.lineWidth = 1;
      for (let row = Math.floor(this.y); row <= lastRow; ++row) {
        for (let column = Math.floor(this.x); column <= lastColumn; ++column) {
          const px = this.left + (column - this.x) * w;
          const py = this.top + (row - this.y) * h;
          if (this.cells[row * this.columnCount + column] === 2) {
            context.fillRect(px + inset, py + inset, w - 2 * inset, h - 2 * inset);
          }
          context.strokeRect(px, py, w, h);
        }
      }
      context.restore();
    }

    drawBands(context) {
      context.font = this.look.font;
      context.textBaseline = "middle";
      const names = this.data.rows.names;
      if (this.left > 0 && this.cellHeight >= nameFrom) {
        context.fillStyle = this.look.ink;
        for (let row = Math.floor(this.y); row < Math.min(this.rowCount, this.y + this.height / this.cellHeight); ++row) {
          const middle = this.top + (row + 0.5 - this.y) * this.cellHeight;
          if (middle > this.top + 5) this.write(context, names[row], 2, middle, this.left - 8);
        }
      }
      this.eachBand(this.data.rows.bands, this.y, this.cellHeight, this.height, (band, begin, end, i) => {
        const hasNames = this.cellHeight >= nameFrom;
        context.fillStyle = this.look[i % 2 ? "series-7" : "line"];
        context.fillRect(this.left - 5, this.top + begin, 4, Math.max(end - begin - 1, 0.5));
        context.fillStyle = this.look.ink;
        if (!hasNames && end - begin >= 13) this.write(context, band, 2, this.top + (begin + end) / 2, this.left - 10);
        if (end < this.height && end - begin >= 3) this.line(context, this.left, this.top + end, this.width, 0);
      });
      this.eachBand(this.data.columns.bands, this.x, this.cellWidth, this.width, (band, begin, end, i) => {
        context.fillStyle = this.look[i % 2 ? "series-7" : "line"];
        context.fillRect(this.left + begin, this.top - 5, Math.max(end - begin - 1, 0.5), 4);
        context.fillStyle = this.look.ink;
        if (end - begin >= 30) this.write(context, band, this.left + begin + 1, 8, end - begin - 6);
        if (end < this.width && end - begin >= 3) this.line(context, this.left + end, this.top, 0, this.height);
      });
    }

    // visit(name, begin, end, number) for the bands in view, in pixels of the matrix.
    eachBand(bands, start, size, length, visit) {
      let from = 0;
      bands.forEach(([name, to], i) => {
        const begin = Math.max(0, (from - start) * size);
        const end = Math.min(length, (to - start) * size);
        from = to;
        if (end > begin) visit(name, begin, end, i);
      });
    }

    write(context, text, x, y, room) {
      let shown = text;
      if (context.measureText(shown).width > room) {
        let [least, most] = [0, text.length];
        while (least < most) {
          const middle = (least + most + 1) >> 1;
          if (context.measureText(`${text.slice(0, middle)}…`).width <= room) least = middle;
          else most = middle - 1;
        }
        shown = least > 0 ? `${text.slice(0, least)}…` : "";
      }
      context.fillText(shown, x, y);
    }

    line(context, x, y, dx, dy) {
      context.fillStyle = this.look.muted;
      context.globalAlpha = 0.55;
      context.fillRect(x - (dy ? 0.5 : 0), y - (dx ? 0.5 : 0), dx || 1, dy || 1);
      context.globalAlpha = 1;
    }

    nameOf(side, index) {
      const { names, block, count } = this.data[side];
      const more = Math.min(block, count - index * block) - 1;
      return more > 0 ? `${names[index]} and ${more} more` : names[index];
    }

    groupsOf(side, index) {
      const set = this.data[side].set_of[index];
      return set === undefined ? [] : this.data.sets[set];
    }

    // Lines that tell a cell, as [label, text].
    cellLines(row, column) {
      const { rows, columns, kinds, groups, group_title } = this.data;
      const kind = this.cells[row * this.columnCount + column];
      const names = (set) => (set.length ? set.map((group) => groups[group]).join(", ") : "none");
      const [ofRow, ofColumn] = [this.groupsOf("rows", row), this.groupsOf("columns", column)];
      const lines = [
        [rows.title, this.nameOf("rows", row)],
        [columns.title, this.nameOf("columns", column)],
        ["", kinds[kind]],
      ];
      const common = ofRow.filter((group) => ofColumn.includes(group));
      if (rows.set_of.length) lines.push([`${group_title} of the ${rows.title}`, names(ofRow)]);
      if (columns.set_of.length) lines.push([`${group_title} with the ${columns.title}`, names(ofColumn)]);
      if (rows.set_of.length && common.length) lines.push(["granted by", names(common)]);
      return lines;
    }

    showTip(px, py) {
      const column = Math.floor(this.x + (px - this.left) / this.cellWidth);
      const row = Math.floor(this.y + (py - this.top) / this.cellHeight);
      const isInside = px >= this.left && py >= this.top && px < this.left + this.width && py < this.top + this.height;
      this.tip.hidden = !isInside || row >= this.rowCount || column >= this.columnCount;
      if (this.tip.hidden) return;
      this.tip.replaceChildren(
        ...this.cellLines(row, column).map(([label, text]) => {
          const line = document.createElement("div");
          if (label) {
            const span = document.createElement("span");
            span.textContent = `${label} `;
            line.append(span);
          }
          line.append(text);
          return line;
        })
      );
      const { offsetWidth, offsetHeight } = this.tip;
      const x = px + 14 + offsetWidth > this.drawnWidth ? Math.max(0, px - 14 - offsetWidth) : px + 14;
      const y = py + 14 + offsetHeight > this.top + this.height ? Math.max(0, py - 10 - offsetHeight) : py + 14;
      Object.assign(this.tip.style, { left: `${x}px`, top: `${y}px` });
    }

    tellView() {
      if (this.zoom <= 1) {
        this.status.textContent = "";
        return;
      }
      const range = (side, start, length, size) => {
        const { block, count } = this.data[side];
        const first = Math.floor(start) * block + 1;
        const last = Math.min(count, Math.ceil(start + length / size - 1e-6) * block);
        return `${this.data[side].title}s ${first} to ${last} of ${count}`;
      };
      const rows = range("rows", this.y, this.height, this.cellHeight);
      const columns = range("columns", this.x, this.width, this.cellWidth);
      this.status.textContent = `${rows}, ${columns}`;
    }

    listen() {
      const { canvas } = this;
      const place = (event) => {
        const box = canvas.getBoundingClientRect();
        return [event.clientX - box.left, event.clientY - box.top];
      };
      canvas.addEventListener(
        "wheel",
        (event) => {
          // The wheel belongs to the page until the picture is chosen with a click or a key.
          if (!event.ctrlKey && !event.metaKey && document.activeElement !== canvas) {
            this.status.textContent = "Click the picture, then the wheel zooms it.";
            return;
          }
          event.preventDefault();
          const [px, py] = place(event);
          const lines = event.deltaMode === 1 ? 16 : 1;
          this.zoomBy(Math.exp(-0.002 * lines * Math.max(-400, Math.min(400, event.deltaY))), px - this.left, py - this.top);
        },
        { passive: false }
      );
      canvas.addEventListener("pointerdown", (event) => {
        canvas.setPointerCapture(event.pointerId);
        this.pointers.set(event.pointerId, place(event));
      });
      canvas.addEventListener("pointermove", (event) => this.onMove(event, place(event)));
      for (const end of ["pointerup", "pointercancel"]) {
        canvas.addEventListener(end, (event) => this.pointers.delete(event.pointerId));
      }
      canvas.addEventListener("pointerleave", () => (this.tip.hidden = true));
      canvas.addEventListener("dblclick", (event) => {
        const [px, py] = place(event);
        this.zoomBy(2, px - this.left, py - this.top);
      });
      canvas.addEventListener("keydown", (event) => this.onKey(event));
    }

    onMove(event, now) {
      const before = this.pointers.get(event.pointerId);
      if (!before) return this.showTip(...now);
      this.pointers.set(event.pointerId, now);
      this.tip.hidden = true;
      if (this.pointers.size === 1) {
        this.moveBy(before[0] - now[0], before[1] - now[1]);
      } else if (this.pointers.size === 2) {
        const other = [...this.pointers].find(([id]) => id !== event.pointerId)[1];
        const apart = (point) => Math.max(10, Math.hypot(point[0] - other[0], point[1] - other[1]));
        const middle = [(now[0] + other[0]) / 2 - this.left, (now[1] + other[1]) / 2 - this.top];
        this.zoomBy(apart(now) / apart(before), ...middle);
        this.moveBy((before[0] - now[0]) / 2, (before[1] - now[1]) / 2);
      }
    }

    onKey(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
      const zooms = { "+": 1.5, "=": 1.5, "-": 1 / 1.5, 0: 0, Home: 0 };
      if (event.key in steps) {
        const [dx, dy] = steps[event.key];
        if (!this.moveBy((dx * this.width) / 6, (dy * this.height) / 6)) return; // the page scrolls instead
      } else if (event.key in zooms) {
        this.zoomBy(zooms[event.key]);
      } else {
        return;
      }
      event.preventDefault();
      this.showTip(this.left + this.width / 2, this.top + this.height / 2); // what is in the middle
    }

    save(title) {
      this.canvas.toBlob((blob) => {
        const link = document.createElement("a");
        link.href = URL.createObjectURL(blob);
        link.download = `${title.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60)}.png`;
        link.click();
        URL.revokeObjectURL(link.href);
      });
    }
  }

  globalThis.drawPictures = () => {
    if (pictures.length === 0) {
      for (const figure of document.querySelectorAll("figure.picture")) pictures.push(new Picture(figure));
    }
    for (const picture of pictures) picture.draw();
  };
}
