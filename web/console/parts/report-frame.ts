import { loads } from '../data/ask.ts';
import { h, type View } from '../view/view.ts';

/** A run's report in place: in a frame with an origin of its own, so that nothing in it has a hold on the console. */
export function reportFrame(run: string): View {
  return h(
    'div.report',
    { key: 'report' },
    h('iframe', {
      sandbox: 'allow-scripts allow-popups allow-downloads',
      title: `Report of ${run}`,
      made: (frame) => {
        followHeight(frame);
        loads('src', `${addressOfReport(run)}?framed=1`)(frame);
      },
    }),
    reportLink(run),
  );
}

/** Link to a run's report in a window of its own. */
export function reportLink(run: string): View {
  return h(
    'p.small.total',
    h(
      'a',
      { made: loads('href', addressOfReport(run)), target: '_blank', rel: 'noopener' },
      'Open the report in a window of its own',
    ),
  );
}

function addressOfReport(run: string): string {
  return `/report/${encodeURIComponent(run)}`;
}

/** Bound, since a report may say anything. */
const MAX_PX = 200_000;

/** The frame is as high as its report says, so that only the page scrolls. */
function followHeight(frame: Element): void {
  const hear = ({ source, data }: MessageEvent): void => {
    if (!frame.isConnected) return removeEventListener('message', hear);
    if (!(frame instanceof HTMLIFrameElement) || source !== frame.contentWindow) return;
    const height = Number(data?.reportHeight);
    if (height > 0 && height <= MAX_PX) frame.style.setProperty('--height', `${height}px`);
  };
  addEventListener('message', hear);
}
