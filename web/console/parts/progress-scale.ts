import { percent } from '../../../src/text/figures.ts';
import { h, type View } from '../view/view.ts';

const WIDTH = 460;

/** A share on a line from 0% to 100%. */
export function progressScale(share: number, note: string, word = 'predicted'): View {
  const x = WIDTH * share;
  return h(
    'svg.scale',
    { viewBox: '-4 -26 476 62', role: 'img', 'aria-label': `${percent(share, 0)} ${word}` },
    h('line.axis', { x1: 0, x2: WIDTH, y1: 8, y2: 8 }),
    h('rect.fr', { x: 0, y: 4, height: 8, rx: 4, width: x }),
    [0, 0.25, 0.5, 0.75, 1].map((at) =>
      h('text', { x: WIDTH * at, y: 30, 'text-anchor': 'middle' }, percent(at, 0)),
    ),
    h('path.rule', { d: `M${x},2V-10` }),
    h('text.strong', { x, y: -15, 'text-anchor': 'middle' }, note),
  );
}
