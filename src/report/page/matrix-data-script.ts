/** Reads the page's data: counts by cell, the orders of classes, and the text of a cell. */
export const MATRIX_DATA_SCRIPT = `
const source = byId('data');
const data = source && JSON.parse(source.textContent);
const matrix = data && (() => {
  const n = data.names.length;
  const bytes = Uint8Array.from(atob(data.cells), (c) => c.charCodeAt(0));
  const counts = new Map();
  let at = 0;
  let index = 0;
  const next = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    index += next();
    counts.set(index, next());
  }
  const total = data.support.reduce((sum, value) => sum + value, 0);
  const places = data.names.map((_, place) => place);
  const count = (t, p) => counts.get(t * n + p) || 0;
  const recall = (place) => (data.support[place] ? count(place, place) / data.support[place] : 2);
  const orders = {
    listed: places,
    similar: data.similar,
    recall: [...places].sort((a, b) => recall(a) - recall(b)),
    name: [...places].sort((a, b) => data.names[a].localeCompare(data.names[b], undefined, { numeric: true })),
  };
  const whole = { row: (t) => data.support[t], col: (t, p) => data.predicted[p], all: () => total, count: (t) => data.support[t] };
  const share = (t, p, norm) => (count(t, p) ? count(t, p) / whole[norm](t, p) : 0);
  const percent = (value) => {
    const times = value * 100;
    if (times === 0) return '';
    if (times < 0.05) return '<0.1';
    if (times < 0.95 || (times > 99.5 && times < 100)) return times >= 99.95 ? '>99.9' : times.toFixed(1);
    return times.toFixed(0);
  };
  const tell = (t, p) => {
    const out = byId('readout');
    const strong = (text) => Object.assign(document.createElement('b'), { textContent: text });
    const c = count(t, p);
    const words = t === p ? [strong(data.names[t]), ' recognised: '] : [strong(data.names[t]), ' taken for ', strong(data.names[p]), ': '];
    out.replaceChildren(...words, strong(c.toLocaleString('en')), ' of ' + data.support[t].toLocaleString('en') + ' records of the class' +
      (c ? ' (' + percent(c / data.support[t]) + '%), ' + percent(c / data.predicted[p]) + '% of what is called so, ' + percent(c / total) + '% of all.' : '.'));
  };
  const chosen = (name) => document.querySelector('input[name=' + name + ']:checked').value;
  const onChoice = (draw) => document.querySelectorAll('#matrix-controls input[type=radio]').forEach((input) => input.addEventListener('change', draw));
  byId('matrix-controls').hidden = false;
  return { n, counts, count, orders, share, percent, tell, chosen, onChoice };
})();`;
