import { LabelIndex } from '../../label/sorted-labels.ts';
import { jsonDocument } from './document.ts';

/** The sorted parts of a run's labels; its key stands in the plan. */
export const labelIndexJson = jsonDocument({
  key: (key: string) => key,
  schema: LabelIndex,
  write: 'replace',
  indent: 2,
});
