import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openerOf, startDetached } from '../../../src/cli/files/open-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it.each([
  ['linux', ['xdg-open', '/r/a b;c.html']],
  ['darwin', ['open', '/r/a b;c.html']],
  ['win32', ['rundll32', 'url.dll,FileProtocolHandler', '/r/a b;c.html']],
] as const)('on %s a file is one argument of a program, and no text of a shell', (platform, command) => {
  expect(openerOf(platform, '/r/a b;c.html')).toEqual(command);
});

it('a program is started with its arguments as they are; one that is not there is noticed', async () => {
  const folder = temporaryFolder('inferdrop-open-');
  const file = path.join(folder, '$(echo x); a');
  const script = `require('node:fs').writeFileSync(process.argv[1], 'opened')`;
  expect(await startDetached([process.execPath, '-e', script, file])).toBe(true);
  await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toBe('opened');
  expect(await startDetached([path.join(folder, 'nothing')])).toBe(false);
});
