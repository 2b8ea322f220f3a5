import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { isCovered } from '../../drop/covering.ts';
import { opensRun } from '../../drop/drop-key.ts';
import { lastFreezingAt, lastShut, openGeneration } from '../../drop/drop-state.ts';
import { parseUpload, type Upload } from '../../drop/upload-event.ts';
import { Condition } from '../../problem/conditions.ts';
import { type DropParts, toDropId, toRunId } from '../../run/run-id.ts';
import { frozenJson, pulseMark } from '../records/drop.ts';
import { listDropState } from '../run/list-drop-state.ts';
import { type ExecutionsOf, startRun } from '../run/start-run.ts';
import { useCase } from '../use-case.ts';

interface AcceptDropServices {
  readonly store: ObjectStore;
  readonly executions: ExecutionsOf<'start'>;
  readonly clock: () => Date;
  /** Called for each failure with its reason, and with the number of files that belong to no drop. */
  readonly warn: (message: string, facts: Readonly<Record<string, unknown>>) => void;
}

interface DropBatch {
  readonly drop: DropParts;
  readonly uploads: Upload[];
  readonly messageIds: string[];
}

const DROPS_AT_ONCE = 8;
/** Generations that one batch may find abandoned before it leaves the rest to its next delivery. */
const MAX_STARTS = 3;

/** Takes a batch of upload events: for each drop one look at its state, one pulse, and at most one run started. */
export const acceptDrop = useCase({
  /**
   * Up to 1,000 messages of the upload queue (`batchSize` in infra/batch/functions.yml); a body is an upload event, cut down
   * by its rule.
   */
  input: z.object({
    Records: z.array(z.object({ messageId: z.string(), body: z.string() })),
  }),
  /** SQS delivers the messages named here again, and finally moves them to the dead-letter queue. */
  output: z.object({
    batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })),
  }),
})(async ({ Records }, services: AcceptDropServices) => {
  const failed: string[] = [];
  const misplaced: string[] = [];
  const batches = new Map<string, DropBatch>();
  for (const { messageId, body } of Records) {
    const upload = parseUpload(body);
    if ('refused' in upload && upload.refused === 'misplaced') {
      misplaced.push(upload.problem);
    } else if ('refused' in upload) {
      services.warn('upload event refused', { messageId, problem: upload.problem });
      failed.push(messageId);
    } else if (upload.kind !== 'folder' && upload.kind !== 'hidden') {
      addTo(batches, messageId, upload);
    }
  }
  // A later delivery would not change them, so they count as handled.
  if (misplaced.length > 0) {
    services.warn('files that belong to no drop', { files: misplaced.length, first: misplaced[0] });
  }
  const waiting = batches.values();
  const work = async (): Promise<void> => {
    for (const batch of waiting) {
      try {
        await acceptBatch(batch, services);
      } catch (error) {
        const { drop, messageIds } = batch;
        services.warn('uploads will be delivered again', {
          ...drop,
          messages: messageIds.length,
          error,
        });
        failed.push(...messageIds);
      }
    }
  };
  await Promise.all(Array.from({ length: DROPS_AT_ONCE }, work));
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
});

function addTo(batches: Map<string, DropBatch>, messageId: string, upload: Upload): void {
  const name = toDropId(upload.drop);
  const batch = batches.get(name) ?? { drop: upload.drop, uploads: [], messageIds: [] };
  batches.set(name, batch);
  batch.uploads.push(upload);
  batch.messageIds.push(messageId);
}

/**
 * Nothing but the order of these requests keeps a file from being lost: the state is read after the upload, so a
 * generation seen open here creates its marker later, and lists later still.
 */
async function acceptBatch({ drop, uploads }: DropBatch, services: AcceptDropServices): Promise<void> {
  const { store, executions, clock } = services;
  const pulse = await pulseMark(drop).read(store);
  const state = await listDropState(store, drop, pulse?.shut);
  const freezingAt = lastFreezingAt(state);
  const doubtful = uploads.filter(({ at }) => !isCovered(at, freezingAt, clock()));
  if (doubtful.length === 0) return;

  await pulseMark(drop).write(store, { schema: 1, shut: lastShut(state)?.generation });
  if (!doubtful.some(({ kind }) => opensRun(kind))) return;

  let generation = openGeneration(state);
  for (let starts = 0; starts < MAX_STARTS; starts++) {
    const run = { ...drop, generation };
    if ((await startRun(executions, run)) === 'started') return;
    // Its execution has ended. If it froze, it did so after the state was read, and its listing has these files.
    const frozen = await frozenJson(run).read(store);
    if (frozen?.status === 'frozen') return;
    if (frozen === undefined) {
      const message = `execution of ${toRunId(run)} has ended without a word: clean-up-run will abandon it`;
      throw new Condition('GenerationUndecided', message);
    }
    generation = openGeneration(await listDropState(store, drop, generation));
  }
  throw new Condition(
    'GenerationUndecided',
    `${MAX_STARTS} generations of ${toDropId(drop)} were abandoned in a row`,
  );
}
