/** Writes docs/schema/ from the code: `node scripts/write-schemas.ts`. Tests compare them. */
import { mkdir, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { publishedSchemas, toJsonSchema } from '../src/plan/published-schemas.ts';
import { Receipt } from '../src/report/receipt.ts';
import { Report } from '../src/report/report.ts';
import { TrainingPlan } from '../src/training/training-plan.ts';
import { toConfigurationPage } from './configuration-page.ts';

const folder = new URL('../docs/schema/', import.meta.url);
await mkdir(folder, { recursive: true });
const schemas = {
  ...publishedSchemas(),
  'report.schema.json': toJsonSchema(Report, 'inferdrop report.json', 'output'),
  'receipt.schema.json': toJsonSchema(Receipt, 'inferdrop receipt.json', 'output'),
  'training-plan.schema.json': toJsonSchema(TrainingPlan, 'inferdrop plan.json of a training', 'output'),
};
for (const [name, schema] of Object.entries(schemas)) {
  await writeFile(
    new URL(name, folder),
    await format(JSON.stringify(schema), { parser: 'json', ...(await resolveConfig(folder)) }),
  );
}
await writeFile(
  new URL('README.md', folder),
  await format(toConfigurationPage(), { parser: 'markdown', ...(await resolveConfig(folder)) }),
);
