import { grouped, percent, plural } from '../../../src/text/figures.ts';
import { toSize } from '../../../src/text/size.ts';
import type { Upload } from '../data/upload.ts';
import { type Child, h } from '../view/view.ts';
import { button } from './button.ts';
import { progressScale } from './progress-scale.ts';

interface Uploading {
  /** Files that were there before. */
  readonly there: number;
  readonly to: string;
  readonly go: (upload: Upload) => void;
  readonly stop: () => void;
}

/** Progress of an upload, which can be paused, taken up again and stopped. */
export function uploading(upload: Upload, { to, there, go, stop }: Uploading): Child {
  const share = upload.total === 0 ? 1 : upload.done / upload.total;
  return [
    h(
      'div.headline',
      h(
        'div',
        h('p.hero', percent(share, 0).slice(0, -1), h('small', '%')),
        h(
          'p.note',
          `uploaded: ${grouped(upload.done)} of ${plural(upload.total, 'file')}, ` +
            `${toSize(upload.bytes)}.${there > 0 ? ` ${grouped(there)} were there already.` : ''}`,
        ),
        progressScale(share, percent(share, 0), 'uploaded'),
      ),
      h('dl.facts', h('div', h('dt', 'To'), h('dd', to))),
      upload.error !== undefined && h('p.verdict.bad', { role: 'alert' }, upload.error),
      h('p.verdict', 'You can close this page when the upload is complete; the run goes on without it.'),
    ),
    h(
      'div.actions.ending',
      upload.isPaused
        ? button('button', 'Go on', () => go(upload))
        : button('button', 'Pause', () => upload.pause()),
      button('button', 'Stop the upload', stop),
    ),
  ];
}
