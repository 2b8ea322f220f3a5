import type { ComparedPair, FlipRow } from '../../../src/api/console/comparison.ts';
import { shownRecord } from '../../../src/input/shown-place.ts';
import { grouped, percent, short } from '../../../src/text/figures.ts';
import { loads, segment } from '../data/ask.ts';
import type { Frame } from '../page.ts';
import { type Child, h, type View } from '../view/view.ts';
import { button } from './button.ts';

/** Flips of a kind that are shown at first: two rows on a desk. */
const FIRST = 14;

const KINDS = [
  ['Became wrong', ({ truth, before }: FlipRow) => truth !== null && before === truth],
  ['Became right', ({ truth, now }: FlipRow) => truth !== null && now === truth],
  [
    'Other answers',
    ({ truth, before, now }: FlipRow) => truth === null || (before !== truth && now !== truth),
  ],
] as const;

/** Photographs of the records that flipped, by kind. */
export interface FlipGallery {
  view(pair: ComparedPair): Child;
}

/** Makes a gallery, which remembers what was opened and which inputs are no pictures. */
export function flipGallery(frame: Frame): FlipGallery {
  const opened = new Set<string>();
  const without = new Set<string>();
  const shot = (run: string, flip: FlipRow): View => {
    const { key, recordIndex, line, truth } = flip;
    const name = shownRecord(flip);
    return h(
      'li',
      { key: name },
      h(
        'span.photo',
        { title: name },
        without.has(key) || recordIndex > 0 || line !== undefined
          ? h('span.key', name)
          : h('img', {
              made: loads('src', `/api/runs/${segment(run)}/picture?key=${segment(key)}`),
              alt: name,
              loading: 'lazy',
              decoding: 'async',
              on: { error: () => (without.add(key), frame.redraw()) },
            }),
      ),
      h(
        'p',
        truth !== null && ['truth ', h('b', truth), h('br')],
        answer(flip.before, flip.scoreBefore, truth),
        h('br'),
        h('span.muted', '→ '),
        answer(flip.now, flip.scoreNow, truth),
      ),
    );
  };
  return {
    view: (pair) =>
      KINDS.map(([title, fits]) => {
        const flips = pair.flips.filter(fits);
        const count = {
          'Became wrong': pair.lost,
          'Became right': pair.gained,
          'Other answers': pair.answered - pair.sameClass - pair.lost - pair.gained,
        }[title];
        if (count === 0) return null;
        const shown = opened.has(title) ? flips : flips.slice(0, FIRST);
        return h(
          'section',
          { key: `${title} ${pair.run}` },
          h('h2', `${title} `, h('span.muted', grouped(count))),
          h(
            'ul.photos.large',
            shown.map((flip) => shot(pair.run, flip)),
          ),
          shown.length < flips.length
            ? h(
                'div.actions',
                button(
                  'button',
                  flips.length < count ? `Show the surest ${flips.length}` : `Show all ${flips.length}`,
                  () => (opened.add(title), frame.redraw()),
                ),
              )
            : flips.length < count && h('p.small.muted', `The surest ${flips.length} of ${grouped(count)}.`),
        );
      }),
  };
}

function answer(label: string, score: number | null, truth: string | null): View {
  const isWrong = truth !== null && label !== truth;
  // Scores of winners need not be probabilities.
  const shown = score === null ? '' : score >= 0 && score <= 1 ? ` ${percent(score, 0)}` : ` ${short(score)}`;
  return h('span', { class: isWrong ? 'bad' : '' }, `${label}${shown}`);
}
