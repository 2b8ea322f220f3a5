import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadInThisProcess } from '../engine/load-in-this-process.ts';
import { loadOnnx } from '../engine/load-onnx.ts';
import type { ServableModel, Tensor } from '../savedmodel/servable-model.ts';
import { WireWriter } from '../savedmodel/wire-writer.ts';

type Write = (writer: WireWriter) => void;

function message(parts: readonly Write[]): WireWriter {
  const writer = new WireWriter();
  for (const part of parts) part(writer);
  return writer;
}
const int =
  (field: number, value: number): Write =>
  (writer) =>
    writer.int(field, value);
const text =
  (field: number, value: string): Write =>
  (writer) =>
    writer.text(field, value);
const within =
  (field: number, ...parts: Write[]): Write =>
  (writer) =>
    writer.message(field, message(parts));

const [FLOAT, BOOL] = [1, 9];
const value = (field: number, name: string, shape: number[], type = FLOAT): Write =>
  within(
    field,
    text(1, name),
    within(2, within(1, int(1, type), within(2, ...shape.map((size) => within(1, int(1, size)))))),
  );
const node = (operator: string, inputs: string[], output: string, ...attributes: Write[]): Write =>
  within(1, ...inputs.map((name) => text(1, name)), text(2, output), text(4, operator), ...attributes);
const location = (place: string): Write => within(13, text(1, 'location'), text(2, place));
const tensor = (field: number, place: string): Write =>
  within(field, int(1, 1), int(1, 2), int(2, FLOAT), text(8, 'w'), location(place), int(14, 1));
const attribute = (name: string, type: number, content: Write): Write =>
  within(5, text(1, name), content, int(20, type));
const branch = (name: string, place: string): Write =>
  attribute(
    name,
    5,
    within(
      6,
      tensor(5, place),
      node('Identity', ['w'], `${name}_y`),
      value(12, `${name}_y`, [1, 2]),
      text(2, name),
    ),
  );
const ADD = node('Add', ['x', 'w'], 'y');
const PLAIN = [node('Relu', ['x'], 'y')];

/** Graphs that onnxruntime runs, by where their external data stands. */
const RUNNING: Readonly<Record<string, (place: string) => Write[]>> = {
  'an initializer': (place) => [ADD, tensor(5, place)],
  "an attribute's tensor": (place) => [
    node('Constant', [], 'w', attribute('value', 4, tensor(5, place))),
    ADD,
  ],
  'a graph within a graph': (place) => [
    within(1, text(2, 'c'), text(4, 'Constant'), attribute('value', 4, within(5, int(2, BOOL), int(5, 1)))),
    node('If', ['c'], 'w', branch('then_branch', place), branch('else_branch', place)),
    ADD,
  ],
};

interface Parts {
  readonly graph?: Write[];
  readonly model?: Write[];
}

