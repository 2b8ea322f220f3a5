import { CONSOLE_PAGES } from '../../../src/api/console/pages.ts';
import type { PipelinesData } from '../../../src/api/console/pipeline-row.ts';
import type { RunsData } from '../../../src/api/console/run-row.ts';
import { ask } from '../data/ask.ts';
import { watch } from '../data/watch.ts';
import type { Frame } from '../page.ts';
import { h, type View } from '../view/view.ts';
import { showDialog } from './dialog.ts';
import { addressOfRun, middle } from './state.ts';
import { stateOf } from './words.ts';

/** Places that are listed at once. */
const SHOWN = 12;

interface Place {
  readonly name: string;
  readonly kind: string;
  readonly address: string;
}

const PAGES: readonly Place[] = CONSOLE_PAGES.flatMap((page) =>
  'palette' in page ? [{ name: page.palette, kind: 'page', address: `#/${page.name}` }] : [],
);

/** A dialog in which one types where to go: Ctrl or ⌘ with K opens it. */
export interface Palette {
  open(): void;
  view(): View;
}

/** Makes the dialog, and listens for its keys. It loads pipelines and runs when it opens. */
export function palette(frame: Frame): Palette {
  let isOpen = false;
  let find = '';
  let at = 0;
  let pipelines: readonly Place[] = [];
  let runs: readonly Place[] | undefined;
  let close = (): void => undefined;

  const open = (): void => {
    [isOpen, find, at] = [true, '', 0];
    void ask<PipelinesData>('/api/pipelines')
      .then((data) => {
        pipelines = data.pipelines.map(({ pipeline }) => ({
          name: pipeline,
          kind: 'pipeline',
          address: `#/pipeline/${encodeURIComponent(pipeline)}`,
        }));
        frame.redraw();
      })
      .catch(() => undefined);
    close = watch<RunsData>('/live/runs', frame, {
      seen(data) {
        runs = data.runs.map(({ run, verdict, step }) => ({
          name: run,
          kind: stateOf(verdict, step)[1],
          address: addressOfRun(run),
        }));
      },
    });
    frame.redraw();
  };
  addEventListener('keydown', (event) => {
    if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    if (!isOpen && document.querySelector('dialog[open]') === null) open();
  });

  const leave = (): void => {
    isOpen = false;
    close();
    frame.redraw();
  };
  const found = (): readonly Place[] => {
    const words = find.toLowerCase().split(/\s+/);
    return [...pipelines, ...PAGES, ...(runs ?? [])]
      .filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
      .slice(0, SHOWN);
  };
  const go = (address: string): void => {
    leave();
    location.hash = address;
  };
  const onKey = (event: Event): void => {
    if (!(event instanceof KeyboardEvent)) return;
    const places = found();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const place = places[at];
    if (step !== undefined) at = (at + step + places.length) % Math.max(1, places.length);
    else if (event.key === 'Enter' && place !== undefined) go(place.address);
    else return;
    event.preventDefault();
    frame.redraw();
  };

  return {
    open,
    view() {
      if (!isOpen) return h('div.no-palette', { hidden: true });
      const places = found();
      at = Math.min(at, Math.max(0, places.length - 1));
      return h(
        'dialog.palette',
        {
          'aria-label': 'Go to',
          key: 'palette',
          made: showDialog,
          on: { close: leave },
        },
        h('input', {
          type: 'search',
          role: 'combobox',
          'aria-label': 'Pipeline, run or page',
          autofocus: true,
          placeholder: 'Go to a pipeline, run or page',
          'aria-expanded': 'true',
          'aria-controls': 'places',
          'aria-activedescendant': places.length > 0 ? `place-${at}` : null,
          autocomplete: 'off',
          spellcheck: 'false',
          on: {
            keydown: onKey,
            input: ({ target }) => {
              if (target instanceof HTMLInputElement) [find, at] = [target.value, 0];
              frame.redraw();
            },
          },
        }),
        h(
          'ul#places',
          { role: 'listbox', 'aria-label': 'Places' },
          places.map(({ name, kind, address }, index) =>
            h(
              'li',
              {
                id: `place-${index}`,
                role: 'option',
                'aria-selected': String(index === at),
                class: index === at ? 'on' : '',
                title: name,
                on: { click: () => go(address) },
              },
              middle(name),
              h('span.muted', kind),
            ),
          ),
        ),
        places.length === 0 && h('p.muted', runs === undefined ? 'Looking…' : 'Nothing has this name.'),
      );
    },
  };
}
