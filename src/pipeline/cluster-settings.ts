import * as z from 'zod';
import { DIMENSION_NAME } from '../slice/dimension.ts';
import { SliceSource } from './slice-settings.ts';

const [folder, key, file] = SliceSource.options;
const name = z
  .string()
  .regex(DIMENSION_NAME, 'must be small letters, digits and underscores, such as patient')
  .optional()
  .describe('What a group is, in the singular, such as patient: the report then speaks of "100 patients".');

/** Source of the groups of records that are alike. */
export const ClusterSource = z.discriminatedUnion('from', [
  folder.extend({ name }),
  key.extend({
    name,
    pattern: key.shape.pattern.describe(
      'RE2 regular expression, searched anywhere in the key, of at most 500 characters; its named groups together are ' +
        'the group, as in (?P<patient>p[0-9]+).',
    ),
  }),
  file.extend({ name }),
  z.strictObject({ from: z.literal('object'), name }).describe('Records of one file, members of one tar.'),
]);
export type ClusterSource = z.infer<typeof ClusterSource>;
