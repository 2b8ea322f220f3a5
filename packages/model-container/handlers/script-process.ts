/**
 * Entry of the process that reads Python scripts in Pyodide and runs none of them. It answers one frame.
 */
import { bootPyodide } from './boot-pyodide.ts';
import { openFrameChannel } from './frame-channel.ts';

interface Asked {
  readonly snapshot: string;
  readonly minor: number;
}

const channel = openFrameChannel<Asked>();
const frame = channel.receive();
if (frame === undefined) process.exit(0);
const { snapshot, ...asked } = frame.header;
const python = await bootPyodide({
  snapshot,
  environment: {},
  pythonMinor: asked.minor,
  log: () => undefined,
});
python.globals.set('asked', JSON.stringify(asked));
const findings: string = python.runPython('import python_check; python_check.check_text(asked)');
channel.send({ findings: JSON.parse(findings) });
process.exit(0);
