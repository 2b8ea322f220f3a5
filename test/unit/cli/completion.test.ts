import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCommandLine } from '../../../src/cli/command-line.ts';
import { COMMANDS } from '../../../src/cli/command-table.ts';
import { silentTerminal } from '../../support/silent-terminal.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const EVERY_COMMAND = [...COMMANDS.keys()];

let folder: string;
beforeAll(async () => {
  folder = temporaryFolder('inferdrop-completion-');
  for (const shell of ['bash', 'zsh', 'fish']) {
    const terminal = silentTerminal();
    await runCommandLine(['completion', shell], terminal);
    writeFileSync(path.join(folder, shell), `${terminal.lines.join('\n')}\n`);
  }
});

/** Words with which the shells go on with what is typed, or FILES. */
type Complete = (...typed: string[]) => readonly string[];

function lines(shell: string, ...args: string[]): readonly string[] {
  const { status, stdout, stderr } = spawnSync(shell, args, { cwd: folder, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return stdout.split('\n').filter((line) => line !== '');
}

const bash: Complete = (...typed) =>
  lines(
    'bash',
    '--norc',
    '-c',
    `compopt() { echo FILES; }; source ./bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _inferdrop; printf '%s\\n' "\${COMPREPLY[@]}"`,
    'bash',
    'inferdrop',
    ...typed,
  );

/** The real `compadd` takes only the candidates that begin like the word. */
const zsh: Complete = (...typed) =>
  lines(
    'zsh',
    '-f',
    '-c',
    `compdef() {}; compadd() { print -l -- "\${(M)@[2,-1]:#\${words[CURRENT]}*}" }; _files() { print FILES }
     source ./zsh; words=(inferdrop "$@"); CURRENT=$#words; _inferdrop`,
    'zsh',
    ...typed,
  );

/** A file of the folder among the candidates stands for all files. */
const fish: Complete = (...typed) => {
  const found = lines(
    'fish',
    '--no-config',
    '-c',
    `source ./fish; complete -C "inferdrop ${typed.join(' ')}"`,
  ).map((line) => line.split('\t')[0]!);
  return found.includes('zsh') && found.includes('fish') && !typed.includes('completion') ? ['FILES'] : found;
};

const isThere = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

describe.each([
  ['bash', bash],
  ['zsh', zsh],
  ['fish', fish],
] as const)('%s', (shell, complete) => {
  const its = it.skipIf(!isThere(shell));

  its('completes the first word', () => {
    expect(complete('')).toEqual(expect.arrayContaining(EVERY_COMMAND));
    expect(complete('en')).toEqual(['endpoints']);
  });

  its('completes the second word of a group, and of nothing else', () => {
    expect([...complete('endpoints', '')].sort()).toEqual(['delete', 'deploy', 'list', 'logs']);
    expect([...complete('endpoints', 'de')].sort()).toEqual(['delete', 'deploy']);
    expect(complete('watch', 'de')).toEqual([]);
  });

  its('completes options of a command, of a group, and of a group alone', () => {
    expect(complete('drop', 'images', '--pi')).toEqual(['--pipeline']);
    expect(complete('endpoints', 'deploy', 'cats', '--r')).toEqual(['--run']);
    expect([...complete('endpoints', '--')].sort()).toEqual(['--help', '--json', '--stage']);
    expect([...complete('endpoints', '--json', '--s')]).toEqual(['--stage']);
  });

  its('completes the words of options and operands', () => {
    expect([...complete('up', '--handlers', '')].sort()).toEqual(['pyodide', 'python']);
    expect([...complete('containers', 'install', 'tensorflow')].sort()).toEqual([
      'tensorflow',
      'tensorflow-horovod',
    ]);
    expect([...complete('completion', '')].sort()).toEqual(['bash', 'fish', 'zsh']);
  });

  its('offers files where a file is wanted, and nothing for names that it does not know', () => {
    expect(complete('drop', '')).toEqual(['FILES']);
    expect(complete('model', 'pack', '-o', '')).toEqual(['FILES']);
    expect(complete('report', 'a/b/000001', '--save', '')).toEqual(['FILES']);
    expect(complete('runs', '--pipeline', '')).toEqual([]);
    expect(complete('watch', '')).toEqual([]);
  });
});

it('other shells are refused', async () => {
  await expect(runCommandLine(['completion', 'tcsh'], silentTerminal())).rejects.toThrow(
    'completion takes bash or zsh or fish, is tcsh',
  );
});
