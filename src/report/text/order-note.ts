import { betterOrder } from '../../metric/class-order.ts';
import type { Tally } from '../../metric/tally.ts';
import { sharePercent } from '../../text/share-percent.ts';

/** Classes that a note lists. */
const MAX_NAMED = 20;

/** A note if another order of `labels.classes` would make most of the wrong predictions right. */
export function orderNotes(tally: Tally): readonly string[] {
  const better = betterOrder(tally);
  if (better === undefined) return [];
  const names = better.places.map((place) => tally.classes.names[place] ?? '');
  const order = names.length > MAX_NAMED ? 'another order' : `the order ${JSON.stringify(names)}`;
  return [
    `labels.classes is perhaps not in the order of the model's outputs: in ${order} the accuracy would be ${sharePercent(better.accuracy)}. ` +
      'Compare it with the order that the model was trained with, correct labels.classes, and rerun',
  ];
}
