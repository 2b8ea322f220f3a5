import type { Report } from './report.ts';

/**
 * An order of the classes with mutually confused ones as neighbors: average-linkage clustering of the mutual confusion rates by
 * nearest-neighbor chains (Murtagh 1983), each join turned so that its most similar sides meet. Time and memory are quadratic: the
 * caller has at most `MAX_DRAWN_CLASSES`.
 */
export function similarityOrder({ classes, confusion }: Pick<Report, 'classes' | 'confusion'>): number[] {
  const n = classes.length;
  const alike = mutualRates(classes, confusion);
  const members: (readonly number[] | undefined)[] = Array.from({ length: n }, (_, place) => [place]);
  const linkage = Float32Array.from(alike);
  const chain: number[] = [];
  for (let joins = 0; joins < n - 1; joins++) {
    if (chain.length === 0) chain.push(0);
    for (;;) {
      const top = chain.at(-1) ?? 0;
      const before = chain.at(-2) ?? -1;
      const nearest = nearestTo(top, before, members, linkage, n);
      if (nearest !== before) {
        chain.push(nearest);
        continue;
      }
      chain.length -= 2;
      join(Math.min(top, before), Math.max(top, before), members, linkage, alike, n);
      break;
    }
  }
  return [...(members[0] ?? [])];
}

function mutualRates(classes: Report['classes'], confusion: Report['confusion']): Float32Array {
  const n = classes.length;
  const alike = new Float32Array(n * n);
  for (const [truth, predicted, count] of confusion) {
    if (truth === predicted) continue;
    const rate = count / (classes[truth]?.support ?? count) / 2;
    alike[truth * n + predicted] = (alike[truth * n + predicted] ?? 0) + rate;
    alike[predicted * n + truth] = (alike[predicted * n + truth] ?? 0) + rate;
  }
  return alike;
}

/**
 * The cluster nearest to another one. If distances are equal, the previous cluster of the chain wins, else the first, which keeps chains
 * from cycling.
 */
function nearestTo(
  cluster: number,
  before: number,
  members: readonly (readonly number[] | undefined)[],
  linkage: Float32Array,
  n: number,
): number {
  let nearest = before;
  let best = before < 0 ? -1 : (linkage[cluster * n + before] ?? 0);
  for (let other = 0; other < n; other++) {
    if (other === cluster || members[other] === undefined) continue;
    const likeness = linkage[cluster * n + other] ?? 0;
    if (likeness > best) {
      best = likeness;
      nearest = other;
    }
  }
  return nearest;
}

/** Merges cluster `b` into `a`, the lower number: the first cluster is there until the end. */
function join(
  a: number,
  b: number,
  members: (readonly number[] | undefined)[],
  linkage: Float32Array,
  alike: Float32Array,
  n: number,
): void {
  const left = members[a] ?? [];
  const right = members[b] ?? [];
  const total = left.length + right.length;
  for (let other = 0; other < n; other++) {
    if (other === a || other === b || members[other] === undefined) continue;
    const joint =
      ((linkage[a * n + other] ?? 0) * left.length + (linkage[b * n + other] ?? 0) * right.length) / total;
    linkage[a * n + other] = joint;
    linkage[other * n + a] = joint;
  }
  members[a] = turned(left, right, alike, n);
  members[b] = undefined;
}

function turned(
  left: readonly number[],
  right: readonly number[],
  alike: Float32Array,
  n: number,
): readonly number[] {
  const likeness = (x: number | undefined, y: number | undefined): number =>
    alike[(x ?? 0) * n + (y ?? 0)] ?? 0;
  const ends = [
    { value: likeness(left.at(-1), right[0]), list: () => [...left, ...right] },
    { value: likeness(left.at(-1), right.at(-1)), list: () => [...left, ...right.toReversed()] },
    { value: likeness(left[0], right[0]), list: () => [...left.toReversed(), ...right] },
    { value: likeness(left[0], right.at(-1)), list: () => [...right, ...left] },
  ];
  const best = ends.reduce((found, end) => (end.value > found.value ? end : found));
  return best.list();
}
