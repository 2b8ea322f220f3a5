import { describe, expect, it } from 'vitest';
import { endedRows } from '../../../src/app/overview/run-rows.ts';
import { cancel } from '../../../src/app/run/cancel.ts';
import { cleanUpRun } from '../../../src/app/run/clean-up-run.ts';
import { toExecutionName } from '../../../src/run/execution-name.ts';
import { parseRunId } from '../../../src/run/run-id.ts';
import { dropWorld } from '../../support/drop-world.ts';

const RUN = 'cifar10/monday/000001';
const PARTS = parseRunId(RUN)!;
const folder = 'incoming/cifar10/monday/';
const by = 'ada with the command line';

describe('cancel', () => {
  it('stops a waiting run for good: its message is sent, and no other starts', async () => {
    const world = dropWorld();
    await world.accept(world.upload(`${folder}a.png`));
    await cancel({ run: PARTS, by }, world.services);
    expect(world.executions.all[0]).toMatchObject({ status: 'ABORTED', error: 'Canceled' });
    expect(JSON.parse(world.store.text(`state/${RUN}/frozen.json`)!)).toMatchObject({
      status: 'abandoned',
      reason: 'canceled',
      sourceBucket: 'bucket',
      sourcePrefix: folder,
    });
    await cleanUpRun(world.deathOf(RUN), world.services);
    expect(world.runs()).toEqual([RUN]);
    const [message] = world.topic.messages;
    expect(message!.body).toContain('Canceled by ada with the command line.');
    expect(message!.body).not.toMatch(/failed/i);
    expect(message).toMatchObject({
      subject: `inferdrop: ${RUN} canceled`,
      attributes: { status: 'canceled' },
    });
    expect(JSON.parse(world.store.text(`runs/${RUN}/report.json`)!).status).toBe('canceled');
    expect(world.store.text(`runs/${RUN}/report.html`)).toContain('The run was canceled.');
    expect(await endedRows(world.store, 10)).toMatchObject([{ run: RUN, verdict: 'canceled' }]);
  });

  it('leaves its files to the next upload', async () => {
    const world = dropWorld();
    await world.accept(world.upload(`${folder}a.png`));
    await cancel({ run: PARTS, by }, world.services);
    await cleanUpRun(world.deathOf(RUN), world.services);
    await world.accept(world.upload(`${folder}b.png`));
    expect(await world.run('cifar10/monday/000002')).toMatchObject({ status: 'frozen', objects: 2 });
  });

  it('keeps the manifest of a run that has frozen, which can be run again', async () => {
    const world = dropWorld();
    await world.accept(world.upload(`${folder}a.png`));
    await world.settle(RUN);
    await cancel({ run: PARTS, by }, world.services);
    expect(JSON.parse(world.store.text(`state/${RUN}/frozen.json`)!).status).toBe('frozen');
  });

  it('stops a run that waits to be run again', async () => {
    const world = dropWorld();
    await world.accept(world.upload(`${folder}a.png`));
    world.executions.end(toExecutionName(PARTS), 'PENDING_REDRIVE');
    await cancel({ run: PARTS, by }, world.services);
    expect(world.executions.all[0]).toMatchObject({ status: 'ABORTED', error: 'Canceled' });
  });

  it('refuses a run that is over, and one that never was', async () => {
    const world = dropWorld();
    await expect(cancel({ run: PARTS, by }, world.services)).rejects.toMatchObject({
      name: 'RunUnknown',
      message: `no run ${RUN} is known: inferdrop runs lists them`,
    });
    await world.accept(world.upload(`${folder}a.png`));
    await world.run(RUN);
    await expect(cancel({ run: PARTS, by }, world.services)).rejects.toMatchObject({
      name: 'RunEnded',
      message: `run ${RUN} must be running to be canceled, is SUCCEEDED`,
    });
  });
});
