import { betterOrder } from '../../metric/class-order.ts';
import { pairsOf } from '../../metric/confusion-counts.ts';
import type { Tally } from '../../metric/tally.ts';
import { sharePercent } from '../../text/share-percent.ts';

/** Classes that a note lists. */
const MAX_NAMED = 20;

/**
 * A note if the model seems to count its classes from 1, or if another order of `labels.classes` would make most of the
 * wrong predictions right.
 */
export function orderNotes(tally: Tally): readonly string[] {
  const { listed } = tally.classes;
  if (countsFromOne(tally))
    return [
      `the model answers the number ${listed} and never 0, and ${listed} classes are counted from 0 to ${listed - 1}: ` +
        'it perhaps counts from 1, and each prediction would be of the class after its own. ' +
        'Set labels.classOffset to -1, and rescore the run',
    ];
  const better = betterOrder(tally);
  if (better === undefined) return [];
  const names = better.places.map((place) => tally.classes.names[place] ?? '');
  const order = names.length > MAX_NAMED ? 'another order' : `the order ${JSON.stringify(names)}`;
  return [
    `labels.classes is perhaps not in the order of the model's outputs: in ${order} the accuracy would be ` +
      `${sharePercent(better.accuracy)}. ` +
      'Compare it with the order that the model was trained with, correct labels.classes, and rerun',
  ];
}

function countsFromOne({ classes, classOffset, confusion, unlabeled }: Tally): boolean {
  const { names, listed } = classes;
  const predicted = new Set(unlabeled.keys());
  for (const pair of pairsOf(confusion)) predicted.add(pair.predicted);
  const others = [...predicted].filter((id) => id >= listed).map((id) => names[id]);
  return classOffset === 0 && !predicted.has(0) && others.length === 1 && others[0] === `#${listed}`;
}
