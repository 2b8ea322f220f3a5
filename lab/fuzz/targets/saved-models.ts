import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadModel } from '@inferdrop/savedmodel/internal/load-model';
import { modelArchive } from '../../../packages/model-container/test/support/model-archive.ts';
import { damage, DAMAGED_PARTS } from '../../../packages/savedmodel/test/support/damage.ts';
import { readArchive } from '../../../src/model/read-archive.ts';
import { mutateBytes } from '../mutate.ts';
import { type FuzzTarget, refusedByName } from '../target.ts';

interface Model {
  readonly name: string;
  /** Which of its files is another one, and what it holds. */
  readonly file: string;
  readonly bytes: Buffer;
}

const FIXTURES = path.resolve(import.meta.dirname, '../../../packages/savedmodel/test/fixtures');
/** Lengths and tags of the wire format. */
const WORDS = [
  '\xff\xff\xff\xff\x0f',
  '\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01',
  '\x80',
  '\x0a\x00',
  '\x12\xff\x7f',
  '\x08\x00',
  '\x0b',
  '\x0c',
  '\0',
].map((text) => Buffer.from(text, 'latin1'));

/** SavedModels with one damaged file: protocol buffers, an index of variables, their bytes. */
export function open(): FuzzTarget<Model> {
  const folder = mkdtempSync(path.join(tmpdir(), 'fuzz-models-'));
  return {
    name: 'saved-models',
    mostCpuMs: 5_000,
    seeds: DAMAGED_PARTS.map(([name, file]) => ({
      name,
      file,
      bytes: readFileSync(path.join(FIXTURES, name, file)),
    })),
    mutate: ({ name, file, bytes }, chance) => ({
      name,
      file,
      bytes: chance.happens(0.7) ? damage(bytes, chance.below(2 ** 31)) : mutateBytes(bytes, chance, WORDS),
    }),
    async judge({ name, file, bytes }) {
      const model = path.join(folder, name);
      cpSync(path.join(FIXTURES, name), model, { recursive: true });
      writeFileSync(path.join(model, file), bytes);
      const wrong = await refusedByName(['BrokenModel', 'UnsupportedModel', 'InvalidFeeds'], () => {
        const loaded = loadModel(model);
        for (const signature of loaded.signatures) loaded.convert(signature.name);
      });
      if (wrong !== undefined || file !== 'saved_model.pb') return wrong;
      const archive = await modelArchive({ '1/saved_model.pb': bytes });
      const read = await readArchive(
        (async function* () {
          yield archive;
        })(),
      );
      return 'reason' in read ? `a whole archive was refused: ${read.reason}` : undefined;
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}
