import { partBoundsOf, SMALL_CLASSES } from '../gate/bounds-of.ts';
import type { Count } from '../gate/counts.ts';
import type { EarlyPart } from '../gate/early-gate.ts';
import { ClassList } from '../label/class-list.ts';
import { readingBy } from '../label/reading.ts';
import type { ScoringPlan } from './scoring-plan.ts';

/** Classes and slices that the rounds of a run decide, in an order that depends only on the plan. */
export interface EarlyParts {
  readonly parts: readonly EarlyPart[];
  /** Place of the part that a class belongs to. */
  ofClass(name: string): number | undefined;
  /** Place of a slice, by its name. */
  ofSlice(name: string): number | undefined;
}

/** The classes and slices that the gate bounds. The labels of the whole drop say which classes are small enough to be judged together. */
export function earlyParts({
  gate,
  rounds,
  labels,
}: Pick<ScoringPlan, 'gate' | 'rounds' | 'labels'>): EarlyParts {
  const classes = new ClassList(labels.classes);
  const reading = readingBy(labels.classes, labels.reading?.numbers ?? 'names');
  const counts = new Map<string, Count>();
  for (const { label, of } of rounds?.labels ?? []) {
    const name = classes.names[classes.label(label, reading)] ?? label;
    counts.set(name, { right: 0, count: of + (counts.get(name)?.count ?? 0) });
  }
  const bounds = partBoundsOf(gate ?? {}, { classes: counts, slices: [] });
  const placesOf = (kind: EarlyPart['kind']): ReadonlyMap<string, number> =>
    new Map(bounds.flatMap((bound, at) => (bound.kind === kind ? [[bound.name, at] as const] : [])));
  const [recall, slices] = [placesOf('recall'), placesOf('slice')];
  return {
    parts: bounds.map(({ kind, name, floor, minInputs, count }) => ({
      kind,
      name,
      floor,
      minInputs,
      of: kind === 'recall' ? count.count : undefined,
    })),
    ofClass: (name) => recall.get(name) ?? recall.get(SMALL_CLASSES),
    ofSlice: (name) => slices.get(name),
  };
}
