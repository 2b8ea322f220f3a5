import { describe, expect, it } from 'vitest';
import { acceptDrop } from '../../../src/app/drop/accept-drop.ts';
import { toAbandoned } from '../../../src/drop/frozen.ts';
import { toExecutionName } from '../../../src/run/execution-name.ts';
import { aRun } from '../../support/a-run.ts';
import { dropWorld } from '../../support/drop-world.ts';
import { shuffled } from '../../support/shuffled.ts';

const RUN = 'cifar10/monday/000001';
const folder = 'incoming/cifar10/monday/';

describe('acceptDrop', () => {
  it('starts one run for the same event 20 times, shuffled among others and delivered in several batches', async () => {
    const world = dropWorld();
    const same = world.upload(`${folder}a.png`);
    const others = ['b', 'c', 'd'].map((name) => world.upload(`${folder}${name}.png`));
    const events = shuffled([...Array<string>(20).fill(same), ...others], 7);
    for (let at = 0; at < events.length; at += 5) await world.accept(...events.slice(at, at + 5));
    expect(world.runs()).toEqual([RUN]);
    expect(await world.run(RUN)).toMatchObject({ status: 'frozen', objects: 4 });
    expect(world.keys(RUN)).toEqual(['a', 'b', 'c', 'd'].map((name) => `${folder}${name}.png`));
  });

  it('needs no more requests for a drop of a thousand generations', async () => {
    const world = dropWorld();
    for (let number = 1; number <= 1000; number++) {
      const state = `state/cifar10/monday/${String(number).padStart(6, '0')}/`;
      for (const mark of ['freezing', 'frozen.json', 'ended.json']) world.store.put(`${state}${mark}`, '{}');
    }
    world.store.put('state/cifar10/monday/pulse', JSON.stringify({ schema: 1, shut: '000998' }));
    world.advance(3600);
    await world.accept(world.upload(`${folder}a.png`));
    expect(world.runs()).toEqual(['cifar10/monday/001001']);
    expect(world.store.requests.length).toBe(3);
    expect(JSON.parse(world.store.text('state/cifar10/monday/pulse')!)).toMatchObject({ shut: '001000' });
  });

  it('starts one run when two functions accept at once', async () => {
    const world = dropWorld();
    const bodies = [world.upload(`${folder}a.png`), world.upload(`${folder}b.png`)];
    await Promise.all(bodies.map((body) => world.accept(body)));
    expect(world.runs()).toEqual([RUN]);
  });

  it('keeps the drops of a batch apart', async () => {
    const world = dropWorld();
    await world.accept(
      world.upload('incoming/cifar10/monday/a.png'),
      world.upload('incoming/cifar10/tuesday/a.png'),
      world.upload('incoming/mnist/a.png'),
    );
    expect(world.runs().sort()).toEqual([RUN, 'cifar10/tuesday/000001', 'mnist/default/000001']);
  });

  it('opens the next generation for files that come while the manifest is frozen', async () => {
    const world = dropWorld();
    await world.accept(world.upload(`${folder}a.png`));
    world.store.put(`state/${RUN}/freezing`, '');
    await world.accept(world.upload(`${folder}b.png`));
    expect(world.runs()).toEqual([RUN, 'cifar10/monday/000002']);
  });

  it('opens the next generation for files that come after the run ended', async () => {
    const world = dropWorld();
    await world.accept(world.upload(`${folder}a.png`));
    await world.run(RUN);
    world.advance(3600);
    await world.accept(world.upload(`${folder}b.png`));
    expect(world.runs()).toEqual([RUN, 'cifar10/monday/000002']);
    expect(await world.run('cifar10/monday/000002')).toMatchObject({ status: 'frozen', objects: 1 });
    expect(world.keys('cifar10/monday/000002')).toEqual([`${folder}b.png`]);
  });

  it('lets an event that is an hour late be covered by the listing that came after it', async () => {
    const world = dropWorld();
    const late = world.upload(`${folder}late.png`);
    await world.accept(world.upload(`${folder}a.png`));
    world.advance(3600);
    await world.run(RUN);
    const { length } = world.store.requests;
    expect(await world.accept(late)).toEqual({ batchItemFailures: [] });
    expect(world.runs()).toEqual([RUN]);
    expect(world.store.requests.slice(length).map(({ operation }) => operation)).toEqual(['GET', 'LIST']);
    expect(world.keys(RUN)).toContain(`${folder}late.png`);
  });

  it('doubts an event 15 minutes older than the marker, and believes one older than that', async () => {
    const world = dropWorld();
    await world.accept(world.upload(`${folder}a.png`));
    const [frozenAt] = [world.clock().getTime()];
    world.store.put(`state/${RUN}/freezing`, '');
    await world.accept(world.event(`${folder}a.png`, new Date(frozenAt - 15 * 60_000 - 1)));
    expect(world.runs()).toEqual([RUN]);
    await world.accept(world.event(`${folder}a.png`, new Date(frozenAt - 15 * 60_000)));
    expect(world.runs()).toEqual([RUN, 'cifar10/monday/000002']);
  });

  it('takes in what is uploaded after the clock was put back behind the last marker', async () => {
    const world = dropWorld();
    await world.accept(world.upload(`${folder}a.png`));
    await world.run(RUN);
    world.advance(-3600);
    await world.accept(world.upload(`${folder}b.png`));
    expect(await world.run('cifar10/monday/000002')).toMatchObject({ status: 'frozen', objects: 1 });
    expect(world.keys('cifar10/monday/000002')).toEqual([`${folder}b.png`]);
  });

  it('lets _READY touch the pulse and open nothing', async () => {
    const world = dropWorld();
    await world.accept(world.upload(`${folder}_READY`));
    expect(world.runs()).toEqual([]);
    expect(world.store.keys('state/')).toEqual(['state/cifar10/monday/pulse']);
  });

  it('opens a run for job.json, which may name inputs that lie elsewhere', async () => {
    const world = dropWorld();
    await world.accept(world.upload(`${folder}job.json`, '{}'));
    expect(world.runs()).toEqual([RUN]);
  });

  it('does nothing for folders that a console creates', async () => {
    const world = dropWorld();
    expect(await world.accept(world.upload('incoming/cifar10/'), world.upload(folder))).toEqual({
      batchItemFailures: [],
    });
    expect(world.store.requests).toEqual([]);
  });

  it('accepts keys of any characters', async () => {
    const world = dropWorld();
    const names = [
      'übung/猫 🐈.png',
      'a+b&c=d%20.png',
      `${'n'.repeat(300)}.png`,
      'it\'s "q".png',
      'line\u2028break\u0001.png',
    ];
    await world.accept(...names.map((name) => world.upload(`incoming/cifar10/Монтаг #1/${name}`)));
    expect(world.runs()).toEqual(['cifar10/Монтаг #1/000001']);
    expect(await world.settle('cifar10/Монтаг #1/000001')).toMatchObject({ objects: names.length });
    expect(world.keys('cifar10/Монтаг #1/000001').sort()).toEqual(
      names.map((name) => `incoming/cifar10/Монтаг #1/${name}`).sort(),
    );
  });

  it.each([
    ['no JSON', '{"key":'],
    ['no key', '{"time":"2026-01-01T00:00:00Z"}'],
    ['no time', '{"key":"incoming/cifar10/monday/a.png"}'],
    ['an invalid time', '{"key":"incoming/cifar10/monday/a.png","time":"yesterday"}'],
  ])('fails a message with %s, says why, and accepts its neighbors', async (_what, body) => {
    const world = dropWorld();
    const result = await world.accept(world.upload(`${folder}a.png`), body, world.upload(`${folder}b.png`));
    expect(result).toEqual({ batchItemFailures: [{ itemIdentifier: 'm1' }] });
    expect(world.runs()).toEqual([RUN]);
    expect(world.warnings).toEqual([
      {
        message: 'upload event refused',
        facts: { messageId: 'm1', problem: expect.stringContaining('message must') },
      },
    ]);
  });

  it.each([
    ['outside incoming/', 'runs/a.png'],
    ['below no pipeline', 'incoming/a.png'],
    ['below an invalid pipeline name', 'incoming/CIFAR 10/monday/a.png'],
    ['in a drop without a name', 'incoming/cifar10//a.png'],
    ['in a drop whose name leaves no room for its files', `incoming/cifar10/${'é'.repeat(401)}/a.png`],
  ])('takes a file %s off the queue, where it would fail at each retry, and logs it', async (_what, key) => {
    const world = dropWorld();
    expect(await world.accept(world.upload(`${folder}a.png`), world.event(key))).toEqual({
      batchItemFailures: [],
    });
    expect(world.runs()).toEqual([RUN]);
    expect(world.warnings).toEqual([
      { message: 'files that belong to no drop', facts: { files: 1, first: expect.any(String) } },
    ]);
  });

  it('counts such files once a batch, however many there are', async () => {
    const world = dropWorld();
    const strays = Array.from({ length: 900 }, (_, at) => world.event(`incoming/cifar10//${at}.png`));
    expect(await world.accept(...strays)).toEqual({ batchItemFailures: [] });
    expect(world.warnings.map(({ facts }) => facts.files)).toEqual([900]);
    expect(world.store.requests).toEqual([]);
  });

  it('fails only the messages of a drop whose state cannot be read', async () => {
    const world = dropWorld();
    world.store.put('state/cifar10/broken/pulse', 'no JSON');
    const result = await world.accept(
      world.upload('incoming/cifar10/broken/a.png'),
      world.upload(`${folder}a.png`),
    );
    expect(result).toEqual({ batchItemFailures: [{ itemIdentifier: 'm0' }] });
    expect(world.runs()).toEqual([RUN]);
    expect(world.warnings).toEqual([
      {
        message: 'uploads will be delivered again',
        facts: {
          kind: 'inference',
          pipeline: 'cifar10',
          drop: 'broken',
          messages: 1,
          error: expect.any(SyntaxError),
        },
      },
    ]);
  });

  it('leaves a message to its next delivery while an execution has died without a word', async () => {
    const world = dropWorld();
    const event = world.upload(`${folder}a.png`);
    await world.accept(event);
    world.executions.end(toExecutionName(aRun('cifar10/monday/000001')), 'FAILED');
    expect((await world.accept(event)).batchItemFailures).toEqual([{ itemIdentifier: 'm0' }]);
    expect(world.runs()).toEqual([RUN]);
  });

  it('opens the generation after one that was abandoned', async () => {
    const world = dropWorld();
    await world.accept(world.upload(`${folder}a.png`));
    await world.die(RUN);
    expect(world.runs()).toEqual([RUN, 'cifar10/monday/000002']);
    await world.accept(world.upload(`${folder}b.png`));
    expect(world.runs()).toEqual([RUN, 'cifar10/monday/000002']);
    expect(await world.run('cifar10/monday/000002')).toMatchObject({ status: 'frozen', objects: 2 });
  });
});

