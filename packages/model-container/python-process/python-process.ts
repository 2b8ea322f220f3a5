import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FrameProcess, type FrameProcessOptions, startFrameProcess } from './frame-process.ts';
import { inheritedVariables, pythonLibrary } from './python-library.ts';

interface PythonProcessOptions extends Pick<FrameProcessOptions, 'onFrame' | 'log'> {
  /** The interpreter of an environment with the packages that the script imports. */
  readonly python: string;
  readonly script: URL;
  /** Read by the script as its only argument. */
  readonly settings: unknown;
  readonly environment: Readonly<Record<string, string>>;
}

/** Starts a script that answers frames. It exits when this process does, whatever it's doing. */
export function startPythonProcess(options: PythonProcessOptions): FrameProcess {
  const { python, script, settings, environment, onFrame, log } = options;
  return startFrameProcess({
    command: python,
    args: [fileURLToPath(script), JSON.stringify(settings)],
    env: {
      ...inheritedVariables(),
      OMP_NUM_THREADS: '1',
      ...environment,
      PYTHONUNBUFFERED: '1',
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONPATH: [pythonLibrary(), environment['PYTHONPATH']]
        .filter(Boolean)
        .join(process.platform === 'win32' ? ';' : ':'),
      VIRTUAL_ENV: dirname(dirname(python)),
    },
    name: 'the Python process',
    onFrame,
    log,
  });
}
