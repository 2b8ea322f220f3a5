import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';

const engine = path.resolve('packages/savedmodel/engine');
const model = path.resolve(import.meta.dirname, 'fixtures', 'functions');

/** Opens and closes one session; `door` is where ONNX Runtime comes from. */
const session = (door: string) => `
  const { loadModel } = await import(${JSON.stringify(path.join(engine, 'load-model.ts'))});
  const { InferenceSession } = await import(${JSON.stringify(door)});
  const loaded = loadModel(${JSON.stringify(model)});
  const made = await InferenceSession.create(loaded.convert(loaded.signatures[0].name).onnx);
  await made.release();
`;

test('a session of ONNX Runtime leaves nothing in the home folder', () => {
  const home = mkdtempSync(path.join(tmpdir(), 'inferdrop-home-'));
  execFileSync(
    process.execPath,
    ['--input-type=module', '-e', session(path.join(engine, 'onnxruntime.ts'))],
    {
      env: { HOME: home, XDG_CACHE_HOME: path.join(home, 'cache'), PATH: process.env.PATH },
      stdio: 'inherit',
    },
  );
  expect(readdirSync(home, { recursive: true })).toEqual([]);
});
