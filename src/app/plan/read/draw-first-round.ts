import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import type { Frozen } from '../../../drop/frozen.ts';
import { cellOf, cellsFor, DRAW_CELLS, drawOf } from '../../../judging/draw.ts';
import { toPlainPattern } from '../../../label/truth-in-key.ts';
import type { PipelineConfig } from '../../../pipeline/pipeline-config.ts';
import { resolveGate } from '../../../pipeline/resolve-gate.ts';
import type { EngineAsked } from '../../../plan/engine/engine-asked.ts';
import type { PickInputs } from '../../../plan/found.ts';
import type { Problem } from '../../../problem/problem.ts';
import type { RunParts } from '../../../run/run-id.ts';
import { grouped } from '../../../text/figures.ts';
import { readAllInputs } from '../../records/inputs.ts';
import { type Draw, type LabelInOrder, seedOf } from './draw.ts';

/** Cap on the different labels of a drop if rounds decide its classes. */
const MAX_LABELS = 1_000;

/**
 * Draws the first round of a run with a gate that is decided early. Null if the drop is too small for more than one round.
 *
 * @param inOrder opens the labels of all inputs, which bounds of classes need
 */
export async function drawFirstRound(
  store: ObjectStore,
  run: RunParts,
  {
    configuration: { config, speeds },
    planning,
    sending: { bundle },
  }: Pick<EngineAsked, 'configuration' | 'planning' | 'sending'>,
  frozen: Pick<Frozen, 'manifestSlices'>,
  inOrder: (() => LabelInOrder) | undefined,
): Promise<Draw | null> {
  const hasClasses = config.gate?.minRecall !== undefined;
  const labelOf = hasClasses ? inOrder?.() : undefined;
  const byLabel = new Map<string, number>();
  const allowed = planning.largestAllowedBytes(config, bundle) ?? Infinity;
  const seed = seedOf(run, frozen);
  const draw = drawOf(seed);
  const inCells = new Array<number>(DRAW_CELLS).fill(0);
  let [of, bytes, largest] = [0, 0, 0];
  for await (const { name, size, copy } of readAllInputs(store, run)) {
    of += 1;
    const label = copy ? undefined : await labelOf?.(name);
    if (label !== undefined) byLabel.set(label, (byLabel.get(label) ?? 0) + 1);
    const cell = cellOf(draw(name));
    inCells[cell] = (inCells[cell] ?? 0) + 1;
    if (size > allowed) continue;
    bytes += size;
    largest = Math.max(largest, size);
  }
  if (of === 0) return null;
  const { settings: engine } = planning.jobSettings(config, largest, speeds, bundle);
  const first = Math.max(
    planning.objectsOfRound({ objects: of, bytes }, engine),
    resolveGate(config)?.minInputs ?? 1,
  );
  const upTo = cellsFor(first, of);
  const inputs = inCells.slice(0, upTo).reduce((sum, count) => sum + count, 0);
  if (inputs === 0 || inputs === of) return null;
  const pick: PickInputs = async function* (all) {
    for await (const input of all) if (cellOf(draw(input.name)) < upTo) yield input;
  };
  return {
    sample: () => ({ inputs, of, by: 'none', file: 'pipeline.json', seed, classes: [] }),
    rounds: {
      seed,
      of,
      first,
      engine,
      upTo,
      labels: [...byLabel].map(([label, times]) => ({ label, of: times })),
    },
    problems: hasClasses ? labelProblems(config, byLabel.size) : [],
    pick,
  };
}

/** Why the labels of the drop can't be counted by class. */
function labelProblems({ labels }: PipelineConfig, count: number): Problem[] {
  const refuse = (why: string, remedy: string): Problem[] => [
    {
      file: 'pipeline.json',
      field: 'gate.decide',
      value: 'early',
      message: `must be "all" with gate.minRecall where labels.truth ${why}: set it to "all", or ${remedy}`,
    },
  ];
  if (count > MAX_LABELS)
    return refuse(
      `finds ${grouped(count)} different labels, more than ${grouped(MAX_LABELS)}`,
      'correct labels.truth',
    );
  if (labels.truth?.from === 'key' && toPlainPattern(labels.truth.pattern) === undefined)
    return refuse(
      'has a pattern that only RE2 reads, which takes up to milliseconds a key',
      'use a plainer pattern',
    );
  return [];
}
