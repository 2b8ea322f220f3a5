import { readdirSync, readFileSync } from 'node:fs';
import { convertTrees, treeModelKind } from '@inferdrop/trees';
import { mutateBytes } from '../mutate.ts';
import { type FuzzTarget, refusedByName } from '../target.ts';

const FOLDER = new URL('../../../packages/trees/test/fixtures/', import.meta.url);

/** Models of trees in each form: a damaged one is converted, or refused by name. */
export function open(): FuzzTarget<Buffer> {
  return {
    name: 'trees',
    seeds: readdirSync(FOLDER)
      .filter((name) => !name.endsWith('.answers.json'))
      .map((name) => readFileSync(new URL(name, FOLDER))),
    mutate: (seed, chance) => mutateBytes(seed, chance),
    judge: (bytes) =>
      refusedByName(['TreesRefused'], () => {
        treeModelKind(bytes);
        convertTrees(bytes, 'model');
      }),
  };
}
