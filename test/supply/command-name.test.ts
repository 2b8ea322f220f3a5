import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { ALIAS_LINE } from '../../src/cli/laptop/shell-alias.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const NOT_OURS = new Set(['node_modules', 'build', 'coverage']);
/** Commands that fetch what carries a name in the registry, where nothing of the name is found in the folder. */
const FETCHES =
  /\b(npx|pnpx|bunx|npm (exec|x|i|install|init|create|link)|(pnpm|yarn|bun) (dlx|add|create|x))\b.*[\s/]inferdrop(@|\b(?!\.mjs|-[\d.]+tgz))/;

function* textsBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (NOT_OURS.has(entry.name) || (entry.name.startsWith('.') && entry.name !== '.ci')) continue;
    if (entry.isDirectory()) yield* textsBelow(file);
    else if (/\.(md|ts|mjs|js|cjs|py|html|yml|sh|ini|toml)$|^run$/.test(entry.name)) yield file;
  }
}

it.each([
  'npx inferdrop runs',
  'npm exec -- inferdrop runs',
  'npm install -g inferdrop',
  'yarn dlx inferdrop@latest',
])('knows "%s" as a command that fetches', (command) => expect(command).toMatch(FETCHES));

it.each(['npm install ./inferdrop-0.1.0.tgz', 'inferdrop runs', 'node bin/inferdrop.mjs runs', ALIAS_LINE])(
  'lets "%s" pass',
  (command) => expect(command).not.toMatch(FETCHES),
);

it('tells no one to fetch a name of the registry that is not ours', () => {
  const texts = [...textsBelow(ROOT)].filter((file) => file !== import.meta.filename);
  expect(texts.length).toBeGreaterThan(500);
  const reported = texts.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, at) => (FETCHES.test(line) ? [`${path.relative(ROOT, file)}:${at + 1}: ${line}`] : [])),
  );
  expect(reported).toEqual([]);
});

it('cannot be published, and its name is scoped', () => {
  expect(manifest.private).toBe(true);
  expect(manifest.name).toMatch(/^@[a-z-]+\//);
});

it.skipIf(process.platform === 'win32')('runs from another folder by the alias that the stack prints', () => {
  const stranger = temporaryFolder('inferdrop-stranger-');
  onTestFinished(() => rmSync(stranger, { recursive: true }));
  const said = execFileSync('sh', ['-c', `${ALIAS_LINE}\neval 'inferdrop --version'`], {
    cwd: stranger,
    encoding: 'utf8',
    // A registry that is not there: asking it fails.
    env: { ...process.env, npm_config_registry: 'http://127.0.0.1:1/', BASH_ENV: '', POSIXLY_CORRECT: '1' },
  });
  expect(said).toBe(`inferdrop ${manifest.version}\n`);
});
