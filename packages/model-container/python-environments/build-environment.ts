import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { findPython } from './find-python.ts';
import { runTool, type ToolOptions, type ToolResult } from './run-tool.ts';

/** A virtual environment and what goes into it. */
export interface EnvironmentPlan {
  /** Its folder, which exists if and only if it is complete. */
  readonly dir: string;
  /** Arguments of `pip install`: packages, or `-r` and a file. None leaves the environment bare. */
  readonly install: readonly string[];
  /** Arguments of a second `pip install`, when that is there, and the variables that a build from source reads. */
  readonly after?: {
    readonly install: readonly string[];
    readonly environment?: Readonly<Record<string, string>>;
  };
  /** Called with its Python when all is installed, before it is moved to its place. */
  readonly complete?: (python: string) => Promise<void>;
  /** The command that does the same by hand; `install` by default. */
  readonly spoken?: readonly string[];
  /** Folder that relative paths in a requirements file start from. */
  readonly workDir?: string;
  /** The interpreter that makes it; what `findPython` finds by default. */
  readonly base?: string;
  /** Another environment with packages that are visible here and count as installed. */
  readonly parent?: string;
  /** Called with each line of pip. */
  readonly onLine?: (line: string) => void;
}

/** pip couldn't install the packages; the last part of the message is a command to try again by hand. */
export class EnvironmentFailed extends Error {
  override readonly name = 'EnvironmentFailed';
}

/** Builds under way in this process: callers of the same environment share one build. */
const building = new Map<string, Promise<string>>();
let builds = 0;

/** Whether the environment has been built. */
export function hasEnvironment(dir: string): boolean {
  return existsSync(dir);
}

/** The Python of an environment. */
export function environmentPython(dir: string): string {
  return process.platform === 'win32' ? join(dir, 'Scripts', 'python.exe') : join(dir, 'bin', 'python');
}

/**
 * Gives the Python of an environment, which is built first if it is not there. It is built elsewhere and moved to its
 * place whole, so that neither a failure nor a crash, nor another process at the same work, leaves half of one.
 *
 * @throws {PythonMissing} {EnvironmentFailed}
 */
export async function buildEnvironment(plan: EnvironmentPlan): Promise<string> {
  const { dir } = plan;
  if (hasEnvironment(dir)) return environmentPython(dir);
  const underway = building.get(dir);
  if (underway) return underway;
  const build = make(plan).finally(() => building.delete(dir));
  building.set(dir, build);
  return build;
}

async function make(plan: EnvironmentPlan): Promise<string> {
  const { dir, install, after, workDir, parent, onLine } = plan;
  const base = plan.base ?? (await findPython()).command;
  await mkdir(dirname(dir), { recursive: true, mode: 0o700 });
  await removeAbandoned(dir);
  const site = `${dir}.${process.pid}.${++builds}.building`;
  const options = { ...(workDir !== undefined && { cwd: workDir }), ...(onLine && { onLine }) };
  try {
    const made = await runTool(base, ['-m', 'venv', site], options);
    if (made.code !== 0)
      throw new EnvironmentFailed(
        `A virtual environment cannot be made in ${dirname(dir)}: ${toReason(made)}`,
      );
    if (parent !== undefined) await showPackagesOf(parent, site);
    if (install.length > 0)
      await pipInstall({ base, site, install, spoken: plan.spoken ?? install, options });
    if (after !== undefined)
      await pipInstall({
        base,
        site,
        install: after.install,
        spoken: after.install,
        options: { ...options, environment: after.environment ?? {} },
      });
    await plan.complete?.(environmentPython(site));
    await moveIntoPlace(site, dir);
    return environmentPython(dir);
  } catch (error) {
    await rm(site, { recursive: true, force: true });
    throw error;
  }
}

const PIP = ['-m', 'pip', 'install', '--no-input', '--disable-pip-version-check', '--progress-bar', 'off'];

async function pipInstall({
  base,
  site,
  install,
  spoken,
  options,
}: {
  readonly base: string;
  readonly site: string;
  readonly install: readonly string[];
  readonly spoken: readonly string[];
  readonly options: ToolOptions;
}): Promise<void> {
  const installed = await runTool(environmentPython(site), [...PIP, ...install], options);
  if (installed.code === 0) return;
  const packages = spoken.map(quoted).join(' ');
  const variables = Object.entries(options.environment ?? {}).map(([name, value]) => `${name}=${value} `);
  throw new EnvironmentFailed(
    `pip cannot install ${packages}: ${toReason(installed)}. To try it by hand: ${base} -m venv try && ` +
      `${variables.join('')}${environmentPython('try')} -m pip install ${packages}`,
  );
}

/** Another process may have been faster: then its environment is used. */
async function moveIntoPlace(site: string, dir: string): Promise<void> {
  try {
    await rename(site, dir);
  } catch (error) {
    if (!hasEnvironment(dir)) throw error;
    await rm(site, { recursive: true, force: true });
  }
}

/** Folders left by killed processes; live processes' folders are in use. */
async function removeAbandoned(dir: string): Promise<void> {
  for (const name of await readdir(dirname(dir))) {
    const [, pid] = name.startsWith(`${basename(dir)}.`) ? (/\.(\d+)\.\d+\.building$/.exec(name) ?? []) : [];
    if (pid !== undefined && !isAlive(Number(pid)))
      await rm(join(dirname(dir), name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Folder of the packages of an environment. */
export async function sitePackages(python: string): Promise<string> {
  const { output } = await runTool(python, ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))']);
  return output.trim();
}

/** pip looks along `sys.path`, so what the parent has, by its .pth files also, is neither downloaded nor installed again. */
async function showPackagesOf(parent: string, site: string): Promise<void> {
  const theirs = await sitePackages(environmentPython(parent));
  const ours = await sitePackages(environmentPython(site));
  await writeFile(
    join(ours, '_inferdrop_parent.pth'),
    `import site; site.addsitedir(${JSON.stringify(theirs)})\n`,
  );
}

/** pip says why in its lines that begin with ERROR. */
function toReason({ code, output }: ToolResult): string {
  const lines = output.split('\n').map((line) => line.trim());
  const errors = lines.filter((line) => line.startsWith('ERROR:')).map((line) => line.slice(7));
  const reason = errors.length > 0 ? errors.join('; ') : lines.filter((line) => line !== '').at(-1);
  return reason === undefined ? `it ended with code ${code}` : reason.slice(0, 500);
}

function quoted(text: string): string {
  return /^[\w./@:=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
