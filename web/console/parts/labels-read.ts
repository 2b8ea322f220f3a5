import type { LabelPreview } from '../../../src/api/console/label-preview.ts';
import { h, type View } from '../view/view.ts';

/** How the labels of the chosen files would be read, and what would refuse their run. */
export function labelsRead({ title, lines, notes, problems }: LabelPreview): View {
  return h(
    'aside.labels-read',
    { 'aria-labelledby': 'labels-read' },
    h('h2#labels-read', title),
    problems.map((text) => h('p.alarm', { role: 'alert' }, text)),
    lines.length > 0 &&
      h(
        'dl.receipt',
        lines.flatMap(({ label, text }) => [h('dt', label), h('dd', text)]),
      ),
    notes.map((text) => h('p.muted', text)),
  );
}
