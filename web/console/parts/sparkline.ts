import type { RunRow } from '../../../src/api/console/run-row.ts';
import { coordinate, percent } from '../../../src/text/figures.ts';
import { h, type View } from '../view/view.ts';

const WIDTH = 190;
const HEIGHT = 40;

/** Accuracy of the runs that have one, oldest first, with the gate dashed; failed gates and the newest run are dots. */
export function sparkline(newestFirst: readonly RunRow[], gate: number | null): View {
  const points = newestFirst
    .flatMap(({ accuracy, verdict }) => (accuracy === null ? [] : [{ accuracy, verdict }]))
    .toReversed();
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return h('span');
  const values = points.map(({ accuracy }) => accuracy);
  const low = Math.min(gate ?? 1, ...values);
  const high = Math.max(gate ?? 0, low + 0.02, ...values);
  const x = (at: number): number =>
    points.length === 1 ? WIDTH - 6 : 4 + (at / (points.length - 1)) * (WIDTH - 10);
  const y = (value: number): number => 5 + (1 - (value - low) / (high - low)) * (HEIGHT - 10);
  const name =
    `Accuracy of the last ${points.length} runs, ${percent(first.accuracy)} to ` +
    `${percent(last.accuracy)}${gate === null ? '' : `; the gate asks for ${percent(gate, 0)}`}`;
  return h(
    'svg',
    { width: WIDTH, height: HEIGHT, viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': name },
    gate !== null && h('line.rule', { x1: 0, x2: WIDTH, y1: y(gate), y2: y(gate) }),
    h('polyline.sr1', {
      points: points.map(({ accuracy }, at) => `${coordinate(x(at))},${coordinate(y(accuracy))}`).join(' '),
    }),
    points.map(({ accuracy, verdict }, at) => {
      const isWrong = verdict === 'failed-gate';
      if (!isWrong && at < points.length - 1) return null;
      return h('circle', {
        class: isWrong ? 'fw' : 'fr',
        cx: coordinate(x(at)),
        cy: coordinate(y(accuracy)),
        r: 3.2,
      });
    }),
  );
}
