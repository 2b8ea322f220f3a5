import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { encodingOf } from '@inferdrop/table/internal/text-chunks';
import { headOf, labelsWithout } from '../../label/corrected-labels.ts';
import { NamedInputs } from '../../label/label-columns.ts';
import { isJsonLabels } from '../../label/label-rows.ts';
import { keyOfRow, NameForm } from '../../label/truth-in-file.ts';
import type { LocalFile } from './local-files.ts';

/** The text of a label file for each part of a split, or why it can't be split. */
type SplitLabels = { readonly texts: readonly string[] } | { readonly refusal: string };

/**
 * Splits a label file as its inputs are split: each part gets the rows of its own inputs. With `labels.strict` a row
 * about a file that isn't in the drop refuses the run. A row that names none of the inputs stays in each part, so that
 * a mistake is still seen.
 *
 * @throws {LabelFileUnreadable} if a row can't be read
 */
export async function splitLabels(
  { file, relative: name }: LocalFile,
  parts: readonly (readonly LocalFile[])[],
): Promise<SplitLabels> {
  const bytes = await readFile(file);
  const encoding = encodingOf(bytes);
  if (encoding === undefined && !isUtf8(bytes))
    return { refusal: 'is not UTF-8: save it as such, in Excel as "CSV UTF-8"' };
  const text = new TextDecoder(encoding).decode(bytes);
  const form = new NameForm('');
  const nameOf = (cell: string): string => keyOfRow(cell, { bucket: '', prefix: '' });
  const named = new NamedInputs(isJsonLabels(name) ? [] : headOf(text), nameOf);
  const partOf = new Map<string, number>();
  for (const [part, inputs] of parts.entries())
    for (const { relative } of inputs) {
      form.add(relative);
      named.add(relative);
      partOf.set(relative, part);
    }
  const columns = named.decide({ classes: [], column: null, fields: [], onlyKey: true });
  if (!isJsonLabels(name) && 'refusal' in columns) return columns;
  const texts = parts.map((_, own) =>
    labelsWithout({ name, text, columns }, (cell) => {
      const part = partOf.get(inputIn(form.nameOf(nameOf(cell)), partOf));
      return part !== undefined && part !== own;
    }),
  );
  return { texts };
}

/** The input that a row names, which may be the tar with the file that it names. */
function inputIn(named: string, inputs: ReadonlyMap<string, number>): string {
  for (let end = named.length; end > 0; end = named.lastIndexOf('/', end - 1))
    if (inputs.has(named.slice(0, end))) return named.slice(0, end);
  return named;
}
