/** `npm run lab -- onnx`: ONNX models that others define, the container's answers against the handler's and their libraries'. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { pythonEnvironment } from '../../python-environment.ts';

const folder = path.resolve(import.meta.dirname, '..', '..', '..', '.venv', 'onnx-models');
rmSync(folder, { recursive: true, force: true });
const steps = [
  [path.join(pythonEnvironment('oracle/onnx'), 'python'), 'make_models.py'],
  [process.execPath, 'compare.ts'],
  [process.execPath, 'whole-way.ts'],
] as const;
for (const [program, script] of steps) {
  const { status } = spawnSync(program, [script, folder], { cwd: import.meta.dirname, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}
