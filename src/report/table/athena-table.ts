import { sliceColumn } from './prediction-rows.ts';

/** Column types of the rows, as Athena and Glue name them. */
const COLUMNS: readonly (readonly [name: string, type: string])[] = [
  ['key', 'string'],
  ['record_index', 'int'],
  ['line', 'int'],
  ['id', 'string'],
  ['truth', 'string'],
  ['prediction', 'string'],
  ['score', 'double'],
  ['top_k', 'string'],
  ['correct', 'boolean'],
  ['error', 'string'],
];

/** The statement that makes a run's rows a table of Athena. In its DDL, which is Hive's, a backslash escapes quotes and backslashes. */
export function athenaTable(run: string, rowsUri: string, dimensions: readonly string[] = []): string {
  const table = `inferdrop_${run.replace(/[^A-Za-z0-9]+/g, '_').toLowerCase()}`;
  const slices = dimensions.map((name) => [sliceColumn(name), 'string'] as const);
  const columns = [...COLUMNS, ...slices].map(([name, type]) => `  \`${name}\` ${type}`).join(',\n');
  return `CREATE EXTERNAL TABLE IF NOT EXISTS \`${table}\` (
${columns}
)
STORED AS PARQUET
LOCATION '${rowsUri.replace(/['\\]/g, '\\$&')}';
`;
}
