import { execFile } from 'node:child_process';
import { cpSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { asksForText, HELP_FILE } from '../../scripts/static-help.mjs';
import { namedCommands } from '../../src/cli/command-table.ts';
import { helpTexts } from '../support/help-texts.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

let clone: string;
let files: readonly string[];
beforeAll(() => {
  clone = temporaryFolder('clone-');
  for (const one of ['bin', 'package.json', 'package-lock.json', ...globSync('scripts/*.mjs', { cwd: ROOT })])
    cpSync(path.join(ROOT, one), path.join(clone, one), { recursive: true });
  files = listed();
});
const listed = () => globSync('**', { cwd: clone }).sort();

/** A command line of a clone in which nothing is installed, on a machine without npm. */
async function said(program: string, ...args: string[]) {
  const env = { PATH: clone, HOME: clone };
  const call = promisify(execFile)(process.execPath, [path.join(clone, program), ...args], { env });
  return call.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

it('the texts are those of the commands', async () => {
  const texts = `${JSON.stringify(await helpTexts(), undefined, 2)}\n`;
  await expect(texts).toMatchFileSnapshot(path.join(ROOT, HELP_FILE));
});

it.each(namedCommands().map(([name]) => name))('%s --help asks for a text alone', (name) => {
  expect(asksForText([...name.split(' '), '--help'])).toBe(true);
  expect(asksForText(['help', ...name.split(' ')])).toBe(true);
  expect(asksForText(name.split(' '))).toBe(false);
});

it.each([
  ['bin/inferdrop.mjs', ['up', '--port', '1', '--help'], 'up'],
  ['bin/inferdrop.mjs', ['help', 'endpoints', 'deploy'], 'endpoints deploy'],
  ['bin/inferdrop.mjs', ['endpoints', '-h'], 'endpoints'],
  ['bin/inferdrop.mjs', ['--help'], ''],
  ['bin/inferdrop.mjs', [], ''],
  ['scripts/start.mjs', ['--help'], 'start'],
  ['scripts/deploy.mjs', ['deploy', '--help'], 'deploy'],
] as const)('%s %j prints its help in a clone, and installs nothing', async (program, args, name) => {
  const { [name]: lines } = await helpTexts();
  expect(await said(program, ...args)).toEqual({ code: 0, stdout: `${lines!.join('\n')}\n`, stderr: '' });
  expect(listed()).toEqual(files);
});

it('so does --version; a command that is not there shows the others', async () => {
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  expect(await said('bin/inferdrop.mjs', '--version')).toMatchObject({
    code: 0,
    stdout: `inferdrop ${version}\n`,
  });
  expect(await said('bin/inferdrop.mjs', 'dorp', '--help')).toMatchObject({
    code: 2,
    stdout: expect.stringContaining('Usage: inferdrop COMMAND'),
  });
  expect(listed()).toEqual(files);
});

it('what does something is installed for', async () => {
  expect(await said('bin/inferdrop.mjs', 'runs')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Installing'),
  });
});
