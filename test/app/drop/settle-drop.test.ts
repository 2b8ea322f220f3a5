import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type DropWorld, dropWorld } from '../../support/drop-world.ts';

const RUN = 'cifar10/monday/000001';
const SECOND = 'cifar10/monday/000002';
const folder = 'incoming/cifar10/monday/';

async function opened(world: DropWorld, ...names: string[]): Promise<DropWorld> {
  await world.accept(...names.map((name) => world.upload(`${folder}${name}`)));
  return world;
}

const marked = (world: DropWorld) => {
  const { isCut } = JSON.parse(world.store.text(`state/${RUN}/freezing`)!) as { isCut: boolean };
  return { isCut };
};

describe('settleDrop waits', () => {
  it('until no upload was seen for quietSeconds', async () => {
    const world = await opened(dropWorld(), 'a.png');
    world.store.put('pipelines/cifar10/pipeline.json', JSON.stringify({ drop: { quietSeconds: 8 } }));
    expect(await world.settleOnce(RUN)).toEqual({ status: 'waiting', waitSeconds: 3 });
    world.advance(5);
    await world.accept(world.upload(`${folder}b.png`));
    world.advance(3);
    expect(await world.settleOnce(RUN)).toEqual({ status: 'waiting', waitSeconds: 3 });
    world.advance(5);
    expect(await world.settleOnce(RUN)).toMatchObject({ status: 'frozen', objects: 2 });
  });

  it('as job.json says rather than pipeline.json', async () => {
    const world = await opened(dropWorld(), 'a.png');
    world.store.put('pipelines/cifar10/pipeline.json', JSON.stringify({ drop: { quietSeconds: 8 } }));
    world.store.put(`${folder}job.json`, JSON.stringify({ drop: { quietSeconds: 3 } }));
    expect(await world.settleOnce(RUN)).toEqual({ status: 'waiting', waitSeconds: 3 });
  });

  it.each([
    ['is missing', undefined],
    ['is no JSON', '{'],
    ['has settings of the wrong kind', '{"drop":{"quietSeconds":"soon","maxWaitMinutes":-1}}'],
  ])('60 seconds where pipeline.json %s, and leaves the complaint to PlanRun', async (_what, text) => {
    const world = await opened(dropWorld(), 'a.png');
    if (text !== undefined) world.store.put('pipelines/cifar10/pipeline.json', text);
    world.advance(59);
    expect(await world.settleOnce(RUN)).toEqual({ status: 'waiting', waitSeconds: 1 });
    world.advance(1);
    expect(await world.settleOnce(RUN)).toMatchObject({ status: 'frozen' });
  });

  it('from the start of its execution on where no upload has left a pulse', async () => {
    const world = await opened(dropWorld(), 'a.png');
    world.store.remove('state/cifar10/monday/pulse');
    world.advance(59);
    expect(await world.settleOnce(RUN)).toEqual({ status: 'waiting', waitSeconds: 1 });
  });

  it('no longer once _READY is there', async () => {
    const world = await opened(dropWorld(), 'a.png');
    expect(await world.settleOnce(RUN)).toMatchObject({ status: 'waiting' });
    world.upload(`${folder}_READY`);
    expect(await world.settleOnce(RUN)).toMatchObject({ status: 'frozen', objects: 1 });
  });

  it('until _READY while a client uploads, though its next file takes longer than quietSeconds', async () => {
    const world = dropWorld();
    await opened(world, '_UPLOADING', 'a.png');
    world.advance(600);
    expect(await world.settleOnce(RUN)).toMatchObject({ status: 'waiting' });
    world.upload(`${folder}big.png`);
    world.upload(`${folder}_READY`);
    expect(await world.settleOnce(RUN)).toMatchObject({ status: 'frozen', objects: 2 });
    expect(marked(world)).toEqual({ isCut: false });
  });

  it('for the files of a second client though the first one is ready', async () => {
    const world = await opened(dropWorld(), '_UPLOADING', 'a.png', '_READY');
    world.advance(1);
    await opened(world, '_UPLOADING', 'b.png');
    expect(await world.settleOnce(RUN)).toMatchObject({ status: 'waiting' });
    world.advance(1);
    world.upload(`${folder}_READY`);
    expect(await world.settleOnce(RUN)).toMatchObject({ status: 'frozen', objects: 2 });
  });

  it('at most maxWaitMinutes for a client that was interrupted, and tells so', async () => {
    const world = await opened(dropWorld(), '_UPLOADING', 'a.png');
    world.advance(1799);
    expect(await world.settleOnce(RUN)).toMatchObject({ status: 'waiting' });
    world.advance(1);
    expect(await world.settleOnce(RUN)).toMatchObject({ status: 'frozen', objects: 1 });
    expect(marked(world)).toEqual({ isCut: true });
  });

  it('as ever in a later generation, to which the mark of an earlier upload says nothing', async () => {
    const world = await opened(dropWorld(), '_UPLOADING', 'a.png', '_READY');
    await world.run(RUN);
    world.advance(100);
    await opened(world, 'b.png');
    world.advance(60);
    expect(await world.settleOnce(SECOND)).toMatchObject({ status: 'frozen', objects: 1 });
  });

  it('in a later generation though the _READY of the one before is still there', async () => {
    const world = await opened(dropWorld(), 'a.png');
    world.upload(`${folder}_READY`);
    await world.run(RUN);
    world.advance(100);
    await opened(world, 'b.png');
    expect(await world.settleOnce(SECOND)).toMatchObject({ status: 'waiting' });
    world.upload(`${folder}_READY`);
    expect(await world.settleOnce(SECOND)).toMatchObject({ status: 'frozen', objects: 1 });
  });

  it('of the default drop no longer once a newer _READY is in either of its two places', async () => {
    const world = dropWorld();
    await world.accept(world.upload('incoming/cifar10/a.png'));
    world.upload('incoming/cifar10/_READY');
    const [run = ''] = world.runs();
    await world.run(run);
    world.advance(100);
    await world.accept(world.upload('incoming/cifar10/b.png'));
    const next = run.replace('000001', '000002');
    expect(await world.settleOnce(next)).toMatchObject({ status: 'waiting' });
    world.upload('incoming/cifar10/default/_READY');
    expect(await world.settleOnce(next)).toMatchObject({ status: 'frozen', objects: 1 });
  });

  it('no longer where a _READY is there and the marker of the generation before is not', async () => {
    const world = await opened(dropWorld(), 'a.png');
    world.upload(`${folder}_READY`);
    await world.run(RUN);
    await opened(world, 'b.png');
    await world.store.delete(`state/${RUN}/freezing`);
    expect(await world.settleOnce(SECOND)).toMatchObject({ status: 'frozen', objects: 1 });
  });

  it('at most maxWaitMinutes though files keep coming', async () => {
    const world = await opened(dropWorld(), 'a.png');
    for (let minute = 0; minute < 30; minute++) {
      expect(await world.settleOnce(RUN)).toMatchObject({ status: 'waiting' });
      world.advance(60);
      await world.accept(world.event(`${folder}a.png`));
    }
    expect(await world.settleOnce(RUN)).toMatchObject({ status: 'frozen' });
    expect(marked(world)).toEqual({ isCut: true });
  });

  it.each([
    ['is quiet', 60, 'b.png'],
    ['says that it is ready', 0, '_READY'],
  ])('no longer than the drop needs, and tells so where it %s', async (_what, seconds, name) => {
    const world = await opened(dropWorld(), 'a.png');
    world.upload(`${folder}${name}`);
    world.advance(seconds);
    expect(await world.settleOnce(RUN)).toMatchObject({ status: 'frozen' });
    expect(marked(world)).toEqual({ isCut: false });
  });

  it('for the generation before to end', async () => {
    const world = await opened(dropWorld({ sliceLines: 1, listingBudgetMs: 0 }), 'a.png');
    world.advance(60);
    expect(await world.settleOnce(RUN)).toMatchObject({ status: 'listing' });
    await opened(world, '0.png');
    expect(await world.settleOnce(SECOND)).toEqual({ status: 'waiting', waitSeconds: 1 });
    expect(await world.settle(RUN)).toMatchObject({ status: 'frozen' });
    world.advance(600);
    expect(await world.settleOnce(SECOND)).toEqual({ status: 'waiting', waitSeconds: 30 });
    await world.finish(RUN);
    expect(await world.settle(SECOND)).toMatchObject({ status: 'frozen' });
  });
});

