/** Draws the matrix of many classes on a canvas with zoom and keyboard navigation; names appear as soon as they fit. */
export const MATRIX_CANVAS_SCRIPT = `
  const plane = byId('plane');
  const canvas = document.createElement('canvas');
  canvas.tabIndex = 0;
  canvas.setAttribute('role', 'application');
  canvas.setAttribute('aria-label', 'Confusion matrix: arrow keys move, plus and minus zoom; what a cell says is read out');
  plane.replaceChildren(canvas);
  const pen = canvas.getContext('2d');
  const n = matrix.n;
  const cells = [...matrix.counts].map(([index, count]) => ({ t: Math.floor(index / n), p: index % n, count }));
  let order, place, norm, zoom = 1, left = 0, top = 0, cursor = null, side = 0, edge = 0;
  const channels = (name) => {
    pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    return [1, 3, 5].map((at) => parseInt(pen.fillStyle.slice(at, at + 2), 16));
  };
  const LEVELS = 64;
  const ramp = (paper, hue) => Array.from({ length: LEVELS + 1 }, (_, level) =>
    'rgb(' + paper.map((from, at) => Math.round(from + (hue[at] - from) * level / LEVELS)).join(',') + ')');
  const clamp = () => {
    zoom = Math.max(1, Math.min(zoom, n / 4));
    left = Math.max(0, Math.min(left, n - n / zoom));
    top = Math.max(0, Math.min(top, n - n / zoom));
  };
  const arrange = () => {
    norm = matrix.chosen('norm');
    order = matrix.orders[matrix.chosen('order')];
    place = [];
    order.forEach((id, at) => { place[id] = at; });
    for (const cell of cells) cell.v = cell.t === cell.p ? matrix.share(cell.t, cell.p, norm) : Math.sqrt(matrix.share(cell.t, cell.p, norm));
    cells.sort((a, b) => (a.t === a.p) - (b.t === b.p) || a.v - b.v);
    draw();
  };
  const draw = () => {
    const ratio = window.devicePixelRatio || 1;
    side = plane.clientWidth;
    canvas.width = canvas.height = Math.round(side * ratio);
    clamp();
    const size0 = (side - 8) * zoom / n;
    edge = size0 >= 9 ? 120 : 8;
    const size = (side - edge) * zoom / n;
    plane.style.touchAction = zoom > 1 ? 'none' : 'auto';
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const paper = channels('--paper'), ink = 'rgb(' + channels('--ink') + ')', muted = 'rgb(' + channels('--muted') + ')';
    const right = ramp(paper, channels('--right')), wrong = ramp(paper, channels('--wrong'));
    pen.fillStyle = 'rgb(' + paper + ')';
    pen.fillRect(0, 0, side, side);
    pen.save();
    pen.beginPath();
    pen.rect(edge, edge, side - edge, side - edge);
    pen.clip();
    const gap = size > 12 ? 1 : 0, least = size < 2 ? 1.8 : 1 / ratio, faintest = size < 2 ? 26 : 10;
    pen.font = Math.min(13, size * 0.34) + 'px system-ui,sans-serif';
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    for (const { t, p, v, count } of cells) {
      const x = edge + (place[p] - left) * size, y = edge + (place[t] - top) * size;
      if (x + size < edge || y + size < edge || x > side || y > side) continue;
      const level = Math.max(t === p ? 2 : faintest, Math.round(v * LEVELS));
      pen.fillStyle = (t === p ? right : wrong)[level];
      pen.fillRect(x, y, Math.max(least, size - gap), Math.max(least, size - gap));
      if (size < 26) continue;
      const dark = level > LEVELS * 0.6;
      pen.fillStyle = dark ? 'rgb(' + paper + ')' : ink;
      pen.fillText(norm === 'count' ? count : matrix.percent(matrix.share(t, p, norm)), x + size / 2, y + size / 2);
    }
    if (cursor) {
      pen.strokeStyle = ink;
      pen.lineWidth = 1.5;
      const x = edge + (cursor.j - left) * size, y = edge + (cursor.i - top) * size, box = Math.max(size, 5);
      pen.strokeRect(x + size / 2 - box / 2 - 0.5, y + size / 2 - box / 2 - 0.5, box, box);
    }
    pen.restore();
    pen.strokeStyle = muted;
    pen.lineWidth = 0.75;
    pen.strokeRect(edge - 0.5, edge - 0.5, side - edge, side - edge);
    if (edge < 100) return;
    pen.fillStyle = ink;
    pen.font = Math.min(12, size * 0.85) + 'px system-ui,sans-serif';
    for (let at = Math.max(0, Math.floor(top)); at < Math.min(n, top + n / zoom + 1); at++) {
      const y = edge + (at - top + 0.5) * size;
      if (y < edge) continue;
      pen.textAlign = 'right';
      pen.fillText(fit(data.names[order[at]]), edge - 6, y);
    }
    for (let at = Math.max(0, Math.floor(left)); at < Math.min(n, left + n / zoom + 1); at++) {
      const x = edge + (at - left + 0.5) * size;
      if (x < edge) continue;
      pen.save();
      pen.translate(x, edge - 6);
      pen.rotate(-Math.PI / 2);
      pen.textAlign = 'left';
      pen.fillText(fit(data.names[order[at]]), 0, 0);
      pen.restore();
    }
  };
  const fit = (name) => {
    if (pen.measureText(name).width <= edge - 10) return name;
    let cut = name.length;
    while (cut > 1 && pen.measureText(name.slice(0, cut) + '…').width > edge - 10) cut--;
    return name.slice(0, cut) + '…';
  };
  const under = (event) => {
    const box = canvas.getBoundingClientRect();
    const size = (side - edge) * zoom / n;
    const j = Math.floor(left + (event.clientX - box.left - edge) / size), i = Math.floor(top + (event.clientY - box.top - edge) / size);
    return i >= 0 && j >= 0 && i < n && j < n && event.clientX - box.left >= edge && event.clientY - box.top >= edge ? { i, j } : null;
  };
  const point = (cell) => {
    cursor = cell;
    if (cell) matrix.tell(order[cell.i], order[cell.j]);
    draw();
  };
  const zoomBy = (factor, cell) => {
    const middle = cell || cursor || { i: top + n / zoom / 2, j: left + n / zoom / 2 };
    zoom *= factor;
    zoom = Math.max(1, Math.min(zoom, n / 4));
    top = middle.i - n / zoom / 2;
    left = middle.j - n / zoom / 2;
    draw();
  };
  let grip = null;
  canvas.addEventListener('pointerdown', (event) => {
    grip = { x: event.clientX, y: event.clientY, left, top };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('lostpointercapture', () => { grip = null; });
  canvas.addEventListener('pointermove', (event) => {
    if (grip && zoom > 1) {
      const size = (side - edge) * zoom / n;
      left = grip.left - (event.clientX - grip.x) / size;
      top = grip.top - (event.clientY - grip.y) / size;
      draw();
      return;
    }
    const cell = under(event);
    if (cell && (!cursor || cell.i !== cursor.i || cell.j !== cursor.j)) point(cell);
  });
  canvas.addEventListener('dblclick', (event) => zoomBy(2.5, under(event)));
  canvas.addEventListener('wheel', (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoomBy(event.deltaY < 0 ? 1.25 : 0.8, under(event));
  }, { passive: false });
  canvas.addEventListener('keydown', (event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (step) {
      event.preventDefault();
      const from = cursor || { i: Math.floor(top), j: Math.floor(left) };
      const i = Math.max(0, Math.min(n - 1, from.i + step[0])), j = Math.max(0, Math.min(n - 1, from.j + step[1]));
      const seen = n / zoom;
      if (i < top) top = i;
      if (i >= top + seen - 1) top = i - seen + 1;
      if (j < left) left = j;
      if (j >= left + seen - 1) left = j - seen + 1;
      point({ i, j });
    } else if (event.key === '+' || event.key === '=') zoomBy(1.6);
    else if (event.key === '-') zoomBy(1 / 1.6);
  });
  byId('zoom-in').addEventListener('click', () => zoomBy(1.8));
  byId('zoom-out').addEventListener('click', () => zoomBy(1 / 1.8));
  byId('zoom-reset').addEventListener('click', () => { zoom = 1; draw(); });
  byId('matrix-find').addEventListener('change', (event) => {
    const wanted = event.target.value.trim().toLowerCase();
    const id = data.names.findIndex((name) => name.toLowerCase() === wanted);
    event.target.nextElementSibling.textContent = id < 0 && wanted ? 'No class has this name.' : '';
    if (id < 0) return;
    const at = place[id];
    zoom = Math.max(1, n / 24);
    left = top = at - 12;
    point({ i: at, j: at });
  });
  matrix.onChoice(arrange);
  matchMedia('(prefers-color-scheme:dark)').addEventListener('change', draw);
  new ResizeObserver(draw).observe(plane);
  arrange();`;
