import type { PythonValue } from './python-value.ts';

/** How to start a script, decided by its name and the files next to it. */
export type EntryPointKind = 'script' | 'module' | 'command';

/** sagemaker-training 5.1.4: a relative path of letters, digits and `. _ + - /` that begins with none of `+ - /`. */
const SAFE = /^[A-Za-z0-9._][A-Za-z0-9._+-]*(?:\/[A-Za-z0-9._+-]+)*$/;

/** Why `sagemaker_program` names nothing that the container would start; undefined if it does. */
export function entryPointProblem(program: PythonValue | undefined): string | undefined {
  const where = 'HyperParameters.sagemaker_program';
  if (program === undefined)
    return (
      `${where} must name the script that the container starts, for example "train.py"; it is missing, as are images of ` +
      'your own without script mode: add it, or train through the SageMaker SDK'
    );
  if (typeof program !== 'string' || program === '')
    return `${where} must be a name, for example "train.py", is ${JSON.stringify(String(program))}`;
  if (!SAFE.test(program) || program.split('/').some((part) => part === '.' || part === '..'))
    return (
      `${where} must be a path inside the source folder with letters, digits and . _ + - / only, without "." or ".." as ` +
      `a part, is ${JSON.stringify(program)}: rename the script`
    );
  return undefined;
}

/** `.sh` is a command, anything next to a `setup.py` a module, `.py` a script, the rest commands. */
export function entryPointKind(program: string, hasSetup: boolean): EntryPointKind {
  if (program.endsWith('.sh')) return 'command';
  if (hasSetup) return 'module';
  return program.endsWith('.py') ? 'script' : 'command';
}

/** Why `python -m` can't import an entry point by its name; undefined if it can. */
export function moduleProblem(program: string): string | undefined {
  const name = moduleName(program);
  return /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/.test(name)
    ? undefined
    : 'HyperParameters.sagemaker_program must be a name that Python can import, because the source has a setup.py, is ' +
        `${JSON.stringify(program)}: name the module, for example "trainer.task"`;
}

/** The command of one process, as AWS's training toolkit gives it; `--` keeps a name from being read as an option. */
export function scriptCommand(
  kind: EntryPointKind,
  python: string,
  program: string,
  args: readonly string[],
): readonly string[] {
  switch (kind) {
    case 'script':
      return [python, '--', program, ...args];
    case 'module':
      return [python, '-m', moduleName(program), ...args];
    case 'command':
      return ['/bin/sh', '-c', `./${shellQuoted(program)} ${args.map(shellQuoted).join(' ')}`];
  }
}

function moduleName(program: string): string {
  return program.replace(/\.py$/, '');
}

/** Python's `shlex.quote`. */
function shellQuoted(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}
