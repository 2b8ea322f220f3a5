import { readFile } from 'node:fs/promises';
import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { pageScriptModule } from '../../../scripts/page-script.ts';
import { PAGE_SCRIPT } from '../../../src/report/page/page-script-text.ts';

test('the script of the page is bundled from web/ (npm run generate)', async () => {
  const file = new URL('../../../src/report/page/page-script-text.ts', import.meta.url);
  expect((await readFile(file, 'utf8')) === (await pageScriptModule())).toBe(true);
});

test('the script parses, and does not end its element', () => {
  expect(() => new Script(PAGE_SCRIPT)).not.toThrow();
  expect(PAGE_SCRIPT).not.toMatch(/<\/|<!--/);
});