describe('settleDrop freezes', () => {
  it('what lies in the drop, without reserved names, with empty files marked', async () => {
    const world = await opened(
      dropWorld(),
      'b/labels.csv',
      'a.png',
      'b/',
      'labels.jsonl',
      'job.json',
      'b/c.png',
    );
    world.store.put(`${folder}z.png`, '');
    expect(await world.settle(RUN)).toEqual({ status: 'frozen', objects: 4, bytes: expect.any(Number) });
    expect(world.keys(RUN)).toEqual(
      ['a.png', 'b/c.png', 'b/labels.csv', 'z.png'].map((name) => folder + name),
    );
    const [first, , , last] = world.manifest(RUN);
    expect(first).toEqual({
      key: `${folder}a.png`,
      size: `${folder}a.png`.length,
      etag: expect.stringMatching(/^[0-9a-f]{32}$/),
      lastModified: '2026-03-01T12:00:00.000Z',
    });
    expect(last).toMatchObject({ size: 0, empty: true });
    expect(JSON.parse(world.store.text(`state/${RUN}/frozen.json`)!)).toMatchObject({
      schema: 1,
      status: 'frozen',
      objects: 4,
      emptyObjects: 1,
      largestObjectBytes: Buffer.byteLength(`${folder}b/labels.csv`),
      sourceBucket: 'bucket',
      sourcePrefix: folder,
    });
  });

  it('only what no manifest before had: new files and new versions', async () => {
    const world = await opened(dropWorld(), 'a.png', 'b.png', 'c.png');
    await world.run(RUN);
    world.advance(1000);
    world.store.put(`${folder}b.png`, 'another');
    await opened(world, 'bb.png');
    await world.run(SECOND);
    expect(world.keys(SECOND)).toEqual([`${folder}b.png`, `${folder}bb.png`]);
    const { coveredSlices } = JSON.parse(world.store.text(`state/${SECOND}/frozen.json`)!);
    expect(coveredSlices).toHaveLength(1);
    const covered = gunzipSync((await world.store.readBytes(coveredSlices[0].object))!).toString();
    expect(
      covered
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).key.slice(folder.length)),
    ).toEqual(['a.png', 'b.png', 'b.png', 'bb.png', 'c.png']);
  });

  it('nothing a second time when a deleted file comes back as it was', async () => {
    const world = await opened(dropWorld(), 'a.png');
    const { lastModified } = world.store.put(`${folder}b.png`, 'b');
    await world.run(RUN);
    world.store.remove(`${folder}b.png`);
    world.advance(1000);
    await opened(world, 'c.png');
    await world.run(SECOND);
    world.store.put(`${folder}b.png`, 'b', lastModified);
    world.advance(1000);
    await opened(world, 'd.png');
    await world.run('cifar10/monday/000003');
    expect(world.keys('cifar10/monday/000003')).toEqual([`${folder}d.png`]);
  });

  it.each([
    ['in one listing', { pageSize: 2 }],
    ['over many invocations', { sliceLines: 1, listingBudgetMs: 0 }],
  ])('the default drop %s: its two places, in byte order, and no other drop', async (_what, options) => {
    const world = dropWorld(options);
    const keys = ['a.png', 'default/x.png', 'default/y/z.png', 'e.png', 'z.png', '日.png'].map(
      (name) => `incoming/mnist/${name}`,
    );
    await world.accept(...keys.map((key) => world.upload(key)));
    for (const other of ['d/1.png', 'monday/1.png', 'job.json', 'default/labels.csv'])
      world.store.put(`incoming/mnist/${other}`, '{}');
    await world.settle('mnist/default/000001');
    expect(world.keys('mnist/default/000001')).toEqual(keys);
    expect(JSON.parse(world.store.text('state/mnist/default/000001/frozen.json')!).sourcePrefix).toBe(
      'incoming/mnist/',
    );
  });

  it('files in the folder of the default drop that come after all others', async () => {
    const world = dropWorld();
    const keys = ['a.png', 'default/x.png'].map((name) => `incoming/mnist/${name}`);
    await world.accept(...keys.map((key) => world.upload(key)));
    await world.settle('mnist/default/000001');
    expect(world.keys('mnist/default/000001')).toEqual(keys);
  });

  it('the same whether the listing is done at once or resumed over many invocations', async () => {
    const names = Array.from({ length: 57 }, (_, at) => `${at % 7}/${at}.png`);
    const results = [];
    for (const options of [{}, { pageSize: 5, sliceLines: 3, listingBudgetMs: 0 }]) {
      const world = await opened(dropWorld(options), ...names.slice(0, 30));
      await world.run(RUN);
      world.advance(1000);
      await opened(world, ...names.slice(30));
      await world.run(SECOND);
      results.push([world.keys(RUN), world.keys(SECOND), world.manifest(SECOND).length]);
      // S3 joins no empty objects.
      for (const key of world.store.keys(`runs/${SECOND}/freeze/`))
        expect(world.store.text(key)).not.toBe('');
    }
    expect(results[1]).toEqual(results[0]);
    expect(results[0]![1]).toHaveLength(27);
  });

  it('and says `listing` when its time is up', async () => {
    const world = await opened(dropWorld({ sliceLines: 1, listingBudgetMs: 0 }), 'a.png', 'b.png');
    world.advance(60);
    expect(await world.settleOnce(RUN)).toEqual({ status: 'listing', waitSeconds: 0 });
    // An upload that comes during the listing does not make it wait again.
    await world.accept(world.event(`${folder}c.png`));
    expect(await world.settleOnce(RUN)).not.toMatchObject({ status: 'waiting' });
    expect(await world.settle(RUN)).toMatchObject({ status: 'frozen', objects: 2 });
  });

  it('for four minutes at a time', async () => {
    const world = await opened(dropWorld({ sliceLines: 1 }), 'a.png', 'b.png', 'c.png');
    world.advance(60);
    const { newId } = world.services;
    world.services.newId = () => {
      world.advance(120);
      return newId();
    };
    expect(await world.settleOnce(RUN)).toMatchObject({ status: 'listing' });
    expect(world.store.keys(`runs/${RUN}/freeze/`).filter((key) => key.endsWith('l'))).toHaveLength(2);
    expect(await world.settleOnce(RUN)).toMatchObject({ status: 'frozen', objects: 3 });
  });

  it('by a manifest that S3 puts together: the slices are not read again', async () => {
    const world = await opened(dropWorld({ sliceLines: 1 }), 'a.png', 'b.png', 'c.png');
    await world.settle(RUN);
    expect(world.keys(RUN)).toEqual(['a.png', 'b.png', 'c.png'].map((name) => folder + name));
    expect(
      world.store.requests.filter(({ operation, key }) => operation === 'GET' && key.includes('/freeze/')),
    ).toEqual([{ operation: 'GET', bucket: 'bucket', key: `runs/${RUN}/freeze/progress.json` }]);
  });

  it('once: a repeated call answers from what stands there', async () => {
    const world = await opened(dropWorld(), 'a.png');
    const first = await world.settle(RUN);
    world.upload(`${folder}b.png`);
    expect(await world.settleOnce(RUN)).toEqual(first);
    expect(world.keys(RUN)).toEqual([`${folder}a.png`]);
  });

  it('keys with line separators on one line each', async () => {
    const world = await opened(dropWorld(), 'a\u2028b.png', 'c\nd.png');
    await world.settle(RUN);
    expect(world.store.text(`runs/${RUN}/manifest.jsonl`)!.split(/\n|\u2028/)).toHaveLength(3);
    expect(world.keys(RUN)).toEqual([`${folder}a\u2028b.png`, `${folder}c\nd.png`]);
  });
});

