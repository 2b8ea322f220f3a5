import { expect, test } from 'vitest';
import { frameworkOf } from '../../../src/frameworks/archives.ts';

const LOADS = 'import torch\n\ndef model_fn(model_dir): ...\n';

test.each([
  ['a SavedModel, whatever its script', ['1/saved_model.pb', 'model.pt'], LOADS, 'tensorflow'],
  ['a script that loads the model', ['model.onnx', 'code/inference.py'], LOADS, 'pytorch'],
  ['an ONNX model next to weights', ['model.onnx', 'model.pt'], undefined, 'onnx'],
  ['one with a script that loads nothing', ['model.onnx', 'code/inference.py'], 'pass\n', 'onnx'],
  ['TorchScript', ['model.pt'], undefined, 'pytorch'],
  ['weights', ['net.pth'], undefined, 'pytorch'],
  ['a SavedModel that no container finds', ['saved_model.pb'], undefined, undefined],
  ['a model of trees', ['xgboost-model'], undefined, undefined],
])('%s', (_, files, script, framework) => {
  const scripts = new Map(script === undefined ? [] : [['code/inference.py', script] as const]);
  expect(frameworkOf({ files, scripts })).toBe(framework);
});
