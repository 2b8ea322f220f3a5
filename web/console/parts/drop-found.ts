import type { LookedAt } from '../../../src/input/looked-at.ts';
import { grouped, plural } from '../../../src/text/figures.ts';
import { toSize } from '../../../src/text/size.ts';
import type { Sent } from '../data/upload.ts';
import { h, type View } from '../view/view.ts';

/** Kinds and sizes of the chosen files, and those that would not be sent. */
export function foundFiles(
  sent: readonly Sent[],
  left: readonly string[],
  looked: LookedAt | undefined,
): View {
  const bytes = sent.reduce((sum, { file }) => sum + file.size, 0);
  const kinds = new Map<string, number>();
  for (const { path } of sent) {
    const kind = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? 'without ending';
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  const refused = [...(looked?.refused ?? [])];
  const empty = sent.filter(({ file }) => file.size === 0).length;
  return h(
    'aside',
    { 'aria-labelledby': 'what' },
    h('h2#what', plural(sent.length, 'file')),
    h('p.lead', toSize(bytes)),
    h(
      'dl.receipt',
      [...kinds]
        .sort((a, b) => b[1] - a[1])
        .slice(0, 6)
        .flatMap(([kind, count]) => [h('dt', kind), h('dd', grouped(count))]),
      left.length > 0 && [
        h('dt', 'left out'),
        h(
          'dd',
          `${left.slice(0, 5).join(', ')}${left.length > 5 ? `, … ${grouped(left.length)} in all` : ''}`,
        ),
      ],
      refused.length > 0 && [
        h('dt', 'not sent'),
        ...refused.slice(0, 5).map(([path, why]) => h('dd.bad', `${path} ${why}`)),
        refused.length > 5 && h('dd.bad', `${grouped(refused.length)} in all`),
      ],
      empty > 0 && [
        h('dt', 'empty'),
        h('dd.bad', `${plural(empty, 'file')} of 0 bytes will have no prediction`),
      ],
    ),
  );
}
