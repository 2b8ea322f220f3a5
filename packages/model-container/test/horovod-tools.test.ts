import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { requireHorovodTools } from '../python-environments/horovod-tools.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

/** A folder of programs that end with the given codes, or print a text. */
function programs(all: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder('tools-');
  mkdirSync(folder, { recursive: true });
  for (const [name, script] of Object.entries(all)) {
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(folder, name), 0o755);
  }
  return folder;
}

async function missingOf(tools: Readonly<Record<string, string>>): Promise<string> {
  const folder = programs(tools);
  vi.stubEnv('PATH', folder);
  try {
    await requireHorovodTools({ INFERDROP_PYTHON: path.join(folder, 'python3') });
    return '';
  } catch (error) {
    return String(error);
  } finally {
    vi.unstubAllEnvs();
  }
}

const ALL = { python3: 'echo 3.11.7', cmake: 'exit 0', 'c++': 'exit 0' };

test('a machine with Python, cmake and a compiler can build Horovod', async () => {
  expect(await missingOf(ALL)).toBe('');
});

test('everything that is missing is named at once, with the command that mends it', async () => {
  const said = await missingOf({
    python3: 'case "$2" in *Python.h*) exit 1;; esac; echo 3.10.2',
    'c++': 'exit 1',
  });
  expect(said).toMatch(
    /^HorovodToolMissing: Horovod is built on this machine, which lacks the header files of Python: /,
  );
  expect(said).toContain('; and cmake: ');
  expect(said).toContain('; and a compiler of C++17 (c++): ');
});

test('a Python for which TensorFlow 2.15 is not published is named', async () => {
  expect(await missingOf({ ...ALL, python3: 'echo 3.12.4' })).toContain(
    'Python 3.9 to 3.11, for which TensorFlow 2.15 is published: ',
  );
});
