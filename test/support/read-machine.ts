import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';

const FOLDER = path.resolve(import.meta.dirname, '..', '..', 'statemachines');

/** A state machine of this repository; `${PrepareModelArn}` becomes `prepare-model`, other names what `values` says. */
export async function readMachine(name: string, values: Readonly<Record<string, string>> = {}): Promise<any> {
  const text = JSON.stringify(parse(await readFile(path.join(FOLDER, `${name}.asl.yml`), 'utf8')));
  const filled = text.replace(/\$\{(\w+)\}/g, (placeholder, key: string) => {
    if (Object.hasOwn(values, key)) return values[key] ?? placeholder;
    if (!key.endsWith('Arn')) return key === 'Partition' ? 'aws' : placeholder;
    return key
      .slice(0, -'Arn'.length)
      .replace(/(?<!^)[A-Z]/g, '-$&')
      .toLowerCase();
  });
  return JSON.parse(filled);
}
