import { runTool, ToolMissing } from './run-tool.ts';

/** A Python that can make virtual environments. */
export interface BasePython {
  readonly command: string;
  /** `3.12.4` */
  readonly version: string;
}

/** No usable Python is installed; the message has the command to install it. */
class PythonMissing extends Error {
  override readonly name = 'PythonMissing';
}

const OLDEST = [3, 9] as const;

/** Prints the version and whether environments with pip can be made: Debian splits that off into a package of its own. */
const PROBE = `
import importlib.util, sys
print("%d.%d.%d" % sys.version_info[:3], *[name for name in ("venv", "ensurepip") if importlib.util.find_spec(name) is None])
`;

/**
 * Asks the Python that `INFERDROP_PYTHON` names, or `python3`, what it can do.
 *
 * @throws {PythonMissing} with the command that installs what is missing
 */
export async function findPython(environment: NodeJS.ProcessEnv = process.env): Promise<BasePython> {
  const named = environment.INFERDROP_PYTHON;
  const command = named ?? (process.platform === 'win32' ? 'python' : 'python3');
  const said = await probe(command, named !== undefined);
  const [version = '', ...missing] = said.trim().split(/\s+/);
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major !== OLDEST[0] || minor < OLDEST[1])
    throw new PythonMissing(
      `Python must be ${OLDEST.join('.')} or later, ${command} is ${version}: ${installCommand('')}, or name another ` +
        'one with INFERDROP_PYTHON',
    );
  if (missing.length > 0)
    throw new PythonMissing(
      `${command} (${version}) cannot make virtual environments, it has no ${missing.join(' and no ')}: ` +
        `${installCommand(`${major}.${minor}`)}`,
    );
  return { command, version };
}

async function probe(command: string, named: boolean): Promise<string> {
  try {
    const { code, output } = await runTool(command, ['-c', PROBE]);
    if (code === 0) return output;
    throw new PythonMissing(`${command} does not run (${lastLine(output)}): ${installCommand('')}`);
  } catch (error) {
    if (!(error instanceof ToolMissing)) throw error;
    throw new PythonMissing(
      named
        ? `INFERDROP_PYTHON must name a Python, ${command} is not there`
        : `${command} is not installed on this machine: ${installCommand('')}, or name one with INFERDROP_PYTHON`,
    );
  }
}

function installCommand(version: string): string {
  if (process.platform === 'darwin') return 'install it with "brew install python"';
  if (process.platform === 'win32') return 'install it with "winget install Python.Python.3.12"';
  return (
    `install it with "sudo apt-get install python3 python${version === '' ? '3' : version}-venv" (Debian, Ubuntu) or ` +
    `your system's own package`
  );
}

function lastLine(output: string): string {
  return output.trim().split('\n').at(-1) ?? '';
}
