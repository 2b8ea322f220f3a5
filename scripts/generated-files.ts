import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { toScalePage } from '../lab/bench/scale/scale-page.ts';
import { openApiDocument } from '../src/api/openapi.ts';
import { publishedSchemas, toJsonSchema } from '../src/plan/published-schemas.ts';
import { Receipt } from '../src/report/receipt.ts';
import { Report } from '../src/report/report.ts';
import { TrainingPlan } from '../src/training/training-plan.ts';
import { bundleHandlerModule } from './bundle-handler.ts';
import { toConfigurationPage } from './configuration-page.ts';
import { toModelsPage } from './models-page.ts';
import { onnxHandlerModule } from './onnx-handler.ts';
import { pageScriptModule } from './page-script.ts';
import { PAGE_TABLES, withTables } from './page-tables.ts';
import { policies } from './policies.ts';
import { roleWrites } from './role-writes.ts';

/** The text of each file that comes from code, by its path in the repository. */
export async function generatedFiles(root: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map([
    ['src/report/page/page-script-text.ts', await pageScriptModule()],
    ['src/frameworks/bundle-handlers.ts', await bundleHandlerModule()],
    ['src/frameworks/onnx/handler-text.ts', await onnxHandlerModule()],
  ]);
  const ofPolicies = [...(await policies(root))].map(
    ([file, text]) => [`docs/policies/${file}`, text] as const,
  );
  const made = [...documents(), ...(await pagesWithTables(root)), ...ofPolicies];
  for (const [file, text] of made) files.set(file, await formatted(root, file, text));
  return files;
}

function documents(): (readonly [file: string, text: string])[] {
  const schemas = {
    ...publishedSchemas(),
    'report.schema.json': toJsonSchema(Report, 'inferdrop report.json', 'output'),
    'receipt.schema.json': toJsonSchema(Receipt, 'inferdrop receipt.json', 'output'),
    'training-plan.schema.json': toJsonSchema(TrainingPlan, 'inferdrop plan.json of a training', 'output'),
  };
  return [
    ...Object.entries(schemas).map(
      ([name, schema]) => [`docs/schema/${name}`, JSON.stringify(schema)] as const,
    ),
    ['docs/schema/README.md', toConfigurationPage()],
    ['infra/generated/writes.json', JSON.stringify(roleWrites())],
    ['docs/openapi.json', JSON.stringify(openApiDocument())],
    ['docs/models.md', toModelsPage()],
    ['docs/scale.md', toScalePage()],
  ];
}

function pagesWithTables(root: string): Promise<(readonly [file: string, text: string])[]> {
  const pages = [...new Set(PAGE_TABLES.map(({ page }) => page))];
  return Promise.all(
    pages.map(
      async (page) => [page, withTables(page, await readFile(path.join(root, page), 'utf8'))] as const,
    ),
  );
}

/** The text as `npm run format` has it. */
async function formatted(root: string, file: string, text: string): Promise<string> {
  const filepath = path.join(root, file);
  return format(text, { filepath, ...(await resolveConfig(filepath)) });
}
