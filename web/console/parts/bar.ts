import type { Place } from '../../../src/api/console/place.ts';
import { dollars } from '../../../src/text/figures.ts';
import { h, type View } from '../view/view.ts';

const PAGES = [
  ['pipelines', 'Pipelines'],
  ['runs', 'Runs'],
  ['try', 'Try'],
  ['endpoints', 'Endpoints'],
  ['messages', 'Messages'],
] as const;

/** The page of the bar that another page belongs to. */
const OF: Readonly<Record<string, string>> = {
  pipeline: 'pipelines',
  new: 'pipelines',
  run: 'runs',
  compare: 'runs',
};

/** The bar above every page; on a phone its pages are at the bottom. */
export function bar(
  { local, stage, region }: Place,
  page: string,
  { todayUsd, goTo }: { readonly todayUsd: number | undefined; readonly goTo: () => void },
): View {
  return h(
    'header',
    { class: 'bar' },
    h(
      'div',
      null,
      h(
        'a',
        { class: 'brand', href: '#/pipelines' },
        'inferdrop ',
        h(
          'span',
          { class: local ? 'place' : 'place aws' },
          local ? 'this machine' : `AWS ${stage}, ${region}`,
        ),
      ),
      h(
        'nav',
        { class: 'nav', 'aria-label': 'Pages' },
        PAGES.map(([name, title]) =>
          h(
            'a',
            { href: `#/${name}`, 'aria-current': (OF[page] ?? page) === name ? 'page' : undefined },
            title,
          ),
        ),
      ),
      h(
        'button',
        {
          type: 'button',
          class: 'plain go-to',
          'aria-keyshortcuts': 'Control+K Meta+K',
          on: { click: goTo },
        },
        'Go to ',
        h('kbd', null, navigator.userAgent.includes('Mac') ? '⌘ K' : 'Ctrl K'),
      ),
      todayUsd === undefined
        ? h('span', { class: 'today' })
        : h('a', { class: 'today', href: '#/pipelines' }, `${dollars(todayUsd)} today`),
      h('a', { class: 'button primary', href: '#/drop' }, 'Drop files'),
    ),
  );
}

/** Says that there is no answer, while the page keeps what it has. */
export function banner(
  lost:
    { readonly detail: string; readonly sinceMs: number; readonly nextMs: number | undefined } | undefined,
): View {
  if (lost === undefined) return h('div', { class: 'no-banner' });
  const since = new Date(lost.sinceMs).toISOString().slice(11, 19);
  const next =
    lost.nextMs === undefined
      ? ''
      : `Trying again in ${Math.max(0, Math.ceil((lost.nextMs - Date.now()) / 1000))} s`;
  return h(
    'div',
    { class: 'banner', role: 'alert' },
    h(
      'div',
      null,
      h('b', null, lost.detail),
      ' ',
      h('span', { class: 'muted' }, `What you see is from ${since} UTC.`),
      ' ',
      h('span', { class: 'muted' }, next),
    ),
  );
}
