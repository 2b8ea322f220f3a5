import { readdirSync, readFileSync } from 'node:fs';
import { pickle } from '../../../src/models/pickle/source.ts';
import { mutateBytes } from '../mutate.ts';
import { type FuzzTarget, refusedByName } from '../target.ts';

const FOLDER = new URL('../../../test/fixtures/pickles/', import.meta.url);

/** Pickles, which are looked at without running them: a damaged one is described, or refused in words. */
export function open(): FuzzTarget<Buffer> {
  return {
    name: 'pickles',
    seeds: readdirSync(FOLDER).map((name) => readFileSync(new URL(name, FOLDER))),
    mutate: (seed, chance) => mutateBytes(seed, chance),
    judge: (bytes) => refusedByName([], () => pickle.door.kind === 'python' && pickle.door.look(bytes)),
  };
}
