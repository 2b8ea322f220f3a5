import { CONSOLE_PAGES, findPage } from '../../../src/api/console/pages.ts';
import type { Place } from '../../../src/api/console/place.ts';
import { time } from '../../../src/text/dates.ts';
import { dollars, unbilled } from '../../../src/text/figures.ts';
import { h, type View } from '../view/view.ts';

/** The bar above every page; on a phone its pages are at the bottom. */
export function bar(
  { local, stage, region }: Place,
  page: string,
  { todayUsd, goTo }: { readonly todayUsd: number | undefined; readonly goTo: () => void },
): View {
  const current = findPage(page)?.of ?? page;
  return h(
    'header.bar',
    h(
      'div',
      h(
        'a.brand',
        { href: '#/pipelines' },
        'inferdrop ',
        h(
          'span',
          { class: local ? 'place' : 'place aws' },
          local ? 'this machine' : `AWS ${stage}, ${region}`,
        ),
      ),
      h(
        'nav.nav',
        { 'aria-label': 'Pages' },
        CONSOLE_PAGES.map(
          (row) =>
            'bar' in row &&
            h('a', { href: `#/${row.name}`, 'aria-current': row.name === current && 'page' }, row.bar),
        ),
      ),
      h(
        'button.plain.go-to',
        {
          type: 'button',
          'aria-keyshortcuts': 'Control+K Meta+K',
          on: { click: goTo },
        },
        'Go to ',
        h('kbd', navigator.userAgent.includes('Mac') ? '⌘ K' : 'Ctrl K'),
      ),
      todayUsd === undefined
        ? h('span.today')
        : h(
            'a.today',
            { href: '#/pipelines' },
            local ? `Today ${unbilled(todayUsd)}` : `${dollars(todayUsd)} today`,
          ),
      h('a.button.primary', { href: '#/drop' }, 'Drop files'),
    ),
  );
}

/** Says that there is no answer, while the page keeps what it has. */
export function banner(
  lost:
    { readonly detail: string; readonly sinceMs: number; readonly nextMs: number | undefined } | undefined,
): View {
  if (lost === undefined) return h('div.no-banner');
  const since = time(new Date(lost.sinceMs));
  const next =
    lost.nextMs === undefined
      ? ''
      : `Trying again in ${Math.max(0, Math.ceil((lost.nextMs - Date.now()) / 1000))} s`;
  return h(
    'div.banner',
    { role: 'alert' },
    h(
      'div',
      h('b', lost.detail),
      ' ',
      h('span.muted', `What you see is from ${since} UTC.`),
      ' ',
      h('span.muted', next),
    ),
  );
}
