import { Served } from '../../endpoint/served.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/** What the prediction API knows of a pipeline's endpoint; absent without one. */
export const servedJson = jsonDocument({
  key: bucketLayout.served,
  schema: Served,
  write: 'exchange',
  indent: 2,
});
