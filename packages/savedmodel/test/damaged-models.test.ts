import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadModel } from '../engine/load-model.ts';
import { damage, DAMAGED_PARTS } from './support/damage.ts';

const fixtures = fileURLToPath(new URL('./fixtures/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'damaged-'));

/** Errors that speak of the model; anything else is a fault of the reader, such as reading past an array's end. */
const ANSWERS = ['BrokenModel', 'UnsupportedModel', 'InvalidFeeds'];

test.each(DAMAGED_PARTS)('80 damaged forms of %s/%s are read or refused, and nothing else', (model, file) => {
  cpSync(join(fixtures, model), folder, { recursive: true });
  const whole = readFileSync(join(fixtures, model, file));
  const strange: string[] = [];
  for (let seed = 0; seed < 80; seed++) {
    writeFileSync(join(folder, file), damage(whole, seed));
    try {
      const loaded = loadModel(folder);
      for (const { name } of loaded.signatures) loaded.convert(name);
    } catch (error) {
      if (!(error instanceof Error) || !ANSWERS.includes(error.name))
        strange.push(`seed ${seed}: ${String(error)}`);
    }
  }
  expect(strange).toEqual([]);
});
