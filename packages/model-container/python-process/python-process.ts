import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FrameProcess, FrameProcessOptions } from './frame-process.ts';
import { startFrameProcess } from './frame-process.ts';

export interface PythonProcessOptions extends Pick<FrameProcessOptions, 'onFrame' | 'log'> {
  /** The interpreter, of an environment with what the script imports. */
  readonly python: string;
  readonly script: URL;
  /** Read by the script as its only argument. */
  readonly settings: unknown;
  readonly environment: Readonly<Record<string, string>>;
}

/** Variables that a script is given of the user's shell. It runs as the user: files and processes are as open to it as to them. */
const INHERITED = [
  'PATH',
  'HOME',
  'LANG',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SYSTEMROOT',
  'USERPROFILE',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'REQUESTS_CA_BUNDLE',
];

/** Starts a script that answers frames. It ends by itself when this process does, whatever it is at. */
export function startPythonProcess(options: PythonProcessOptions): FrameProcess {
  const { python, script, settings, environment, onFrame, log } = options;
  const library = fileURLToPath(new URL('./python/', import.meta.url));
  const inherited = INHERITED.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return startFrameProcess({
    command: python,
    args: [fileURLToPath(script), JSON.stringify(settings)],
    env: {
      ...Object.fromEntries(inherited),
      OMP_NUM_THREADS: '1',
      ...environment,
      PYTHONUNBUFFERED: '1',
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONPATH: [library, environment['PYTHONPATH']]
        .filter(Boolean)
        .join(process.platform === 'win32' ? ';' : ':'),
      VIRTUAL_ENV: dirname(dirname(python)),
    },
    name: 'the Python process',
    onFrame,
    log,
  });
}
