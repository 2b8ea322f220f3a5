import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buildEnvironment, EnvironmentFailed } from '@inferdrop/model-container/internal/build-environment';
import { hashFiles, namesFiles } from '@inferdrop/model-container/internal/requirements-digest';
import type { EntryPointKind } from './entry-point.ts';
import type { ScriptFailure } from './failure-reason.ts';

interface RequirementsOptions {
  readonly kind: EntryPointKind;
  /** The source of a host. */
  readonly code: string;
  readonly python: string;
  readonly environmentsDir: string;
  readonly onLine: (line: string) => void;
}

/** The interpreter that the script runs in, or how pip failed. */
export type InstalledRequirements = { readonly python: string } | { readonly failure: ScriptFailure };

/** Whether the container would run pip before the script: a script's `requirements.txt`, a module with `setup.py`. */
export function needsInstall(kind: EntryPointKind, code: string): boolean {
  return kind === 'module' || (kind === 'script' && existsSync(join(code, 'requirements.txt')));
}

/**
 * Installs what the source asks for, as the container does before it starts the script; but into an environment on top of the
 * framework's, which jobs with the same requirements share.
 */
export async function installRequirements(options: RequirementsOptions): Promise<InstalledRequirements> {
  const { kind, code, python, environmentsDir, onLine } = options;
  if (!needsInstall(kind, code)) return { python };
  const file = join(code, 'requirements.txt');
  const requirements = existsSync(file) ? await readFile(file, 'utf8') : undefined;
  const install = [
    ...(kind === 'module' ? ['.'] : []),
    ...(requirements === undefined ? [] : ['-r', 'requirements.txt']),
  ];
  const hash = createHash('sha256').update(JSON.stringify([python, kind, requirements ?? null]));
  if (kind === 'module' || namesFiles(requirements ?? '')) await hashFiles(code, hash);
  onLine(kind === 'module' ? 'Installing module.' : 'Installing dependencies from requirements.txt');
  try {
    return {
      python: await buildEnvironment({
        dir: join(environmentsDir, hash.digest('hex').slice(0, 32)),
        install,
        workDir: code,
        base: python,
        parent: dirname(dirname(python)),
        onLine,
      }),
    };
  } catch (error) {
    if (!(error instanceof EnvironmentFailed)) throw error;
    return {
      failure: {
        errorClass: kind === 'module' ? 'InstallModuleError' : 'InstallRequirementsError',
        returnCode: 1,
        message: error.message,
        command: [python, '-m', 'pip', 'install', ...install],
      },
    };
  }
}
