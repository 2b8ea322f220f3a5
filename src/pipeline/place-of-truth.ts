import type { TruthSource } from './label-settings.ts';

/** Words for the place of labels that are in no file of their own. */
export function placeOfTruth(truth: TruthSource): string {
  switch (truth?.from) {
    case 'key':
      return `the keys, by ${JSON.stringify(truth.pattern)}`;
    case 'folder':
      return 'the folders of the inputs';
    case 'member':
      return `the .${truth.extension} files next to the members${truth.path === null ? '' : `, ${truth.path}`}`;
    case 'column':
      return `the column ${JSON.stringify(truth.column)}`;
    case 'record':
      return `the records, ${truth.path}`;
    case 'file':
      return truth.path;
    case undefined:
      return '';
  }
}
