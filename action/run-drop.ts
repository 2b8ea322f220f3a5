import { spawn } from 'node:child_process';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';

/** The steps of action.yml before the comment: the stack, the runs, the report. They leave files, and outputs that name them. */
const COMMAND = path.resolve(import.meta.dirname, '..', 'bin', 'inferdrop.mjs');
const Ended = z.object({ run: z.string() });

const read = (name: string): string => process.env[name] ?? '';
const folder = path.join(read('RUNNER_TEMP'), 'inferdrop-action');
const environment: Record<string, string> = {};

/** Runs a command, whose messages are the log of the step. */
function inferdrop(...args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [COMMAND, ...args, '--stage', read('STAGE')], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...environment },
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', reject).on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Brings the stack up on this machine; the returned function ends it. */
async function startStack(): Promise<() => void> {
  const args = ['up', '--port', '0', '--data', path.join(folder, 'stack'), '--stage', read('STAGE')];
  const child = spawn(process.execPath, [COMMAND, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (!output.includes('alias ')) return;
      for (const [, line = ''] of output.matchAll(/^export (.*)$/gm))
        for (const [, name = '', value = ''] of line.matchAll(/(\w+)=(\S+)/g)) environment[name] = value;
      resolve();
    });
    child.on('error', reject).on('close', (code) => reject(new Error(`the stack ended with ${code}`)));
  });
  return () => void child.kill('SIGINT');
}

/** Drops the folder, and waits for the end of its run; no run where it could not begin. */
async function drop(name: string): Promise<{ readonly code: number; readonly run: string | undefined }> {
  const asked = ['drop', read('FOLDER'), '--pipeline', read('PIPELINE'), '--name', name, '--wait', '--json'];
  const { code, output } = await inferdrop(...asked);
  const last = output.trim().split('\n').at(-1) ?? '';
  const ended = last.startsWith('{') ? Ended.safeParse(JSON.parse(last)) : undefined;
  return { code, run: ended?.success ? ended.data.run : undefined };
}

async function put(source: string): Promise<number> {
  return source === '' ? 0 : (await inferdrop('pipeline', 'put', source, '--name', read('PIPELINE'))).code;
}

/** The run to compare with: the one that was named, or that of the base branch's pipeline. */
async function otherRun(name: string): Promise<string | undefined> {
  if (read('AGAINST') !== '') return read('AGAINST');
  if (read('BASE_PIPELINE_FOLDER') === '' || (await put(read('BASE_PIPELINE_FOLDER'))) !== 0)
    return undefined;
  const { code, run } = await drop(`${name}-base`);
  return code === 1 ? undefined : run;
}

async function judge(): Promise<{ readonly code: number; readonly text: string }> {
  const name = read('DROP_NAME');
  const other = await otherRun(name);
  const isPut = await put(read('PIPELINE_FOLDER'));
  if (isPut !== 0)
    return { code: isPut, text: '### ❌ the pipeline was refused\n\nThe log of the job says why.\n' };
  const { code, run } = await drop(name);
  if (run === undefined) return { code: code || 1, text: '### ❌ no run\n\nThe log of the job says why.\n' };
  await inferdrop('report', run, '--save', path.join(folder, 'report'));
  const against = other === undefined ? [] : ['--against', other];
  const compared = await inferdrop('report', run, '--format', 'github', ...against);
  // A run that ended early has no rows to compare.
  const { output } = compared.code === 0 ? compared : await inferdrop('report', run, '--format', 'github');
  return { code, text: output };
}

await mkdir(path.join(folder, 'report'), { recursive: true });
const stop = read('LAPTOP') === 'true' ? await startStack() : () => undefined;
try {
  const { code, text } = await judge();
  const comment = path.join(folder, 'comment.md');
  await writeFile(comment, text);
  await appendFile(
    read('GITHUB_OUTPUT'),
    `code=${code}\ncomment=${comment}\nreport=${path.join(folder, 'report')}\n`,
  );
} finally {
  stop();
}
