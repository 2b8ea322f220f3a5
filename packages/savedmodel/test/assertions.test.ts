import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createJointRuns } from '../engine/joint-runs.ts';
import { loadModel } from '../engine/load-model.ts';
import { openModelSession } from '../engine/model-session.ts';
import { remarksOn } from '../engine/remarks.ts';
import { assertedMessage, assertionsAmong } from '../savedmodel/assertions.ts';
import { type GraphNode, parseTensorRef } from '../savedmodel/graph-node.ts';
import { runningNodes } from '../savedmodel/running-nodes.ts';
import type { NamedTensors, Tensor } from '../savedmodel/servable-model.ts';
import { WireWriter } from '../savedmodel/wire-writer.ts';

type Answer = Readonly<Record<string, unknown>>;

/** Made by TensorFlow: fixtures/make_assertions.py. */
const fixtures = new URL('./fixtures/', import.meta.url);
const {
  feeds,
  answers,
}: {
  feeds: { x: number[][][]; texts: string[][] };
  answers: Record<string, Answer[]>;
} = JSON.parse(readFileSync(new URL('assertions.json', fixtures), 'utf8'));
const model = loadModel(new URL('assertions', fixtures).pathname);

function numbers(rows: readonly (readonly number[])[]): NamedTensors {
  return new Map([
    ['x', { dtype: 'float32', shape: [rows.length, 2], data: Float32Array.from(rows.flat()) }],
  ]);
}

function texts(words: readonly string[]): NamedTensors {
  return new Map([
    ['texts', { dtype: 'string', shape: [words.length], data: words.map((word) => Buffer.from(word)) }],
  ]);
}

/** What TensorFlow says; what it shows of tensors that are no constants may be left out. */
function saysLike(message: string, expected: unknown): boolean {
  const [, own = ''] = /^Node \S+ \(Assert\): (assertion failed: .*)$/.exec(message) ?? [];
  const pattern = own.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('\\[\\.\\.\\.\\]', '\\[.*\\]');
  return own !== '' && new RegExp(`^${pattern}$`).test(String(expected));
}

function plain({ dtype, data }: Tensor): unknown[] {
  return dtype === 'string' ? data.map(String) : Array.from<unknown>(data);
}

async function answersOf(name: string) {
  const session = await openModelSession(model.convert(name));
  const isOfTexts = model.signatures.find((one) => one.name === name)?.inputs[0]?.dtype === 'string';
  const requests = isOfTexts ? feeds.texts.map(texts) : feeds.x.map(numbers);
  const results = await Promise.allSettled(requests.map((request) => session.run(request)));
  await session.release();
  return results;
}

test.each(Object.keys(answers).filter((name) => name !== 'unconvertible'))(
  '%s: a request is refused where TensorFlow refuses it, in its words',
  async (name) => {
    expect(model.convert(name).unchecked).toEqual([]);
    const results = await answersOf(name);
    results.forEach((result, place) => {
      const expected = answers[name]![place]!;
      if (result.status === 'rejected') {
        expect(result.reason.name).toBe('InvalidFeeds');
        expect(result.reason.message).toSatisfy((said: string) => saysLike(said, expected.error));
      } else {
        expect([...result.value.keys()].sort()).toEqual(Object.keys(expected).sort());
        for (const [output, tensor] of result.value)
          plain(tensor).forEach((value, at) => {
            const right = (expected[output] as unknown[])[at];
            if (typeof right === 'number') expect(Number(value)).toBeCloseTo(right, 5);
            else expect(value).toBe(right);
          });
      }
    });
  },
);

