import type { RunRow } from '../../../src/api/console/run-row.ts';
import { ago, moment } from '../../../src/text/dates.ts';
import { dollars, duration, grouped, percent, plural } from '../../../src/text/figures.ts';
import type { Frame } from '../page.ts';
import { type Child, h, type View } from '../view/view.ts';
import { button } from './button.ts';
import { addressOfComparison, isTraining, runLink, state, strip } from './state.ts';
import { stateOf } from './words.ts';

const FILTERS: Readonly<Record<string, (row: RunRow) => boolean>> = {
  all: () => true,
  'under way': ({ endedAt }) => endedAt === null,
  'gate failed': ({ verdict }) => verdict === 'failed-gate',
  'failed or refused': ({ verdict }) => verdict === 'failed' || verdict === 'refused',
};

/** Filters with a count that is known before each row's figures are. */
const TOLD_BY_LISTING = new Set(['all', 'under way']);

/** Height of a row in pixels: the style sheet gives it, on a phone with the state below the name. */
const ROW_PX = 40;
const PHONE_ROW_PX = 60;
/** Rows that are drawn: more than the window of the list shows. */
const DRAWN = 38;
const ABOVE = 8;

/** A list of runs with search, filters and ticks; it only draws the rows in sight. */
export interface RunTable {
  view(rows: readonly RunRow[]): Child;
}

/** Makes a list, which remembers its search, its place and the ticked runs while it is shown. */
export function runTable(frame: Frame): RunTable {
  let filter = 'all';
  let find = '';
  let current = 0;
  let top = 0;
  let tall: HTMLElement | undefined;
  const chosen = new Set<string>();
  const phone = matchMedia('(max-width: 720px)');
  const rowPx = (): number => (phone.matches ? PHONE_ROW_PX : ROW_PX);

  const show = (change: () => void): void => {
    change();
    current = 0;
    top = 0;
    if (tall !== undefined) tall.scrollTop = 0;
    frame.redraw();
  };
  const move = (rows: readonly RunRow[], to: number): void => {
    current = Math.max(0, Math.min(rows.length - 1, to));
    const place = current * rowPx();
    if (tall !== undefined) {
      if (place < tall.scrollTop) tall.scrollTop = place;
      else if (place + 2 * rowPx() > tall.scrollTop + tall.clientHeight)
        tall.scrollTop = place + 2 * rowPx() - tall.clientHeight;
      top = tall.scrollTop;
    }
    frame.redraw();
    // The row may have come into sight by this very drawing.
    requestAnimationFrame(() =>
      tall?.querySelector<HTMLElement>(`[data-row="${current}"]`)?.focus({ preventScroll: true }),
    );
  };
  const toggle = ({ run }: RunRow): void => {
    if (!chosen.delete(run)) chosen.add(run);
    frame.say(`${chosen.size} chosen`);
    frame.redraw();
  };
  const onKey =
    (rows: readonly RunRow[]) =>
    (event: Event): void => {
      if (!(event instanceof KeyboardEvent) || !(event.target instanceof HTMLElement)) return;
      const at = Number(event.target.dataset['row'] ?? NaN);
      const row = rows[at];
      if (row === undefined) return;
      const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
      if (to !== undefined) move(rows, to);
      else if (event.key === ' ' && isComparable(row)) toggle(row);
      else return;
      event.preventDefault();
    };

  return {
    view(all) {
      const nowMs = Date.now();
      const rows = all.filter(FILTERS[filter] ?? (() => true)).filter(({ run }) => run.includes(find));
      const from = Math.max(0, Math.min(Math.floor(top / rowPx()) - ABOVE, rows.length - DRAWN));
      const to = Math.min(rows.length, from + DRAWN);
      const isWhole = all.every(({ verdict }) => verdict !== 'unread');
      const toRow = (row: RunRow, at: number): View =>
        tableRow(row, {
          at: from + at,
          isCurrent: from + at === current,
          isChosen: chosen.has(row.run),
          toggle: () => toggle(row),
          nowMs,
        });
      return [
        h(
          'div.toolbar',
          h('input', {
            type: 'search',
            placeholder: 'Find a run',
            'aria-label': 'Find a run',
            value: find,
            on: {
              input: ({ target }) => target instanceof HTMLInputElement && show(() => (find = target.value)),
            },
          }),
          h(
            'fieldset.pills',
            h('legend', 'Show'),
            Object.entries(FILTERS).map(([name, fits]) =>
              h(
                'label',
                h('input', {
                  type: 'radio',
                  name: 'filter',
                  checked: name === filter,
                  on: { change: () => show(() => (filter = name)) },
                }),
                `${name} `,
                h(
                  'span.muted',
                  isWhole || TOLD_BY_LISTING.has(name) ? grouped(all.filter(fits).length) : '…',
                ),
              ),
            ),
          ),
        ),
        rows.length === 0
          ? none(all.length, () => show(() => ([filter, find] = ['all', ''])))
          : h(
              'div.scroll.tall',
              {
                tabindex: '0',
                role: 'region',
                'aria-label': 'List of runs',
                made: (element) => {
                  if (element instanceof HTMLElement) tall = element;
                },
                on: {
                  scroll: () => {
                    if (tall === undefined || Math.abs(tall.scrollTop - top) < rowPx()) return;
                    top = tall.scrollTop;
                    frame.redraw();
                  },
                  keydown: onKey(rows),
                },
              },
              h(
                'table.list',
                { 'aria-rowcount': rows.length + 1 },
                h('thead', h('tr', heads())),
                h(
                  'tbody.runs',
                  space(from * rowPx()),
                  rows.slice(from, to).map(toRow),
                  space((rows.length - to) * rowPx()),
                ),
              ),
            ),
        chosen.size > 0 &&
          selection(
            // The oldest first: what came after is compared with it.
            all.filter(({ run }) => chosen.has(run)).toReversed(),
            () => show(() => chosen.clear()),
          ),
      ];
    },
  };
}

