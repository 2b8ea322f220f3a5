import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ESLint } from 'eslint';
import { parser } from 'typescript-eslint';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const RULE = new URL('../../eslint.variants.js', import.meta.url).href;

const CAKE = {
  type: 'Cake',
  of: 'src/cake-name.ts',
  folders: ['src/cakes'],
  registries: ['src/cakes.ts'],
  also: ['any'],
};

const COMPARED =
  "import type { Cake } from './cake-name.ts';\nexport const is = (cake: Cake) => cake === 'apple';\n";
const TABLE = 'export const price = { apple: 1, plum: 2, pear: 3 };\n';

const FILES: Readonly<Record<string, string>> = {
  'src/cake-name.ts':
    "export const CAKES = ['apple', 'plum', 'pear'] as const;\nexport type Cake = (typeof CAKES)[number];\n",
  'src/compared.ts': COMPARED,
  'src/cakes/compared.ts': COMPARED.replace('./', '../'),
  'src/cakes.ts': `${COMPARED}${TABLE}`,
  'src/table.ts': TABLE,
  'src/part.ts': 'export const price = { apple: 1, plum: 2 };\n',
  'src/list.ts': "export const few = ['apple', 'pear', 'any'];\n",
  'src/switch.ts':
    "import type { Cake } from './cake-name.ts';\nexport function is(cake: Cake | 'any' | undefined) {\n  switch " +
    "(cake) {\n    case 'plum':\n      return 1;\n    default:\n      return 0;\n  }\n}\n",
  // Words of something else: a fruit is no cake, and one word is no list.
  'src/fruit.ts':
    "export const is = (fruit: 'apple' | 'banana') => fruit === 'apple';\nexport const any = (word: string) => word " +
    "=== 'apple';\nexport const bag = { apple: 1, banana: 2 };\nexport const one = ['apple'];\n",
};

let eslint: ESLint;
let folder: string;

beforeAll(async () => {
  folder = temporaryFolder('variants');
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(path.join(folder, path.dirname(name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  await writeFile(
    path.join(folder, 'tsconfig.json'),
    '{"compilerOptions": {"strict": true, "allowImportingTsExtensions": true, "noEmit": true}, "include": ["src"]}',
  );
  eslint = await lintBy(CAKE);
});

async function lintBy(union: object): Promise<ESLint> {
  const { variantNames } = await import(/* @vite-ignore */ RULE);
  return new ESLint({
    cwd: folder,
    overrideConfigFile: true,
    overrideConfig: {
      files: ['**/*.ts'],
      languageOptions: {
        parser,
        // Under CI the parser takes it that each file is linted once, and the test lints one twice.
        parserOptions: {
          project: 'tsconfig.json',
          tsconfigRootDir: folder,
          disallowAutomaticSingleRunInference: true,
        },
      },
      plugins: { variants: { rules: { names: variantNames } } },
      rules: { 'variants/names': ['error', [union]] },
    },
  });
}

async function foundIn(name: string): Promise<readonly (string | undefined)[]> {
  const [result] = await eslint.lintFiles([name]);
  return (result?.messages ?? []).map(({ messageId, message }) => messageId ?? message);
}

test.each([
  ['src/compared.ts', ['compared']],
  ['src/switch.ts', ['compared']],
  ['src/table.ts', ['listed']],
  ['src/part.ts', ['listed']],
  ['src/list.ts', ['listed']],
  ['src/cakes.ts', ['compared']],
  ['src/cakes/compared.ts', []],
  ['src/cake-name.ts', []],
  ['src/fruit.ts', []],
])('%s: %j', async (name, found) => expect(await foundIn(name)).toEqual(found));

test('says which fields to ask for', async () => {
  const [result] = await eslint.lintFiles(['src/compared.ts']);
  expect(result?.messages[0]?.message).toBe(
    'Variants of Cake differ by fields of their objects in src/cakes: ask for such a field, not for "apple".',
  );
});

test('a row that names no union fails, so none can be forgotten by a move', async () => {
  const moved = await lintBy({ ...CAKE, of: 'src/gone.ts' });
  await expect(moved.lintFiles(['src/compared.ts'])).rejects.toThrow(
    /src\/gone\.ts exports no union Cake of texts/,
  );
});
