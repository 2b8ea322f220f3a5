/** The console: a frame with a bar, and one page in it, chosen by the address behind `#`. */
import { type ByPage, findPage } from '../../src/api/console/pages.ts';
import type { PipelinesData } from '../../src/api/console/pipeline-row.ts';
import type { Place } from '../../src/api/console/place.ts';
import { ask, comeIn, reasonOf } from './data/ask.ts';
import type { Frame, OpenPage, Page, Question } from './page.ts';
import { openCompare } from './pages/compare.ts';
import { openDrop } from './pages/drop.ts';
import { openEndpoints } from './pages/endpoints.ts';
import { openMessages } from './pages/messages.ts';
import { openNew } from './pages/new.ts';
import { openPipeline } from './pages/pipeline.ts';
import { openPipelines } from './pages/pipelines.ts';
import { openRun } from './pages/run.ts';
import { openRuns } from './pages/runs.ts';
import { openTry } from './pages/try.ts';
import { banner, bar } from './parts/bar.ts';
import { askFirst } from './parts/dialog.ts';
import { palette } from './parts/palette.ts';
import { draw, h } from './view/view.ts';

const OPEN: ByPage<OpenPage> = {
  pipelines: openPipelines,
  pipeline: openPipeline,
  runs: openRuns,
  run: openRun,
  compare: openCompare,
  try: openTry,
  endpoints: openEndpoints,
  messages: openMessages,
  drop: openDrop,
  new: openNew,
};

/** Interval in which ages and durations are written again. */
const TICK_MS = 1_000;
/** Interval between requests for the cost of the day. */
const COST_MS = 60_000;

const place = await comeIn<Place>('/api/place').catch((error: unknown): never => {
  draw(document.body, h('main', h('h1', 'inferdrop'), h('p', reasonOf(error))));
  throw error;
});
let page: Page | undefined;
let address = '';
let lost:
  { readonly detail: string; readonly sinceMs: number; readonly nextMs: number | undefined } | undefined;
let todayUsd: number | undefined;
let question: Question | undefined;
let isDue = false;
let said = '';

const frame: Frame = {
  place,
  redraw() {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(drawAll);
  },
  lost(detail, retryMs) {
    if (detail === undefined && lost === undefined) return;
    lost =
      detail === undefined
        ? undefined
        : {
            detail,
            sinceMs: lost?.sinceMs ?? Date.now(),
            nextMs: retryMs === undefined ? undefined : Date.now() + retryMs,
          };
    frame.redraw();
  },
  say(text) {
    said = text;
    frame.redraw();
  },
  confirm(asked) {
    question = asked;
    frame.redraw();
  },
};

const goTo = palette(frame);

function drawAll(): void {
  isDue = false;
  draw(
    document.body,
    h('a.skip', { href: '#main', on: { click: skip } }, 'Skip to the page'),
    banner(lost),
    bar(place, address.split('/')[0] ?? '', { todayUsd, goTo: goTo.open }),
    h('main#main', { tabindex: '-1' }, h('div', { key: address }, page?.view())),
    askFirst(question, () => frameless()),
    goTo.view(),
    h('p.sr', { role: 'status' }, said),
  );
  document.title = `${page?.title() ?? 'Console'} · inferdrop`;
}

function frameless(): void {
  question = undefined;
  frame.redraw();
}

/** The address behind # is the page's, so the link can't lead there on its own. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

/** Opens the page that the address names. */
function open(): void {
  // Another console has been started at this port.
  if (location.hash.startsWith('#token=')) return location.reload();
  const wanted = location.hash.replace(/^#\/?/, '') || 'pipelines';
  const isFirst = page === undefined;
  const [name = '', ...parts] = wanted.split('/');
  page?.close?.();
  address = wanted;
  page = OPEN[findPage(name)?.name ?? 'pipelines'](parts.map(decoded), frame);
  frame.redraw();
  scrollTo(0, 0);
  if (!isFirst) document.getElementById('main')?.focus({ preventScroll: true });
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

async function readCost(): Promise<void> {
  const { pipelines } = await ask<PipelinesData>('/api/pipelines');
  todayUsd = pipelines.reduce((sum, row) => sum + row.todayUsd, 0);
  frame.redraw();
}

addEventListener('hashchange', open);
open();
setInterval(() => frame.redraw(), TICK_MS);
const cost = (): void => void readCost().catch(() => undefined);
cost();
setInterval(cost, COST_MS);
