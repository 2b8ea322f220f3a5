import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const MAIN = path.resolve(import.meta.dirname, '..', '..', '..', 'src', 'cli', 'main.ts');

it('ends quietly where its output is no longer read', async () => {
  const child = spawn(process.execPath, [MAIN, 'help'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()));
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(said).toBe('');
});

it.each(['localhost:4820', 'nonsense'])(
  'an AWS_ENDPOINT_URL that is not an address (%s) is named',
  async (url) => {
    const env = { ...process.env, AWS_ENDPOINT_URL: url };
    await expect(promisify(execFile)(process.execPath, [MAIN, 'runs'], { env })).rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: `inferdrop: AWS_ENDPOINT_URL must be an address as http://127.0.0.1:4820 is, is ${url}\n`,
    });
  },
);

it('an error shows control characters of a name as code points, and commands no terminal', async () => {
  await expect(promisify(execFile)(process.execPath, [MAIN, 'a\u001b]0;b\u0007'])).rejects.toMatchObject({
    stderr: 'inferdrop: there is no command a\\u{1b}]0;b\\u{7}: inferdrop --help lists the commands\n',
  });
});

it('a verification whose file cannot be written asks AWS nothing, and names the file', async () => {
  const run = promisify(execFile)(process.execPath, [MAIN, 'verify', '--save', '/gone/away/report.md']);
  await expect(run).rejects.toMatchObject({
    code: 1,
    stderr:
      'inferdrop: /gone/away/report.md is not there, or the folder /gone/away is not: make what is missing, or name another place\n',
  });
});
