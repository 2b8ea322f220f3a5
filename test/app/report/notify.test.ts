import { describe, expect, it } from 'vitest';
import { notify } from '../../../src/app/report/notify.ts';
import { writeTrainingReport } from '../../../src/app/training/write-training-report.ts';
import { toAbandoned } from '../../../src/drop/frozen.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { parseRunId } from '../../../src/run/run-id.ts';
import { dropWorld } from '../../support/drop-world.ts';
import { evaluationText } from '../../support/evaluation-text.ts';

const RUN = 'cifar10/monday/000001';
const PARTS = parseRunId(RUN)!;
const input = { run: PARTS, status: 'completed' };

describe('notify', () => {
  it('sends one message with what subscribers filter by, and marks the run as ended', async () => {
    const world = dropWorld();
    const source = { bucket: 'bucket', prefix: 'incoming/cifar10/monday/' };
    world.store.put(`state/${RUN}/frozen.json`, JSON.stringify(toAbandoned('died', source, world.clock())));
    expect(await notify(input, world)).toEqual({ messageId: 'message-1' });
    expect(world.topic.messages[0]!.attributes).toEqual({
      pipeline: 'cifar10',
      status: 'completed',
      run: RUN,
    });
    expect(JSON.parse(world.store.text(`state/${RUN}/ended.json`)!)).toMatchObject({
      schema: 1,
      run: RUN,
      status: 'completed',
    });
    expect(JSON.parse(world.store.text(`runs/${RUN}/message.json`)!)).toMatchObject({
      messageId: 'message-1',
    });
  });

  it('sends nothing again when it is repeated', async () => {
    const world = dropWorld();
    await notify(input, world);
    expect(await notify(input, world)).toEqual({ messageId: 'message-1' });
    expect(world.topic.messages).toHaveLength(1);
  });

  it('sends one message where two senders meet', async () => {
    const world = dropWorld();
    const results = await Promise.allSettled([notify(input, world), notify(input, world)]);
    expect(world.topic.messages).toHaveLength(1);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { name: 'MessageBeingSent', message: expect.stringContaining('ask again in 60 seconds') },
    });
    expect(await notify(input, world)).toEqual({ messageId: 'message-1' });
  });

  it('sends none for a run that a training judges its model by, but for a rerun of it', async () => {
    const world = dropWorld();
    const training = 'training/cifar10/monday/000001';
    const candidate = { sha256: 'a'.repeat(64), training, baseline: null, maxCostUsd: null };
    const source = { bucket: 'bucket', prefix: 'incoming/cifar10/monday/' };
    const frozen = JSON.stringify({ ...toAbandoned('died', source, world.clock()), candidate });
    const judging = { run: RUN, at: world.clock().toISOString(), isOwn: true };
    world.store.put(`runs/${training}/evaluation.json`, evaluationText({ incumbentRun: judging }));
    world.store.put(`state/${RUN}/frozen.json`, frozen);
    expect(await notify(input, world)).toEqual({ messageId: null });
    world.store.put(`runs/${training}/evaluation.json`, evaluationText({ candidateRun: judging }));
    expect(await notify(input, world)).toEqual({ messageId: null });
    expect(world.topic.messages).toEqual([]);
    expect(world.store.text(`state/${RUN}/ended.json`)).toBeDefined();
    world.store.put(`state/${RUN}r2/frozen.json`, frozen);
    const rerun = parseRunId(`${RUN}r2`)!;
    expect(await notify({ run: rerun, status: 'completed' }, world)).toEqual({ messageId: 'message-1' });
  });

  it('sends few messages for a flood of drops that are refused, which say how many they stand for', async () => {
    const world = dropWorld();
    const fail = (drop: number) =>
      notify({ run: parseRunId(`cifar10/flood-${drop}/000001`)!, status: 'failed' }, world);
    for (let drop = 1; drop <= 250; drop++) await fail(drop);
    expect(world.topic.messages).toHaveLength(22);
    const said = world.topic.messages.map(({ body }) => /\n(\d+ runs of this pipeline.*)\n/.exec(body)?.[1]);
    const list = 'inferdrop runs --pipeline cifar10 lists all.';
    expect(said.filter((text) => text !== undefined)).toEqual([
      `20 runs of this pipeline were refused today (UTC). From here on, only every 100th has a message: ${list}`,
      `100 runs of this pipeline were refused today (UTC). 79 runs before this one had no message: ${list}`,
      `200 runs of this pipeline were refused today (UTC). 99 runs before this one had no message: ${list}`,
    ]);
    // One without a message has its words and its end, and repeating it sends none.
    expect(JSON.parse(world.store.text('runs/cifar10/flood-150/000001/message.json')!)).toMatchObject({
      subject: expect.stringContaining('flood-150'),
      isJoined: true,
    });
    expect(world.store.text('state/cifar10/flood-150/000001/ended.json')).toBeDefined();
    world.advance(3600);
    expect([await fail(150), await fail(200)]).toEqual([{ messageId: null }, { messageId: 'message-22' }]);
    // Runs that completed always have theirs, and so do other pipelines and the next day.
    const good = await notify({ run: parseRunId('cifar10/good/000001')!, status: 'completed' }, world);
    const other = await notify({ run: parseRunId('cats/bad/000001')!, status: 'failed' }, world);
    world.advance(86_400);
    expect([good, other, await fail(251)].map(({ messageId }) => messageId)).toEqual([
      'message-23',
      'message-24',
      'message-25',
    ]);
  });

  it('sends that of a run that fails after its job has begun, whatever flood others cause', async () => {
    const world = dropWorld();
    for (let drop = 1; drop <= 30; drop++)
      await notify({ run: parseRunId(`cifar10/flood-${drop}/000001`)!, status: 'failed' }, world);
    world.store.put(bucketLayout.job(PARTS, 1), '{}');
    expect(await notify({ run: PARTS, status: 'failed' }, world)).toEqual({ messageId: 'message-21' });
  });

  it('sends for a sender that died, a minute later', async () => {
    const world = dropWorld();
    const dying = { ...world, topic: { publish: () => Promise.reject(new Error('crash')) } };
    await expect(notify(input, dying)).rejects.toThrow('crash');
    world.advance(59);
    await expect(notify(input, world)).rejects.toMatchObject({ name: 'MessageBeingSent' });
    world.advance(1);
    expect(await notify(input, world)).toEqual({ messageId: 'message-1' });
  });

  it.each([
    [RUN, `Run ${RUN}: failed`],
    [`training/${RUN}`, `Training training/${RUN}: failed`],
  ])('says of %s what its report says', async (name, headline) => {
    const world = dropWorld();
    const run = parseRunId(name)!;
    const failure = { error: 'InstanceCapacity', cause: 'no instance left' };
    const input = { run, startedAt: world.clock().toISOString(), failure };
    if (run.kind === 'inference') await world.writeReport(name, failure);
    else await writeTrainingReport(input, world);
    await notify({ run, status: 'failed' }, world);
    expect(world.topic.messages[0]!.body).toMatch(new RegExp(`^${headline}\n[^]*no instance left`));
  });

  it('sends although the report could not be written', async () => {
    const world = dropWorld();
    await notify({ run: PARTS, status: 'failed' }, world);
    expect(world.topic.messages[0]!.body).toContain('The report could not be written.');
  });
});
