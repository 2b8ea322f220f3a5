import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Refusal } from '../refusal.ts';
import { ROOT } from '../root-folder.ts';
import type { OpenNetwork, PixelNetwork } from './pixel-network.ts';

const SCRIPT = path.join(ROOT, 'src', 'cli', 'init', 'torch_scores.py');
/** Lines of an error that a message quotes. */
const QUOTED = 3;

interface Side {
  readonly height: number;
  readonly width: number;
}

/** A TorchScript network as a Python with PyTorch runs it. @throws {Refusal} if it can't */
export async function torchNetwork(place: string, python: string, side: Side): Promise<PixelNetwork> {
  const { channels, classes, close } = await openTorch(place, python, side);
  await close();
  if (channels !== 1 && channels !== 3)
    throw new Refusal(
      `${place} takes ${channels} channels, and an image has 1 or 3: give --code with an input_fn`,
    );
  return {
    place,
    size: { ...side, channels },
    levels: undefined,
    classes,
    open: () => openTorch(place, python, side),
  };
}

async function openTorch(
  place: string,
  python: string,
  { height, width }: Side,
): Promise<OpenNetwork & { readonly channels: number; readonly classes: number }> {
  const child = spawn(python, [SCRIPT, place, String(height), String(width)], {
    env: { ...process.env, CUDA_VISIBLE_DEVICES: '-1' },
  });
  const said: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line));
  const closed = new Promise<void>((resolve) => {
    child.on('error', (error) => said.push(error.message));
    child.on('close', () => resolve());
  });
  // A process that stops in the middle of an image is told by its answer.
  child.stdin.on('error', () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const numbers = async (): Promise<readonly number[]> => {
    const { value, done } = await lines.next();
    if (done !== true) return value.split(' ').map(Number);
    await closed;
    throw new Refusal(`PyTorch could not run ${place}: ${said.slice(-QUOTED).join('\n')}`);
  };
  const [channels = 0, classes = 0] = await numbers();
  let last: Promise<unknown> = Promise.resolve();
  return {
    channels,
    classes,
    input: { name: 'images', dtype: 'float32', shape: [1, channels, height, width] },
    score({ data }) {
      // One line an image, in their order.
      if (data instanceof Float32Array)
        child.stdin.write(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
      const answer = last.then(numbers);
      last = answer;
      return answer;
    },
    async close() {
      child.stdin.end();
      child.kill();
      await closed;
    },
  };
}
