import { existsSync, readdirSync } from 'node:fs';
import { plural } from '../../text/figures.ts';
import { cifar10 } from '../dataset/cifar10.ts';
import { BadDataset } from '../dataset/image-record.ts';
import { mnist } from '../dataset/mnist.ts';
import { writeDataset } from '../dataset/write-dataset.ts';
import { defineCommand } from '../define-command.ts';
import { makeFolder } from '../files/make-folder.ts';
import { Refusal } from '../refusal.ts';
import { UsageError } from '../usage-error.ts';

const SETS = new Map([
  ['cifar10', cifar10],
  ['mnist', mnist],
]);

/** `inferdrop dataset`: converts an official archive to files for pipelines and training scripts. */
export const command = defineCommand({
  about: 'Converts an official archive to PNG folders, TFRecords and NumPy files.',
  examples: ['inferdrop dataset cifar10 --from cifar-10-python.tar.gz --to cifar10'],
  page: 'examples/cifar10/README.md',
  options: {
    from: { type: 'string', value: 'FILE', required: true, text: 'the archive' },
    to: { type: 'string', value: 'DIR', required: true, text: 'a new or empty folder' },
  },
  operand: 'cifar10|mnist',
  async run({ options, operand: name }, terminal) {
    const { from, to } = options;
    const open = SETS.get(name);
    if (open === undefined)
      throw new UsageError(`dataset takes ${[...SETS.keys()].join(' or ')}, is ${name}`);
    if (!existsSync(from)) throw new Refusal(`--from ${from} is not there`);
    if (existsSync(to) && readdirSync(to).length > 0) throw new Refusal(`--to ${to} must be empty, or new`);
    await makeFolder(to);
    try {
      const written = await writeDataset(open(from), to, (images) => {
        if (images % 500 === 0) terminal.status(`  ${images} images`);
      });
      for (const [split, images] of written)
        terminal.print(`${split.padEnd(10)} ${plural(images, 'image')} in ${to}/{png,tfrecords,npy}`);
      return 0;
    } catch (error) {
      throw error instanceof BadDataset ? new Refusal(error.message) : error;
    }
  },
});
