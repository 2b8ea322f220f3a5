import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadInThisProcess } from '@inferdrop/savedmodel/internal/load-in-this-process';
import { tensorOfNumbers } from '@inferdrop/savedmodel/internal/tensor-of-numbers';

/** The answers of a converted model in the engine of the product, a list a row; null is a missing value. */
export async function answersOf(
  onnx: Uint8Array,
  rows: readonly (readonly (number | null)[])[],
): Promise<readonly (readonly number[])[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'trees-'));
  try {
    await writeFile(path.join(folder, 'model.onnx'), onnx);
    const model = await loadInThisProcess(path.join(folder, 'model.onnx'));
    const [{ name, inputs, outputs }] = model.signatures as unknown as [(typeof model.signatures)[number]];
    const dtype = inputs[0]!.dtype as 'float32' | 'float64';
    const cells = rows.flatMap((row) => row.map((cell) => cell ?? NaN));
    const shape = [rows.length, cells.length / rows.length];
    const given = new Map([[inputs[0]!.name, tensorOfNumbers(dtype, shape, cells)]]);
    const answer = (await model.run(name, given)).get(outputs[0]!.name)!;
    await model.close();
    const numbers = Array.from(answer.data as Float32Array);
    const width = answer.shape[1]!;
    return rows.map((_, at) => numbers.slice(at * width, (at + 1) * width));
  } finally {
    await rm(folder, { recursive: true });
  }
}
