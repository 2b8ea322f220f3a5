import { normal, wholeNumber } from '../../label/reading.ts';

/** Names of classes in a message. */
const MOST_SHOWN = 20;

/** Numbers by which a model names its classes; undefined if one has another name. */
export function ownNumbers(own: readonly string[]): readonly number[] | undefined {
  const areNumbers = own.every((name) => /^-?\d+$/.test(name) && Number.isSafeInteger(Number(name)));
  return areNumbers ? own.map(Number) : undefined;
}

/**
 * Why `labels.classes` contradicts the model's own classes, with the remedy: otherwise scores would be assigned to the wrong classes.
 *
 * @param own classes in the order of the model's scores
 * @param namesClass whether an answer names its class next to the scores
 */
export function unlikeOwnClasses(
  own: readonly string[],
  classes: readonly string[],
  namesClass: boolean,
): string | undefined {
  const shown = JSON.stringify(own.length > MOST_SHOWN ? [...own.slice(0, MOST_SHOWN), '…'] : own);
  const isIndexed = own.every((name, index) => name === String(index));
  if (own.length !== classes.length)
    return (
      `lists ${classes.length} classes, and the model's own are ${own.length}: ` +
      `${isIndexed ? `list ${own.length}, in the order of its scores` : `set it to ${shown}`}`
    );
  const values = classes.map((name) => wholeNumber(normal(name)));
  // The model's numbers are the classes at their places; a class that is named by another number would be a contradiction.
  const ids = ownNumbers(own);
  if (isIndexed || ids?.every((id, at) => (values[at] ?? id) === id)) return undefined;
  if (own.every((name) => classes.includes(name)))
    return own.every((name, index) => name === classes[index])
      ? undefined
      : `lists the model's own classes in another order than its scores: set it to ${shown}`;
  return namesClass || ids !== undefined
    ? `lists other classes than the model's own: set it to ${shown}`
    : undefined;
}