describe('settleDrop on a drop without files', () => {
  it('says so for the first generation', async () => {
    const world = dropWorld();
    await world.accept(world.upload(`${folder}job.json`, '{}'));
    expect(await world.settle(RUN)).toEqual({ status: 'empty', announce: true });
    expect(world.store.keys(`state/${RUN}/ended.json`)).toEqual([]);
  });

  it('ends silently later, so that the next generation need not wait', async () => {
    const world = await opened(dropWorld(), 'a.png');
    await world.run(RUN);
    await opened(world, 'a.png');
    world.store.put(`${folder}a.png`, `${folder}a.png`, new Date(Date.UTC(2026, 2, 1, 12)));
    expect(await world.run(SECOND)).toEqual({ status: 'empty', announce: false });
    await opened(world, 'b.png');
    expect(await world.run('cifar10/monday/000003')).toMatchObject({ status: 'frozen', objects: 1 });
  });

  it('obeys an abandonment', async () => {
    const world = await opened(dropWorld(), 'a.png');
    await world.die(RUN);
    expect(await world.settleOnce(RUN)).toEqual({ status: 'abandoned' });
  });
});

describe('settleDrop with inputs that job.json states', () => {
  const state = async (world: DropWorld, input: unknown) => {
    await world.accept(world.upload(`${folder}job.json`, JSON.stringify({ input })));
    return world;
  };

  const MANY_INVOCATIONS = { sliceLines: 1, listingBudgetMs: 0 };

  it.each([
    ['in one listing', {}],
    ['over many invocations', MANY_INVOCATIONS],
  ])('takes the objects below a prefix %s, without folders and hidden files', async (_what, options) => {
    const world = await state(dropWorld(options), { s3Prefix: 's3://other/images/' });
    const other = world.store.in('other');
    for (const key of ['.b', '_b/', 'a/.c', 'a/c.png', 'b.png', '']) other.put(`images/${key}`, key);
    other.put('else.png');
    expect(await world.settle(RUN)).toMatchObject({ status: 'frozen', objects: 2 });
    expect(world.keys(RUN)).toEqual(['images/a/c.png', 'images/b.png']);
    expect(JSON.parse(world.store.text(`state/${RUN}/frozen.json`)!)).toMatchObject({
      sourceBucket: 'other',
      sourcePrefix: 'images/',
      hidden: { count: 2, first: ['images/.b', 'images/a/.c'] },
    });
  });

  it('takes the objects of a manifest in the format of SageMaker, each once', async () => {
    const world = await state(dropWorld(MANY_INVOCATIONS), { manifest: 's3://other/m.json' });
    const other = world.store.in('other');
    for (const key of ['images/a.png', 'images/b.png', 'images/c.png', 'images/d/']) other.put(key, key);
    other.put('m.json', JSON.stringify([{ prefix: 's3://other/images/' }, 'c.png', 'd/', 'a.png', 'c.png']));
    expect(await world.settle(RUN)).toMatchObject({ status: 'frozen', objects: 2 });
    expect(world.keys(RUN)).toEqual(['images/a.png', 'images/c.png']);
  });

  it('reports missing objects of a manifest that lie before and after those of a stored slice', async () => {
    const world = await state(dropWorld(MANY_INVOCATIONS), { manifest: 's3://other/m.json' });
    const other = world.store.in('other');
    for (const key of ['b.png', 'd.png']) other.put(key);
    const names = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.png`);
    other.put('m.json', JSON.stringify([{ prefix: 's3://other/' }, ...names]));
    await expect(world.settle(RUN)).rejects.toMatchObject({ name: 'PlanRefused' });
    expect(world.store.text(`runs/${RUN}/problems.json`)).toContain(
      'names 3 of 5 objects that are not there: s3://other/a.png, s3://other/c.png, s3://other/e.png: upload',
    );
  });

  it('finds job.json in the folder of the default drop, too', async () => {
    const world = dropWorld();
    world.store.in('other').put('images/a.png');
    const input = { s3Prefix: 's3://other/images/' };
    await world.accept(world.upload('incoming/cifar10/default/job.json', JSON.stringify({ input })));
    await world.settle('cifar10/default/000001');
    expect(world.keys('cifar10/default/000001')).toEqual(['images/a.png']);
  });

  it('leaves a job.json that is too long to be read to PlanRun', async () => {
    const world = await state(dropWorld(), { s3Prefix: `s3://other/${'x'.repeat(1_000_000)}` });
    await opened(world, 'own.png');
    await world.settle(RUN);
    expect(world.keys(RUN)).toEqual([`${folder}own.png`]);
  });

  it('runs a job.json once that was replaced while it was read, as it stands then', async () => {
    const world = await state(dropWorld(), { s3Prefix: 's3://other/old/' });
    for (const key of ['old/a.png', 'new/b.png']) world.store.in('other').put(key);
    world.advance(60);
    const { describe: look } = world.store;
    let looks = 0;
    world.store.describe = async (key) => {
      const found = await look(key);
      // The first look is that of the waiting, the second that of the listing.
      if (key === `${folder}job.json` && ++looks === 2)
        world.upload(key, JSON.stringify({ input: { s3Prefix: 's3://other/new/' } }));
      return found;
    };
    await world.run(RUN);
    expect(world.keys(RUN)).toEqual(['new/b.png']);
    await world.accept(world.event(`${folder}job.json`));
    expect(await world.run(SECOND)).toEqual({ status: 'empty', announce: false });
  });

  it('takes the files of the drop where its job.json was deleted while it was read', async () => {
    const world = await state(dropWorld(), { s3Prefix: 's3://other/images/' });
    await opened(world, 'own.png');
    world.advance(60);
    const { readText } = world.store;
    let reads = 0;
    world.store.readText = async (key) => {
      const text = await readText(key);
      if (key === `${folder}job.json` && ++reads === 2) world.store.remove(key);
      return text;
    };
    await world.run(RUN);
    expect(world.keys(RUN)).toEqual([`${folder}own.png`]);
  });

  it.each([
    ['below a hidden folder', 's3://other/.cache/set/', ['.cache/set/a.png']],
    [
      'with a name that is reserved in drops of the own bucket alone',
      's3://other/incoming/cifar10/sunday/',
      ['incoming/cifar10/sunday/labels.csv'],
    ],
    ['that the drop has had before', `s3://bucket/${folder}`, [`${folder}own.png`]],
  ])('takes what lies %s, since it is stated', async (_what, s3Prefix, keys) => {
    const world = await opened(dropWorld(), 'own.png');
    await world.run(RUN);
    if (s3Prefix.startsWith('s3://other/')) for (const key of keys) world.store.in('other').put(key);
    world.advance(1000);
    await state(world, { s3Prefix });
    await world.run(SECOND);
    expect(world.keys(SECOND)).toEqual(keys);
  });

  /** From now on, reading the other bucket in this way fails. */
  const failing = (world: DropWorld, operation: 'listPage' | 'describe' | 'readText', error: Error) => {
    const open = world.store.in;
    world.store.in = (bucket) =>
      bucket === 'other' ? { ...open(bucket), [operation]: () => Promise.reject(error) } : open(bucket);
  };
  const READS = [
    [{ s3Prefix: 's3://other/images/' }, 'listPage'],
    [{ manifest: 's3://other/m.json' }, 'describe'],
    [{ manifest: 's3://other/m.json' }, 'readText'],
    [{ manifest: 's3://other/m.json' }, 'listPage'],
  ] as const;
  it.each(READS)(
    'refuses %j where its %s is denied, and says which parameter allows it',
    async (input, read) => {
      const world = await state(dropWorld(), input);
      world.store.in('other').put('m.json', '[{"prefix":"s3://other/images/"},"a.png"]');
      failing(world, read, Object.assign(new Error('no s3:GetObject'), { name: 'AccessDenied' }));
      await expect(world.settle(RUN)).rejects.toMatchObject({ name: 'PlanRefused' });
      expect(JSON.parse(world.store.text(`runs/${RUN}/problems.json`)!).problems).toMatchObject([
        {
          file: 'job.json',
          field: Object.keys(input).map((name) => `input.${name}`)[0],
          message: 'must be readable: no s3:GetObject: add its bucket to the stack parameter ReadBuckets',
        },
      ]);
    },
  );

  it.each(READS)('fails, to be repeated, where of %j the %s fails otherwise', async (input, read) => {
    const world = await state(dropWorld(), input);
    world.store.in('other').put('m.json', '[{"prefix":"s3://other/images/"},"a.png"]');
    failing(world, read, Object.assign(new Error('reduce your rate'), { name: 'SlowDown' }));
    await expect(world.settle(RUN)).rejects.toMatchObject({ name: 'SlowDown' });
    expect(world.store.text(`state/${RUN}/frozen.json`)).toBeUndefined();
  });

  it.each([
    ['a folder without its slash', { s3Prefix: 's3://other/images/set' }],
    ['one object', { s3Prefix: 's3://other/images/set/a.png' }],
    ['a manifest whose prefix ends within a name', { manifest: 's3://other/m.json' }],
  ])('names outputs by whole names where it states %s', async (_what, input) => {
    const world = await state(dropWorld(), input);
    const other = world.store.in('other');
    other.put('images/set/a.png', 'a');
    other.put('m.json', JSON.stringify([{ prefix: 's3://other/images/se' }, 't/a.png']));
    expect(await world.settle(RUN)).toMatchObject({ status: 'frozen', objects: 1 });
    const { sourcePrefix } = JSON.parse(world.store.text(`state/${RUN}/frozen.json`)!);
    expect(sourcePrefix).toMatch(/^images\/(set\/)?$/);
  });

  it('leaves out what has a reserved name in another drop', async () => {
    const world = await state(dropWorld(), { s3Prefix: 's3://bucket/incoming/cifar10/sunday/' });
    for (const name of ['_READY', 'a.png', 'job.json', 'labels.csv', 'more/labels.csv'])
      world.store.put(`incoming/cifar10/sunday/${name}`, name);
    await world.settle(RUN);
    expect(world.keys(RUN)).toEqual(['a.png', 'more/labels.csv'].map((n) => `incoming/cifar10/sunday/${n}`));
  });

  it('reads them behind a byte order mark', async () => {
    const world = dropWorld();
    world.store.in('other').put('images/a.png', 'a');
    const text = JSON.stringify({ input: { s3Prefix: 's3://other/images/' } });
    await world.accept(world.upload(`${folder}job.json`, `\uFEFF${text}`));
    await world.accept(world.upload(`${folder}own.png`));
    await world.settle(RUN);
    expect(world.keys(RUN)).toEqual(['images/a.png']);
  });

  it('runs them once for one job.json, however often its event comes, and again for a new one', async () => {
    const world = await state(dropWorld(), { s3Prefix: 's3://other/images/' });
    world.store.in('other').put('images/a.png', 'a');
    await world.run(RUN);
    for (const again of [SECOND, 'cifar10/monday/000003']) {
      await world.accept(world.event(`${folder}job.json`));
      expect(await world.run(again)).toEqual({ status: 'empty', announce: false });
    }
    world.advance(1000);
    await state(world, { s3Prefix: 's3://other/images/' });
    expect(await world.run('cifar10/monday/000004')).toMatchObject({ status: 'frozen', objects: 1 });
  });

  it('runs those of a new job.json that came within the same second as the one before', async () => {
    const world = await state(dropWorld(), { s3Prefix: 's3://other/old/' });
    for (const key of ['old/a.png', 'new/b.png']) world.store.in('other').put(key);
    world.upload(`${folder}_READY`);
    expect(await world.settleOnce(RUN)).toMatchObject({ status: 'frozen' });
    await world.finish(RUN);
    await state(world, { s3Prefix: 's3://other/new/' });
    await world.run(SECOND);
    expect(world.keys(SECOND)).toEqual(['new/b.png']);
  });

  const x = Array.from({ length: 5_000 }, (_, at) => `x${at}.png`);
  const MANIFESTS: Readonly<Record<string, () => string | Uint8Array>> = {
    'odd.json': () => '["a.png"]',
    'neighbor.json': () => '[{"prefix":"s3://bucket/incoming/mnist/"},"a.png"]',
    'secret.json': () => '[{"prefix":"s3://secret/images/"},"a.png"]',
    'gaps.json': () => '[{"prefix":"s3://other/images/"},"y.png","a.png","x.png"]',
    'none-there.json': () => JSON.stringify([{ prefix: 's3://other/images/' }, ...x]),
    'long.json': () => new Uint8Array(64_000_001),
  };
  it.each<[string, { s3Prefix?: string; manifest?: string }, RegExp]>([
    [
      'a bucket that the stack may not read',
      { s3Prefix: 's3://secret/images/' },
      /must begin with s3:\/\/bucket\/incoming\/cifar10\/ or s3:\/\/bucket\/shared\/ or s3:\/\/other\/ or s3:\/\/gone\/, is s3:\/\/secret\/images\/: copy it there, or add/,
    ],
    [
      'the folder of the outputs',
      { s3Prefix: 's3://bucket/runs/x/' },
      /must begin with .*, is s3:\/\/bucket\/runs\//,
    ],
    [
      'a drop of another pipeline',
      { s3Prefix: 's3://bucket/incoming/cifar100/monday/' },
      /must begin with s3:\/\/bucket\/incoming\/cifar10\/ or/,
    ],
    [
      'a manifest of another pipeline’s inputs',
      { manifest: 's3://other/neighbor.json' },
      /must begin with .*, is s3:\/\/bucket\/incoming\/mnist\//,
    ],
    ['the whole of the own bucket', { s3Prefix: 's3://bucket/' }, /must begin with .*, is s3:\/\/bucket\//],
    [
      'a prefix with nothing below it',
      { s3Prefix: 's3://other/nothing/' },
      /must have objects below it: there are none below s3:\/\/other\/nothing\//,
    ],
    ['a bucket that is not there', { s3Prefix: 's3://gone/images/' }, /must lie in a bucket that is there/],
    [
      'a manifest that is not there',
      { manifest: 's3://other/none.json' },
      /must name a manifest, s3:\/\/other\/none.json is not there/,
    ],
    ['a manifest of another form', { manifest: 's3://other/odd.json' }, /must be a JSON array/],
    [
      'a manifest of another bucket',
      { manifest: 's3://other/secret.json' },
      /must begin with .*, is s3:\/\/secret\/images\//,
    ],
    [
      'a manifest with missing objects',
      { manifest: 's3://other/gaps.json' },
      /names 2 of 3 objects that are not there: s3:\/\/other\/images\/x.png, s3:\/\/other\/images\/y.png: upload them/,
    ],
    [
      'a manifest of a million missing objects',
      { manifest: 's3://other/none-there.json' },
      /names at least 1000 of 5000 objects that are not there: s3:\/\/other\/images\/x0.png, .* and 990 more: upload them/,
    ],
    [
      'a manifest that memory cannot hold',
      { manifest: 's3://other/long.json' },
      /must have at most 64000000 bytes, has 64000001: divide it among several drops/,
    ],
  ])('refuses %s, and does not start over', async (_what, input, message) => {
    const world = await state(dropWorld(), input);
    const other = world.store.in('other');
    other.put('images/a.png', 'a');
    const name = /[^/]*$/.exec(input.manifest ?? '')![0];
    if (name in MANIFESTS) other.put(name, MANIFESTS[name]!());
    await expect(world.settle(RUN)).rejects.toMatchObject({
      name: 'PlanRefused',
      message: `1 problem: see runs/${RUN}/problems.json`,
    });
    expect(JSON.parse(world.store.text(`runs/${RUN}/problems.json`)!).problems[0].message).toMatch(message);
    await world.die(RUN);
    expect(world.runs()).toEqual([RUN]);
    world.advance(1000);
    await opened(world, 'job.json');
    world.store.put(`${folder}job.json`, '{}');
    await opened(world, 'a.png');
    expect(await world.settle(SECOND)).toMatchObject({ status: 'frozen', objects: 1 });
  });
});
