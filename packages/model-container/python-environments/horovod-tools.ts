import { findPython } from './find-python.ts';
import { runTool, ToolMissing } from './run-tool.ts';

/** A build tool of Horovod is missing; the message has the command to install it. */
class HorovodToolMissing extends Error {
  override readonly name = 'HorovodToolMissing';
}

/** TensorFlow 2.15 is published for these minor versions of Python 3. */
const MINORS = { first: 9, last: 11 } as const;

const HAS_HEADERS =
  'import os, sys, sysconfig; sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))';

/**
 * Looks for the tools that Horovod is built with, before anything is downloaded.
 *
 * @throws {HorovodToolMissing} {PythonMissing} with everything that is missing
 */
export async function requireHorovodTools(environment: NodeJS.ProcessEnv = process.env): Promise<void> {
  const { command, version } = await findPython(environment);
  const [, minor = 0] = version.split('.').map(Number);
  const compiler = environment.CXX ?? 'c++';
  const missing: string[] = [];
  if (minor < MINORS.first || minor > MINORS.last)
    missing.push(
      `Python 3.${MINORS.first} to 3.${MINORS.last}, for which TensorFlow 2.15 is published: ${command} is ` +
        `${version}; name another one with INFERDROP_PYTHON`,
    );
  else if (!(await succeeds(command, ['-c', HAS_HEADERS])))
    missing.push(`the header files of Python: ${installCommand(`python3.${minor}-dev`, 'python')}`);
  if (!(await succeeds('cmake', ['--version']))) missing.push(`cmake: ${installCommand('cmake', 'cmake')}`);
  if (!(await succeeds(compiler, ['-std=c++17', '-fsyntax-only', '-x', 'c++', '/dev/null'])))
    missing.push(
      `a compiler of C++17 (${compiler}): ${process.platform === 'darwin' ? 'xcode-select --install' : installCommand('g++', 'gcc')}`,
    );
  if (missing.length > 0)
    throw new HorovodToolMissing(`Horovod is built on this machine, which lacks ${missing.join('; and ')}`);
}

async function succeeds(command: string, args: readonly string[]): Promise<boolean> {
  try {
    return (await runTool(command, args)).code === 0;
  } catch (error) {
    if (error instanceof ToolMissing) return false;
    throw error;
  }
}

function installCommand(debian: string, brew: string): string {
  return process.platform === 'darwin'
    ? `brew install ${brew}`
    : `sudo apt-get install ${debian} (Debian, Ubuntu)`;
}
