import { type Choice, choice } from '../../init/choice.ts';
import { featureColumns, isIdColumn, type LabelColumn } from '../../init/label-column.ts';
import { normal } from '../../label/reading.ts';
import { plural } from '../../text/figures.ts';
import { Refusal } from '../refusal.ts';

/** A title as converters write it: `sepal length (cm)` becomes `sepal_length__cm_`. */
function plain(title: string): string {
  return normal(title)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/**
 * The choices for tables: the columns that the model takes, by their titles or else by their places.
 *
 * @param wanted names of the model's inputs, if it has one for each column
 * @param cells number of the cells that the model takes; undefined if it isn't known
 * @throws {Refusal} if the model takes other columns
 */
export function columnChoices(
  folder: string,
  {
    titles,
    rows,
  }: { readonly titles: readonly string[] | undefined; readonly rows: readonly (readonly string[])[] },
  label: LabelColumn | undefined,
  cells: number | undefined,
  wanted: readonly string[] | undefined,
): { readonly choices: readonly Choice[]; readonly places: readonly number[] } {
  const named = titles && wanted?.map((name) => titles.findIndex((title) => plain(title) === plain(name)));
  // Names that no title has say nothing, as "x0".
  const isNamed = named?.some((at) => at >= 0) === true;
  const places = isNamed ? named : featureColumns(rows, label?.at, cells);
  const missing = isNamed ? wanted?.find((_, at) => places[at] === -1) : undefined;
  if (missing !== undefined)
    throw new Refusal(
      `tables of ${folder} must have a column for each input of the model, and ${JSON.stringify(missing)} is not ` +
        'there: name the columns as the model does',
    );
  const features = places.map((at) => columnOf(titles, at));
  if (cells !== undefined && places.length !== cells)
    throw new Refusal(
      `tables of ${folder} have ${places.length} columns of ` +
        `numbers${label === undefined ? '' : ` besides ${JSON.stringify(columnOf(titles, label.at))}`}, and the model ` +
        `takes ${cells}: leave out the others, or name those that it takes in columns.features of pipeline.json`,
    );
  if (features.includes('') || new Set(features).size < features.length)
    throw new Refusal(`tables of ${folder} must have a title over each column, and each once`);
  const left = (rows[0] ?? []).map((_, at) => at).filter((at) => at !== label?.at && !places.includes(at));
  // A column without a title can't be named; pandas writes its index so.
  const nameable = left.filter((at) => columnOf(titles, at) !== '');
  const id = nameable.find((at) => isIdColumn(rows, at));
  const ignore = nameable.filter((at) => at !== id).map((at) => columnOf(titles, at));
  return {
    places,
    choices: [
      choice(
        'columns.features',
        features,
        `${isNamed ? 'as the model names its inputs' : 'in the order of the file'}; each row is an input`,
      ),
      ...(id === undefined
        ? []
        : [
            choice(
              'columns.id',
              columnOf(titles, id),
              `${plural(rows.length, 'different text')}; shown in reports, not sent`,
            ),
          ]),
      ...(ignore.length === 0 ? [] : [{ field: 'columns.ignore', value: ignore, reason: 'not sent' }]),
    ],
  };
}

/** A column as pipeline.json names it. */
export function columnOf(titles: readonly string[] | undefined, at: number): string | number {
  return titles === undefined ? at : (titles[at] ?? '').trim();
}
