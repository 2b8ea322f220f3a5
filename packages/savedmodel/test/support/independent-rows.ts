import { joinTensors, sliceRows } from '@inferdrop/savedmodel/internal/join-tensors';
import type { NamedTensors } from '@inferdrop/savedmodel/servable-model';
import { openModelSession } from '../../engine/model-session.ts';
import { differenceOf, readCases } from './operation-cases.ts';

/**
 * Runs the rows of every `each`th case that is said to keep them apart alone, in another order, and together: `wrong` lists those
 * whose answers differ.
 */
export async function judgeRows(file: string, each = 1) {
  const { model, cases } = readCases(file);
  const wrong: string[] = [];
  let apart = 0;
  for (const one of cases.filter((_, index) => index % each === 0)) {
    const [first] = one.inputs.values();
    const count = first?.shape[0] ?? 0;
    if (count < 2 || [...one.inputs.values()].some(({ shape }) => shape[0] !== count)) continue;
    let converted;
    try {
      converted = model.convert(one.name);
    } catch {
      continue; // refused, which other tests judge
    }
    if (converted.mixedBy !== undefined) continue;
    const session = await openModelSession(converted).catch(() => undefined);
    if (session === undefined) continue;
    const rowOf = (row: number): NamedTensors =>
      new Map([...one.inputs].map(([name, tensor]) => [name, sliceRows(tensor, row, row + 1)]));
    const rows = Array.from({ length: count }, (_, row) => rowOf(count - 1 - row));
    const alone = await Promise.all(rows.map((inputs) => session.run(inputs))).catch(() => undefined);
    const names = [...one.inputs.keys()];
    const joined = new Map(
      names.map((name) => [name, joinTensors(rows.flatMap((inputs) => inputs.get(name) ?? []))]),
    );
    const together = await session.run(joined).catch(() => undefined);
    await session.release();
    if (alone === undefined || together === undefined) continue;
    apart++;
    const expected = new Map(
      [...together.keys()].map((name) => [
        name,
        joinTensors(alone.flatMap((answer) => answer.get(name) ?? [])),
      ]),
    );
    const difference = differenceOf(together, expected, one);
    if (difference !== undefined) wrong.push(`${one.op} ${one.name}: ${difference}`);
  }
  return { apart, wrong };
}
