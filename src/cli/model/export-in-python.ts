import { mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { describeEngine } from '@inferdrop/model-container/internal/engine-environment';
import { type OwnPython, type ProgramFile, runOwnPython } from './own-python.ts';

const Facts = z.object({
  library: z.string(),
  note: z.string(),
  /** The Python that ran the script. */
  python: z.string(),
  /** Layers that scale pixels, such as Rescaling. */
  scaling: z.array(z.string()),
});

/** A SavedModel that Python wrote. */
export interface Exported extends z.infer<typeof Facts> {
  /** Folder with the folder of its version. */
  readonly folder: string;
}

/**
 * Exports a model as a SavedModel in the Python that made it, or in the one that inferdrop has installed.
 *
 * @throws {Refusal} without leave or TensorFlow, and for a model that TensorFlow doesn't load or export
 */
export async function exportInPython(
  program: ProgramFile,
  scratch: string,
  python: OwnPython = { path: undefined },
): Promise<Exported> {
  const folder = await mkdtemp(path.join(scratch, 'exported-'));
  const sample = path.join(scratch, 'sample.json');
  await writeFile(sample, '{}');
  const { installed, python: own, cost } = describeEngine('tensorflow');
  const instead = `, or run "inferdrop containers install tensorflow" (${cost})`;
  const able = installed ? { usual: own, ...python } : python;
  return { folder, ...Facts.parse(await runOwnPython({ ...program, instead }, sample, folder, able)) };
}