describe('an execution whose name is taken', () => {
  const frozen = (generation: string, status: 'frozen' | 'abandoned'): [string, string] => [
    `state/cifar10/monday/${generation}/frozen.json`,
    JSON.stringify({ ...toAbandoned('died', { bucket: 'bucket', prefix: folder }, new Date(0)), status }),
  ];
  /** `ends` says what became of a generation between the reading of the drop's state and the start of its execution. */
  async function accept(ends: Readonly<Record<string, 'frozen' | 'abandoned'>>, taken = Object.keys(ends)) {
    const world = dropWorld();
    const asked: string[] = [];
    const start = async (_: string, input: string) => {
      const generation = JSON.parse(input).run.split('/')[2];
      asked.push(generation);
      const status = ends[generation];
      if (status !== undefined) world.store.put(...frozen(generation, status));
      return { outcome: taken.includes(generation) ? ('exists' as const) : ('started' as const), arn: 'arn' };
    };
    const Records = [{ messageId: 'm0', body: world.upload(`${folder}a.png`) }];
    const { batchItemFailures } = await acceptDrop(
      { Records },
      { ...world.services, executions: () => ({ start }) },
    );
    return { asked, failed: batchItemFailures.length, error: world.warnings[0]?.facts.error };
  }

  it('and which froze meanwhile has listed the file: nothing else starts', async () => {
    expect(await accept({ '000001': 'frozen' })).toEqual({ asked: ['000001'], failed: 0, error: undefined });
  });

  it('and which was abandoned meanwhile leaves the file to the next generation', async () => {
    expect(await accept({ '000001': 'abandoned' })).toMatchObject({ asked: ['000001', '000002'], failed: 0 });
  });

  it('three times in a row leaves the file to the next delivery', async () => {
    const all = { '000001': 'abandoned', '000002': 'abandoned', '000003': 'abandoned' } as const;
    expect(await accept(all)).toMatchObject({
      asked: Object.keys(all),
      failed: 1,
      error: {
        name: 'GenerationUndecided',
        message: '3 generations of cifar10/monday were abandoned in a row',
      },
    });
  });

  it('and which left no word leaves the file to the next delivery', async () => {
    expect(await accept({}, ['000001'])).toMatchObject({
      asked: ['000001'],
      failed: 1,
      error: {
        name: 'GenerationUndecided',
        message: 'execution of cifar10/monday/000001 has ended without a word: clean-up-run will abandon it',
      },
    });
  });
});

it('labels open a run as files do, and one with them; hidden files are not even looked at', async () => {
  const world = dropWorld();
  await world.accept(world.upload(`${folder}.DS_Store`), world.upload(`${folder}sub/.hidden`));
  expect(world.store.requests).toEqual([]);
  await world.accept(world.upload(`${folder}labels.csv`));
  expect(world.runs()).toEqual([RUN]);
  await world.accept(world.upload(`${folder}labels.csv`), world.upload(`${folder}a.png`));
  expect(world.runs()).toEqual([RUN]);
});
