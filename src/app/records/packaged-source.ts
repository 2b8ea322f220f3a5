import { bucketLayout } from '../../run/bucket-layout.ts';
import { PackagedSource } from '../../training/packaged-source.ts';
import { jsonDocument } from './document.ts';

/** Which archive of source code a training runs. */
export const packagedSourceJson = jsonDocument({
  key: bucketLayout.packagedSource,
  schema: PackagedSource,
  write: 'replace',
  indent: 2,
});
