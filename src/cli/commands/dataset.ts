import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import type { Command } from '../command.ts';
import { cifar10 } from '../dataset/cifar10.ts';
import { BadDataset } from '../dataset/image-record.ts';
import { mnist } from '../dataset/mnist.ts';
import { writeDataset } from '../dataset/write-dataset.ts';
import { plural } from '../../report/figures.ts';
import { UsageError } from '../usage-error.ts';

const SETS = new Map([
  ['cifar10', cifar10],
  ['mnist', mnist],
]);

/** `inferdrop dataset`: an official archive as files that pipelines and training scripts take. */
export function dataset(options: {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}): Command {
  const { name, from, to } = options;
  const open = SETS.get(name);
  if (open === undefined) throw new UsageError(`dataset takes ${[...SETS.keys()].join(' or ')}, is ${name}`);
  return async (terminal) => {
    if (!existsSync(from)) throw new UsageError(`--from ${from} is not there`);
    if (existsSync(to) && readdirSync(to).length > 0)
      throw new UsageError(`--to ${to} must be empty, or new`);
    mkdirSync(to, { recursive: true });
    try {
      const written = await writeDataset(open(from), to, (images) => {
        if (images % 500 === 0) terminal.status(`  ${images} images`);
      });
      for (const [split, images] of written)
        terminal.print(`${split.padEnd(10)} ${plural(images, 'image')} in ${to}/{png,tfrecords,npy}`);
      return 0;
    } catch (error) {
      throw error instanceof BadDataset ? new UsageError(error.message) : error;
    }
  };
}
