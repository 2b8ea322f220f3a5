import type { LogData } from '../../../src/api/console/run-data.ts';
import { time } from '../../../src/text/dates.ts';
import { type Child, h } from '../view/view.ts';

/** Lines that are drawn: the newest. */
const DRAWN = 400;
const BAD = /\b(?:error|exception|traceback|failed)\b/i;

/** Lines that the jobs of a run have written. A screen reader is not told each of them. */
export function logView(log: LogData | undefined, isLive: boolean): Child {
  const lines = log?.lines.slice(-DRAWN) ?? [];
  return [
    h('div.panel-head', h('h2#log', 'Log'), log !== undefined && h('span.small.muted', leftOut(log))),
    lines.length === 0
      ? h(
          'p.muted',
          log === undefined
            ? 'Reading…'
            : log.since !== null
              ? 'No line in this time.'
              : isLive
                ? 'No job has written a line yet.'
                : 'No job has written a line.',
        )
      : h(
          'pre.log',
          { tabindex: '0', role: 'log', 'aria-live': 'off', 'aria-label': 'Log', made: toEnd },
          lines.flatMap(({ at, source, text }) => [
            h('span.time', `${time(at, true)}  ${source.padEnd(9)}  `),
            h('span', { class: BAD.test(text) ? 'bad' : '' }, `${text}\n`),
          ]),
        ),
  ];
}

/** Words about the lines that are left out; empty if none are. */
function leftOut({ lines, cut, since }: LogData): string {
  if (cut || lines.length > DRAWN) return `The last ${DRAWN} lines; inferdrop logs has all.`;
  return since === null ? '' : `Lines since ${time(since)} UTC: the log is long; inferdrop logs has all.`;
}

/** The newest lines are shown first, and followed while the reader has not scrolled up. */
function toEnd(element: Element): void {
  let follows = true;
  element.addEventListener(
    'scroll',
    () => (follows = element.scrollTop + element.clientHeight >= element.scrollHeight - 30),
  );
  const end = (): void => {
    if (follows) element.scrollTop = element.scrollHeight;
  };
  new MutationObserver(end).observe(element, { childList: true });
  requestAnimationFrame(end);
}