test('an assertion that cannot be converted is named, and the others are checked', async () => {
  const converted = model.convert('unconvertible');
  expect(converted.unchecked).toEqual([expect.stringMatching(/\/assert_less\/Assert\/AssertGuard$/)]);
  expect(remarksOn(converted)).toEqual([
    expect.stringContaining(
      'assertions of unconvertible are not checked, and a request that fails one is answered, which TensorFlow ' +
        `refuses: ${converted.unchecked[0]}`,
    ),
  ]);
  const results = await answersOf('unconvertible');
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test.each([
  ['static', 1],
  ['compiled', 0],
])('what always holds, or what TensorFlow leaves out, costs nothing: %s', (name, guards) => {
  const { onnx, mixedBy } = model.convert(name);
  expect(Buffer.from(onnx!).toString('latin1').split('assertion failed').length - 1).toBe(guards);
  expect(mixedBy).toBeUndefined();
});

test('an assertion about texts is checked before the network', () => {
  const { before, onnx } = model.convert('words');
  expect(before.nodes.at(-1)?.op).toBe('Assert');
  expect(Buffer.from(onnx!).includes('assertion failed')).toBe(false);
});

test('of requests in one batch only the guilty one fails', async () => {
  const converted = model.convert('below');
  expect(remarksOn(converted)).toEqual([]);
  const session = await openModelSession(converted);
  const sizes: (number | undefined)[] = [];
  const run = createJointRuns({
    prepare: (given) => session.prepare(given),
    infer(inputs) {
      sizes.push(inputs.get('x')?.shape[0]);
      return session.infer(inputs);
    },
  });
  const good = [
    [1, 2],
    [3, 4],
  ].map((row) => numbers([row]));
  for (let time = 0; time < 2; time++) await run(good);
  sizes.length = 0;
  const [first, second] = await run([numbers([[4, 3]]), numbers([[1, 9]])]);
  await session.release();
  expect(sizes).toEqual([2, 1, 1]);
  expect(first).toMatchObject({ status: 'fulfilled' });
  expect(second).toMatchObject({ status: 'rejected', reason: { name: 'InvalidFeeds' } });
});

test('an assertion about the whole batch keeps requests apart', () => {
  expect(model.convert('mean').mixedBy).toMatch(/^Mean /);
});

function node(text: string, controls: readonly string[] = []): GraphNode {
  const [op = '', name = '', ...inputs] = text.split(' ');
  return { name, op, inputs: inputs.map(parseTensorRef), attributes: new Map(), controls };
}

test('TensorFlow runs what outputs wait for, and of called functions everything', () => {
  const nodes = [
    node('Placeholder x'),
    node('Assert waited x'),
    node('Assert other x'),
    node('Assert before x'),
    node('Identity call/y x', ['waited']),
    node('Assert call/effect x'),
    node('Identity fed call/y', ['before']),
    node('Identity y call/y'),
  ];
  const graph = { nodes: new Map(nodes.map((one) => [one.name, one])), resolve: parseNothing };
  const of = (output: string) =>
    runningNodes(graph, [{ node: output, index: 0 }], new Set(['fed']), new Set(['call'])).map(
      ({ name }) => name,
    );
  expect(of('y')).toEqual(['x', 'waited', 'call/y', 'call/effect', 'y']);
  expect(of('fed')).toEqual(['fed']);
});

/** A `TensorProto` of a vector of strings. */
function tensorProto(words: readonly string[]): Uint8Array {
  const [tensor, shape, size] = [new WireWriter(), new WireWriter(), new WireWriter()];
  size.int(1, words.length);
  shape.message(2, size);
  tensor.int(1, 7);
  tensor.message(2, shape);
  for (const word of words) tensor.text(8, word);
  return tensor.toBytes();
}

const parseNothing = <T>(ref: T): T => ref;

test("TensorFlow 1's switch of a condition by itself is the condition", () => {
  const nodes = [
    node('Placeholder holds'),
    node('Identity same holds'),
    node('Switch guarded holds same'),
    { ...node('Const text'), attributes: new Map([['value', { tensor: tensorProto(['too', 'large']) }]]) },
    node('Assert assert guarded text holds'),
  ];
  const graph = new Map(nodes.map((one) => [one.name, one]));
  const found = assertionsAmong(nodes, graph, { functions: new Map() }).get('assert')!;
  expect(found.inputs).toEqual([{ node: 'holds', index: 0 }]);
  expect(assertedMessage(found)).toBe('assertion failed: [too large] [...]');
});

test.each([
  ['itself', node('Assert assert no', ['pivot'])],
  ['its condition', node('Assert assert late')],
])(
  'an assertion in a branch of TensorFlow 1 is not taken for one that always runs: %s waits',
  (_, asserting) => {
    const nodes = [
      node('Placeholder chosen'),
      node('Switch choice chosen chosen'),
      node('Identity pivot choice:1'),
      node('Const no'),
      node('Const late', ['pivot']),
      asserting,
    ];
    const graph = new Map(nodes.map((one) => [one.name, one]));
    const found = assertionsAmong(nodes, graph, { functions: new Map() }).get('assert')!;
    expect(() => assertedMessage(found)).toThrow('Assert (in a branch or loop of TensorFlow 1)');
  },
);
