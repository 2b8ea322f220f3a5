import { joinTensors, sliceRows } from '@inferdrop/savedmodel/internal/join-tensors';
import {
  InvalidFeeds,
  type NamedTensors,
  type ServableModel,
  type Tensor,
} from '@inferdrop/savedmodel/servable-model';
import { refuse } from './request-refused.ts';
import { shown } from './to-tensor.ts';

/** Outputs by name, each with a row for each record. A classifier's two are `label` and `probabilities`. @throws {RequestRefused} */
export async function predict(model: ServableModel, feeds: NamedTensors): Promise<NamedTensors> {
  const counts = new Set([...feeds.values()].map(({ shape }) => shape[0] ?? 0));
  const [count = 0] = counts;
  if (counts.size !== 1)
    return refuse(`the inputs have different numbers of records: ${[...counts].join(', ')}`);
  const [signature] = model.signatures;
  const fixed = new Set(
    signature?.inputs.flatMap(({ shape }) => (shape ?? []).slice(0, 1)).filter((size) => size >= 0),
  );
  if (fixed.size === 1 && fixed.has(1) && count > 1) {
    const parts: NamedTensors[] = [];
    for (let row = 0; row < count; row++)
      parts.push(
        await run(model, new Map([...feeds].map(([name, all]) => [name, sliceRows(all, row, row + 1)])), 1),
      );
    const names = [...(parts[0]?.keys() ?? [])];
    return new Map(names.map((name) => [name, joinTensors(parts.flatMap((part) => part.get(name) ?? []))]));
  }
  if (fixed.size > 0 && !(fixed.size === 1 && fixed.has(count)))
    return refuse(
      `the model takes ${[...fixed].sort((a, b) => a - b).join(' and ')} records at once, and the request has ${count}`,
    );
  return run(model, feeds, count);
}

async function run(model: ServableModel, feeds: NamedTensors, count: number): Promise<NamedTensors> {
  const signature = model.signatures[0]?.name ?? '';
  const outputs = await model.run(signature, feeds).catch((error: unknown): never => {
    if (error instanceof InvalidFeeds) return refuse(error.message);
    throw error;
  });
  const rows = [...outputs].map(([name, tensor]) => {
    if (tensor.shape[0] === count) return [name, tensor] as const;
    if (count !== 1)
      return refuse(
        `output ${name} has the shape ${shown(tensor.shape)} for ${count} records: it must have a row for each`,
      );
    return [name, { ...tensor, shape: [1, ...tensor.shape] }] as const;
  });
  return labeled(new Map(rows), count);
}

/** Classifiers of converters answer a class and the scores of all, under names that differ. */
function labeled(outputs: NamedTensors, count: number): NamedTensors {
  if (outputs.size !== 2) return outputs;
  const tensors = [...outputs.values()];
  const labels = tensors.filter(({ dtype, data }) => data.length === count && /int|string/.test(dtype));
  const scores = tensors.filter(({ dtype }) => dtype.startsWith('float'));
  const [label] = labels;
  const [probabilities] = scores;
  if (label === undefined || probabilities === undefined || labels.length + scores.length !== 2)
    return outputs;
  return new Map<string, Tensor>([
    ['label', { ...label, shape: [count] }],
    ['probabilities', probabilities],
  ]);
}
