import { ClassList, TooManyLabels } from '../label/class-list.ts';
import type { TruthLookup } from '../label/truth-in-file.ts';
import { toShownValue } from '../pipeline/shown-value.ts';
import type { Problem } from '../problem/problem.ts';

/** What the labels of some first inputs say against the settings. */
export interface SettledTruth {
  readonly problems: readonly Problem[];
  /** What the reader should know, in sentences. */
  readonly notes: readonly string[];
}

/**
 * Judges `labels.truth` by the first keys of a run. Only what would end the run after it was paid for is refused: inputs
 * without labels are predicted all the same.
 */
export function settleTruth(
  keys: readonly string[],
  truthOf: TruthLookup,
  { classes, labelsFile }: { readonly classes: readonly string[]; readonly labelsFile: string },
): SettledTruth {
  const known = new ClassList(classes);
  let listed = 0;
  let stranger: string | undefined;
  for (const key of keys) {
    const label = truthOf(key, 0);
    if (label === undefined) continue;
    try {
      if (known.resolve(label) < known.listed) listed++;
      else stranger ??= label;
    } catch (error) {
      if (!(error instanceof TooManyLabels)) throw error;
      const message = `finds more than ${known.unlisted.length} labels that labels.classes does not list, such as ${JSON.stringify(label)}: list the classes, or let it find the class alone`;
      return {
        problems: [{ file: labelsFile, field: 'labels.truth', value: toShownValue(label), message }],
        notes: [],
      };
    }
  }
  if (listed > 0 || keys.length === 0) return { problems: [], notes: [] };
  const where = `the first ${keys.length} inputs`;
  const note =
    stranger === undefined
      ? `labels.truth finds no label for ${where}, such as ${JSON.stringify(keys[0])}: without labels there is no accuracy`
      : `labels.truth finds no class of labels.classes for ${where}, but labels such as ${JSON.stringify(stranger)}: they count as classes of their own, which no prediction can be`;
  return { problems: [], notes: [note] };
}
