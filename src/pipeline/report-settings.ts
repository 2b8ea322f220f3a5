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
const ClusterSource = z.discriminatedUnion('from', [
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
type ClusterSource = z.infer<typeof ClusterSource>;

/** Contents of the report beyond its fixed parts. */
export const ReportSettings = z.strictObject({
  topK: z
    .array(z.int().min(1).max(1000))
    .min(1)
    .max(10)
    .describe('The k of each top-k accuracy shown.')
    .default([1, 5]),
  baseline: z
    .string()
    .regex(
      /^(?:last-passed|[^/]+\/[^/]+\/\d{6}(?:[crs]\d{1,4})?)$/,
      'must be "last-passed" or a run, <pipeline>/<drop>/<generation>',
    )
    .nullable()
    .describe(
      'The run to compare with, on the inputs that both have: <pipeline>/<drop>/<generation>, or "last-passed" for the ' +
        'pipeline’s newest run that passed its gate. Null: no comparison.',
    )
    .default(null),
  images: z
    .boolean()
    .describe(
      'Whether report.html carries thumbnails of images, or the beginnings of texts, from the inputs. False for data that must ' +
        'not be copied: the page then only names the files.',
    )
    .default(true),
  slices: z
    .array(SliceSource)
    .max(8)
    .describe(
      'Dimensions by which accuracy is broken down, 8 at most: {"from": "folder", "level": 1, "name": "site"}, ' +
        '{"from": "key", "pattern": ' +
        '"(?P<camera>cam[0-9]+)"}, {"from": "file", "column": "shift", "name": "shift"} (a further column of the label file), {"from": ' +
        '"image", "property": "brightness", "name": "light"}. A drop cannot change them.',
    )
    .default([]),
  clusters: ClusterSource.nullable()
    .describe(
      'Groups of records that are alike, such as frames of one video or images of one patient: {"from": "folder", ' +
        '"level": 2, "name": "scene"}, ' +
        '{"from": "key", "pattern": "(?P<patient>p[0-9]+)_"}, {"from": "file", "column": "patient"}, {"from": ' +
        '"object"} (records of one file, ' +
        'members of one tar). Records of a group count as fewer, so that intervals and what the gate must prove get wider. A drop cannot ' +
        'change it. Null: each record is taken to be independent of the others.',
    )
    .default(null),
});
export type ReportSettings = z.infer<typeof ReportSettings>;
