/**
 * Number of a name in a lottery, 0 … 1, the same on every machine: two FNV-1a sums of 32 bits (Fowler, Noll, Vo), mixed as in
 * MurmurHash3. For samples that decide nothing on their own: SHA-256 would take ten times as long.
 */
export function nameDraw(name: string, seed = 0): number {
  let [one, other] = [0x811c9dc5 ^ seed, 0x9747b28c ^ seed];
  for (let at = 0; at < name.length; at++) {
    const unit = name.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other ^ unit, 0x5bd1e995);
  }
  return (mixed(one) * 2 ** 20 + (mixed(other) >>> 12)) / 2 ** 52;
}

function mixed(sum: number): number {
  const first = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
  return (second ^ (second >>> 16)) >>> 0;
}

/**
 * At most `count` of some items, drawn by their names, so that a pattern in the order of the names leaves nothing out;
 * with classes the same number of each, as far as there are as many.
 */
export function drawn<T>(
  items: readonly T[],
  count: number,
  nameOf: (item: T) => string,
  classOf: (item: T) => string = () => '',
): T[] {
  const ranked = [...Map.groupBy(items, classOf).values()].flatMap((of) =>
    of
      .map((item) => ({ item, draw: nameDraw(nameOf(item)) }))
      .toSorted((a, b) => a.draw - b.draw)
      .map(({ item, draw }, rank) => ({ item, draw, rank })),
  );
  return ranked
    .toSorted((a, b) => a.rank - b.rank || a.draw - b.draw)
    .slice(0, count)
    .map(({ item }) => item);
}
