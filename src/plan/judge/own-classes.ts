/** Names of classes in a message. */
const MOST_SHOWN = 20;

/**
 * Why `labels.classes` is not what a model itself says of its classes, with the remedy: scores would be taken for those of other classes.
 *
 * @param own classes in the order of the model's scores
 * @param namesClass whether an answer names its class beside the scores, where a number is read as an index of `labels.classes`
 */
export function unlikeOwnClasses(
  own: readonly string[],
  classes: readonly string[],
  namesClass: boolean,
): string | undefined {
  const shown = JSON.stringify(own.length > MOST_SHOWN ? [...own.slice(0, MOST_SHOWN), '…'] : own);
  const isIndexed = own.every((name, index) => name === String(index));
  if (own.length !== classes.length)
    return `lists ${classes.length} classes, and the model's own are ${own.length}: ${isIndexed ? `list ${own.length}, in the order of its scores` : `set it to ${shown}`}`;
  if (isIndexed || own.every((name, index) => name === classes[index] && !isNumber(name))) return undefined;
  if (namesClass && own.every(isNumber))
    return `cannot be told from the model's answers, which name the classes ${shown}, and a number is read as an index from 0: train or convert the model with labels 0, 1, 2, … or with names`;
  if (own.every((name) => classes.includes(name)))
    return own.every((name, index) => name === classes[index])
      ? undefined
      : `lists the model's own classes in another order than its scores: set it to ${shown}`;
  return namesClass
    ? `lists other classes than those that the model's answers name: set it to ${shown}`
    : undefined;
}

function isNumber(name: string): boolean {
  return /^-?\d+$/.test(name);
}
