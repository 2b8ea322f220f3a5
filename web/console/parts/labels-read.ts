import type { LabelPreview } from '../../../src/api/console/label-preview.ts';
import { h, type View } from '../view/view.ts';

/** How the labels of the chosen files would be read, and what would refuse their run. */
export function labelsRead({ title, lines, notes, problems }: LabelPreview): View {
  return h(
    'aside',
    { class: 'labels-read', 'aria-labelledby': 'labels-read' },
    h('h2', { id: 'labels-read' }, title),
    problems.map((text) => h('p', { class: 'alarm', role: 'alert' }, text)),
    lines.length > 0 &&
      h(
        'dl',
        { class: 'receipt' },
        lines.flatMap(({ label, text }) => [h('dt', null, label), h('dd', null, text)]),
      ),
    notes.map((text) => h('p', { class: 'muted' }, text)),
  );
}
