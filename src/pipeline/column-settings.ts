import * as z from 'zod';

const MAX_FEATURES = 10_000;

/** A column by its title, or by its place from 0 if tables have no titles. */
export const Column = z.union([z.string().min(1).max(200), z.int().min(0).max(100_000)]);
export type Column = z.infer<typeof Column>;

/** `columns` of pipeline.json: each row of a drop's tables is an input, and these of its columns are sent. */
export const ColumnSettings = z.strictObject({
  features: z
    .array(Column)
    .min(1)
    .max(MAX_FEATURES)
    .describe(
      'The columns that the model takes, in its order: titles, or places from 0 for tables without titles. Others are not sent.',
    ),
  id: Column.nullable()
    .describe('Column that names a record, such as "patient_id". It is shown in reports and never sent.')
    .default(null),
  ignore: z
    .array(Column)
    .max(MAX_FEATURES)
    .describe('Columns that are known and not sent. Others that are not sent are noted in the plan.')
    .default([]),
  delimiter: z
    .enum([',', ';', '\t', '|'])
    .nullable()
    .describe('Between the cells of CSV. Null: the one under which the titles are all there, else a comma.')
    .default(null),
  form: z
    .enum(['list', 'object'])
    .describe(
      'Form of a record for a model that takes JSON: a list of values, or an object of them by title. A single ' +
        'feature is sent itself as "list".',
    )
    .default('list'),
});
export type ColumnSettings = z.infer<typeof ColumnSettings>;