function heads(): Child {
  return [
    h('th', { scope: 'col' }, h('span.sr', 'Compare')),
    h('th.text', { scope: 'col' }, 'Run'),
    h('th.text.hide-phone', { scope: 'col' }, 'Verdict'),
    h('th', { scope: 'col' }, 'Accuracy'),
    ['70% to 100%', 'Inputs', 'Cost', 'Took', 'Ended'].map((title) =>
      h('th.hide-phone', { scope: 'col' }, title),
    ),
  ];
}

/** Stands for the rows that are not drawn. */
function space(px: number): View {
  return h('tr.space', { 'aria-hidden': 'true' }, h('td.room', { colspan: 9, css: { '--room': `${px}px` } }));
}

interface Shown {
  readonly at: number;
  readonly isCurrent: boolean;
  readonly isChosen: boolean;
  readonly toggle: () => void;
  readonly nowMs: number;
}

function tableRow(row: RunRow, { at, isCurrent, isChosen, toggle, nowMs }: Shown): View {
  const { run, verdict, step, accuracy, interval, total, costUsd, seconds, endedAt, startedAt } = row;
  const words = stateOf(verdict, step);
  const took =
    seconds ?? (endedAt === null && startedAt !== null ? (nowMs - Date.parse(startedAt)) / 1000 : null);
  const ended = endedAt === null ? 'under way' : ago(endedAt, nowMs);
  const dash = h('span.muted', '–');
  return h(
    'tr',
    { key: run, 'aria-rowindex': at + 2, 'aria-selected': String(isChosen) },
    h(
      'td',
      h('input', {
        type: 'checkbox',
        'aria-label': `Compare ${run}`,
        tabindex: '-1',
        checked: isChosen,
        disabled: !isComparable(row),
        on: { change: toggle },
      }),
    ),
    h(
      'td.text.wide',
      runLink(row, { 'data-row': at, tabindex: isCurrent ? '0' : '-1' }),
      h('span.only-phone.small', state(...words), `, ${ended}`),
    ),
    h('td.text.hide-phone', state(...words)),
    h('td', accuracy === null ? dash : percent(accuracy)),
    h(
      'td.hide-phone',
      accuracy !== null && interval !== null && strip(accuracy, interval, 0.7, verdict === 'failed-gate'),
    ),
    h('td.hide-phone', total === null ? dash : grouped(total)),
    h('td.hide-phone', costUsd === null ? dash : dollars(costUsd)),
    h('td.hide-phone', took === null ? dash : duration(took)),
    h('td.hide-phone.muted', { title: endedAt === null ? '' : moment(endedAt) }, ended),
  );
}

function none(count: number, showAll: () => void): View {
  if (count === 0)
    return h(
      'div.empty',
      h('h2', 'No run yet'),
      h('p', 'A run starts when files are dropped.'),
      h('div.actions', h('a.button.primary', { href: '#/drop' }, 'Drop files')),
    );
  return h(
    'div.empty',
    h('h2', 'No run like that'),
    h('p', `None of ${grouped(count)} runs matches.`),
    h('div.actions', button('button', 'Show all runs', showAll)),
  );
}

/** Trainings are compared by their curves, which they have while they run; runs by their answers, which need no labels. */
function isComparable({ run, accuracy, verdict, endedAt }: RunRow): boolean {
  return isTraining(run) || (endedAt !== null && (accuracy !== null || verdict === 'completed'));
}

/** The ticked runs; two or more of a kind can be compared. */
function selection(rows: readonly RunRow[], clear: () => void): View {
  const runs = rows.map(({ run }) => run);
  const areMixed = new Set(runs.map(isTraining)).size > 1;
  return h(
    'div.selection',
    h(
      'span',
      areMixed
        ? 'Runs and trainings are not compared with each other'
        : `${plural(runs.length, isTraining(runs[0] ?? '') ? 'training' : 'run')} chosen`,
    ),
    runs.length > 1 && !areMixed && h('a.button', { href: addressOfComparison(runs) }, 'Compare'),
    button('button.plain', 'Clear', clear),
  );
}
