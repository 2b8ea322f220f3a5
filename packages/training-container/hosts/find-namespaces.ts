import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOOL_FOLDERS } from '@inferdrop/model-container/internal/find-tool';
import { runTool } from '@inferdrop/model-container/internal/run-tool';
import { TrainingRefused } from '../training-request.ts';
import { missingTools } from './linux-tools.ts';
import { openNamespaces } from './namespaces.ts';

/** Facts that decide whether hosts can be exact. */
export interface NamespaceTrial {
  readonly platform: NodeJS.Platform;
  /** Tools that are not installed, with their packages. */
  readonly missing: Readonly<Record<string, string>>;
  /** Runs a program on one host. */
  readonly open: () => Promise<void>;
}

const INSTEAD = 'or start the stack without --training-hosts exact';

/** Why hosts cannot be exact on this machine, with the remedy; undefined if they can. */
export async function exactHostsProblem({
  platform,
  missing,
  open,
}: NamespaceTrial): Promise<string | undefined> {
  if (platform !== 'linux')
    return `exact hosts need namespaces of Linux, which ${platform} does not have: start the stack without --training-hosts exact`;
  const tools = Object.keys(missing);
  if (tools.length > 0) {
    const packages = [...new Set(Object.values(missing))].join(' ');
    return `exact hosts need ${tools.join(', ')} in ${TOOL_FOLDERS.join(', ')}: install ${packages}, ${INSTEAD}`;
  }
  try {
    await open();
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return (
      `exact hosts need namespaces without root, which this machine refuses (${reason}): allow them ` +
      '(user.max_user_namespaces above 0; on Ubuntu 24.04 "sudo sysctl ' +
      `kernel.apparmor_restrict_unprivileged_userns=0"), ${INSTEAD}`
    );
  }
}

let found: Promise<string | undefined> | undefined;

/**
 * Resolves where hosts can be exact on this machine, which is tried once.
 *
 * @throws {TrainingRefused} with the remedy where they cannot
 */
export async function requireExactHosts(): Promise<void> {
  found ??= exactHostsProblem({
    platform: process.platform,
    missing: missingTools(),
    open: tryOne,
  });
  const problem = await found;
  if (problem !== undefined) throw new TrainingRefused([problem]);
}

async function tryOne(): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'inferdrop-namespaces-'));
  try {
    const optMl = join(root, 'ml');
    await mkdir(optMl);
    const namespaces = await openNamespaces(root, [{ host: 'algo-1', optMl }]);
    try {
      const [program = '', ...args] = [...namespaces.behind('algo-1'), 'true'];
      const { code, output } = await runTool(program, args);
      if (code !== 0) throw new Error(output);
    } finally {
      await namespaces.end();
    }
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