/** Places that no graph here computes with: they are refused like the others. */
const NAMED: Readonly<Record<string, (place: string) => Parts>> = {
  ...Object.fromEntries(
    Object.entries(RUNNING).map(([name, graph]) => [name, (place: string) => ({ graph: graph(place) })]),
  ),
  "an attribute's list of tensors": (place) => ({
    graph: [...PLAIN, node('Constant', [], 'z', attribute('value', 9, tensor(10, place)))],
  }),
  "an attribute's list of graphs": (place) => ({
    graph: [...PLAIN, node('Constant', [], 'z', attribute('value', 10, within(11, tensor(5, place))))],
  }),
  'a sparse initializer': (place) => ({ graph: [...PLAIN, within(15, tensor(1, place))] }),
  'the indices of one': (place) => ({ graph: [...PLAIN, within(15, tensor(2, place))] }),
  'a sparse attribute': (place) => ({
    graph: [...PLAIN, node('Constant', [], 'z', attribute('sparse_value', 11, within(22, tensor(1, place))))],
  }),
  'a list of sparse tensors': (place) => ({
    graph: [...PLAIN, node('Constant', [], 'z', attribute('sparse_value', 12, within(23, tensor(2, place))))],
  }),
  'a function': (place) => ({
    model: [
      within(25, text(1, 'f'), within(7, text(4, 'Constant'), attribute('value', 4, tensor(5, place)))),
    ],
  }),
  "a function's default": (place) => ({ model: [within(25, text(1, 'f'), within(11, tensor(5, place)))] }),
  'the start of a training': (place) => ({ model: [within(20, within(1, tensor(5, place)))] }),
  'the step of a training': (place) => ({ model: [within(20, within(2, tensor(5, place)))] }),
  'a tensor in two parts': (place) => ({
    graph: [
      ...PLAIN,
      node(
        'Constant',
        [],
        'z',
        within(5, text(1, 'value'), within(5, location(place)), within(5, int(14, 1)), int(20, 4)),
      ),
    ],
  }),
  'a second graph': (place) => ({ model: [within(7, tensor(5, place))] }),
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'external-data-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a model of x and y [1, 2]; with `hasMap` also of `map`, from the classes 5 and 6 to y. */
function write({ graph = PLAIN, model = [] }: Parts, hasMap = false): string {
  const map = [
    node('Identity', ['y'], 'scores'),
    within(1, text(1, 'scores'), text(2, 'map'), text(4, 'ZipMap'), text(7, 'ai.onnx.ml'),
      attribute('classlabels_int64s', 7, (writer) => { writer.int(8, 5); writer.int(8, 6); })),
    within(12, text(1, 'map'), within(2, within(4, within(1, within(5, int(1, 7), within(2, within(1, int(1, FLOAT)))))))),
  ]; // prettier-ignore
  const file = join(folder, 'model.onnx');
  const bytes = message([
    int(1, 10),
    within(7, ...graph, value(11, 'x', [1, 2]), value(12, 'y', [1, 2]), ...(hasMap ? map : []), text(2, 'g')),
    within(8, int(2, 18)),
    within(8, text(1, 'ai.onnx.ml'), int(2, 3)),
    ...model,
  ]).toBytes();
  writeFileSync(file, bytes);
  return file;
}

function weights(name: string, values: number[]): void {
  writeFileSync(join(folder, name), Buffer.from(new Float32Array(values).buffer));
}

async function answer(model: ServableModel): Promise<Tensor['data'][]> {
  const x = { dtype: 'float32', shape: [1, 2], data: new Float32Array(2) } as const;
  const outputs = await model.run('onnx', new Map([['x', x]])).finally(() => model.close());
  return [...outputs.values()].map(({ data }) => data);
}

const LOADERS = {
  'in this process': loadInThisProcess,
  'in one of its own': (file: string) => loadOnnx(file, { workers: 1 }),
};

// The working directory of the tests has another package.json: the decoy.
describe.each(Object.entries(RUNNING))('weights of %s', (_name, graph) => {
  describe.each(Object.entries(LOADERS))('%s', (_where, load) => {
    test.each([false, true])('come from the folder of the model (ZipMap: %s)', async (hasMap) => {
      weights('package.json', [1, 2]);
      const answers = await answer(await load(write({ graph: graph('package.json') }, hasMap)));
      expect(answers).toEqual(Array.from({ length: hasMap ? 2 : 1 }, () => Float32Array.of(1, 2)));
    });
  });
});

describe.each(Object.entries(NAMED))('%s', (_name, parts) => {
  test.each([
    ['a file of the working directory', 'package.json'],
    ['a file above', '../weights.bin'],
    ['an absolute path', join(tmpdir(), 'weights.bin')],
    ['a link', 'link.bin'],
    ['a folder by way of a link', 'linked/../weights.bin'],
    ['a folder', '.'],
    ['memory of the process', '*/_ORT_MEM_ADDR_/*'],
    ['nothing', ''],
    ['a name that is cut', 'weights.bin\0.txt'],
  ])('names %s: refused', async (_what, place) => {
    weights('weights.bin', [1, 2]);
    symlinkSync('weights.bin', join(folder, 'link.bin'));
    symlinkSync('.', join(folder, 'linked'));
    for (const hasMap of [false, true])
      await expect(loadInThisProcess(write(parts(place), hasMap))).rejects.toThrow(
        `model.onnx takes weights from ${JSON.stringify(place)}, which is no file of its folder`,
      );
  });
});

test('a tag that readers see differently is refused', async () => {
  const file = write({
    model: [(writer) => writer.message(2 ** 29 + 7, message([tensor(5, 'package.json')]))],
  });
  await expect(loadInThisProcess(file)).rejects.toMatchObject({ name: 'BrokenModel' });
});

test.runIf(process.platform === 'linux')(
  'the process of a model starts in its folder, restricted, with no variable of the program that starts it',
  async () => {
    process.env.SECRET_OF_THE_PARENT = 'x';
    const model = await loadOnnx(write({}), { workers: 1 });
    const children = readdirSync('/proc').filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === folder;
      } catch {
        return false;
      }
    });
    const of = (what: string) => readFileSync(`/proc/${children[0]}/${what}`, 'utf8').split('\0');
    const [variables, command] = [of('environ'), of('cmdline')];
    await model.close();
    expect(children).toHaveLength(1);
    expect(
      variables.filter((one) => one !== '' && !/^(NODE_|PWD=|SHLVL=|_=|LD_LIBRARY_PATH=)/.test(one)),
    ).toEqual([]);
    expect(command).toContain('--permission');
    expect(command).toContain(`--allow-fs-read=${folder}`);
    expect(
      command
        .filter((one) => one.startsWith('--allow'))
        .every((one) => /^--allow-(fs-read=|addons$)/.test(one)),
    ).toBe(true);
  },
);
