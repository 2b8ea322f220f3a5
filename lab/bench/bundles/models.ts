import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { modelArchive } from '../../../packages/model-container/test/support/model-archive.ts';
import { rowNetwork } from '../../../packages/model-container/test/support/row-network.ts';
import type { Framework } from '../../../src/frameworks/framework-name.ts';
import { onnx } from '../../../src/frameworks/onnx/archive.ts';
import { random } from '../../../test/support/random.ts';
import { softmaxOnnx } from '../../../test/support/softmax-onnx.ts';
import { ROOT } from '../build-folder.ts';

/** A model, and what it's sent. */
export interface BundledModel {
  readonly title: string;
  readonly framework: Framework;
  readonly image: string;
  readonly classes: number;
  /** Content type of an input. */
  readonly type: string;
  /** The script of the archive, if it has one. */
  readonly own?: string | Uint8Array | undefined;
  readonly archive: () => Promise<Buffer>;
  readonly input: (at: number) => Buffer;
}

const PYTORCH = 'r/pytorch-inference:2.6.0-cpu-py312';
const TENSORFLOW = 'r/tensorflow-inference:2.19.0-cpu';
const EXAMPLE = path.join(ROOT, 'examples', 'fashion-mnist');
const ONNX_FILES = onnx.ownHandler(['model.onnx']);

/** The smallest script of a PyTorch archive that reads CSV. */
const LINEAR = `
import torch
torch.set_num_threads(1)
def model_fn(model_dir):
    torch.manual_seed(1)
    return torch.nn.Sequential(torch.nn.Linear(30, 32), torch.nn.ReLU(), torch.nn.Linear(32, 10), torch.nn.Softmax(1)).eval()
def input_fn(data, content_type):
    return torch.tensor([[float(cell) for cell in data.split(',')]])
def predict_fn(data, model):
    with torch.no_grad():
        return model(data)
`;

/** The models that answer bundles, by the name of their bench. */
export const MODELS: Readonly<Record<string, BundledModel>> = {
  images: {
    title: 'PNG of 28 × 28 pixels, the handler of examples/fashion-mnist, TensorFlow',
    framework: 'tensorflow',
    image: TENSORFLOW,
    classes: 10,
    type: 'application/x-image',
    own: readFileSync(path.join(EXAMPLE, 'code', 'inference.py')),
    archive: () => Promise.resolve(readFileSync(path.join(EXAMPLE, 'model.tar.gz'))),
    input: exampleImages(),
  },
  tensorflow: {
    title: 'rows of CSV, TensorFlow',
    framework: 'tensorflow',
    image: TENSORFLOW,
    classes: 4,
    type: 'text/csv',
    archive: rowNetwork,
    input: rows(6),
  },
  onnx: {
    title: 'rows of CSV, ONNX',
    framework: 'onnx',
    image: PYTORCH,
    classes: 10,
    type: 'text/csv',
    own: ONNX_FILES.find(({ name }) => name === 'code/inference.py')?.body,
    archive: () =>
      modelArchive({
        'model.onnx': Buffer.from(softmaxOnnx(10)),
        ...Object.fromEntries(ONNX_FILES.map(({ name, body }) => [name, Buffer.from(body)])),
      }),
    input: rows(10),
  },
  pytorch: {
    title: 'rows of CSV, PyTorch',
    framework: 'pytorch',
    image: PYTORCH,
    classes: 10,
    type: 'text/csv',
    own: LINEAR,
    archive: () => modelArchive({ 'code/inference.py': LINEAR }),
    input: rows(30),
  },
};

function exampleImages(): (at: number) => Buffer {
  const folder = path.join(EXAMPLE, 'images');
  const names = readdirSync(folder).sort();
  return (at) => readFileSync(path.join(folder, names[at % names.length] ?? ''));
}

function rows(columns: number): (at: number) => Buffer {
  const next = random(7);
  return () => Buffer.from(Array.from({ length: columns }, () => (next() * 10).toFixed(4)).join(','));
}
