import { type DropParts, RunParts } from '../../src/run/run-id.ts';

/** The run of a name: `aRun('cats/monday/000001')`, `aRun('training/cats/monday/000001')`. */
export const aRun = (name: string): RunParts => RunParts.parse(name);

/** The drop of a name: `aDrop('cats/monday')`, `aDrop('training/cats/monday')`. */
export const aDrop = (name: string): DropParts => {
  const { kind, pipeline, drop } = aRun(`${name}/000001`);
  return { kind, pipeline, drop };
};
