import { describe, expect, it } from 'vitest';
import { notify } from '../../../src/app/report/notify.ts';
import { writeTrainingReport } from '../../../src/app/training/write-training-report.ts';
import { toAbandoned } from '../../../src/drop/frozen.ts';
import { parseRunId } from '../../../src/run/run-id.ts';
import { dropWorld } from '../../support/drop-world.ts';

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
    const trainedOn = { count: 0, first: [], compared: 0 };
    const evaluation = { schema: 1, incumbentRun: judging, candidateRun: null, trainedOn };
    world.store.put(`runs/${training}/evaluation.json`, JSON.stringify(evaluation));
    world.store.put(`state/${RUN}/frozen.json`, frozen);
    expect(await notify(input, world)).toEqual({ messageId: null });
    const swapped = { ...evaluation, incumbentRun: null, candidateRun: judging };
    world.store.put(`runs/${training}/evaluation.json`, JSON.stringify(swapped));
    expect(await notify(input, world)).toEqual({ messageId: null });
    expect(world.topic.messages).toEqual([]);
    expect(world.store.text(`state/${RUN}/ended.json`)).toBeDefined();
    world.store.put(`state/${RUN}r2/frozen.json`, frozen);
    const rerun = parseRunId(`${RUN}r2`)!;
    expect(await notify({ run: rerun, status: 'completed' }, world)).toEqual({ messageId: 'message-1' });
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
