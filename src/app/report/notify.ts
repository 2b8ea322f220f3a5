import * as z from 'zod';
import type { Topic } from '../../aws/messages/topic.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { joinedFailures } from '../../notice/joined-failures.ts';
import { type Notice, toNotice } from '../../notice/notice.ts';
import { toTrainingNotice } from '../../notice/training-notice.ts';
import { countFailure } from '../../plan/decide/pipeline-ledger.ts';
import { Condition } from '../../problem/conditions.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { parseRunId, RunParts, toRunId } from '../../run/run-id.ts';
import type { ByRunKind } from '../../run/run-kind.ts';
import { frozenJson } from '../records/drop.ts';
import { changeLedger } from '../records/limits.ts';
import { reportJson } from '../records/report.ts';
import { markEnded, messageJson, type StoredMessage } from '../records/run.ts';
import { evaluationJson } from '../records/training.ts';
import { trainingReportJson } from '../records/training-report.ts';
import { useCase } from '../use-case.ts';

/** Services of the sending; `clock` decides when another sender's claim counts as abandoned. */
export interface NotifyServices {
  readonly store: ObjectStore;
  readonly topic: Topic;
  readonly clock: () => Date;
}

/** Age at which a claim counts as abandoned: SNS answers or fails well within it. */
const CLAIM_MS = 60_000;

/**
 * State `Notify`: sends the run's one message, and marks the run as ended. A run that judges the model of a training has no
 * message, since the training's message has its result; neither has a trial, which its probe reports.
 *
 * Repeating it sends nothing again. The message is sent twice only if a sender died after SNS accepted it and before it was recorded, since
 * losing it would be worse.
 *
 * @throws `MessageBeingSent` while another invocation sends it
 */
export const notify = useCase({
  /**
   * Sent by the states `Notify` and `NotifyFailure` with the status of the report; `report-failure` sends `failed` where the message is
   * stored already.
   */
  input: z.object({ run: RunParts, status: z.string() }),
  /** SNS's id of the run's one message, the same on every call. */
  output: z.object({
    /** Null for a run that a training's message or a probe reports, and for one of many refused runs, which a later message counts. */
    messageId: z.string().nullable(),
  }),
})(async ({ run, status }, services: NotifyServices) => {
  const { store, clock } = services;
  const messageId = (await isReportedElsewhere(store, run)) ? null : await sendOnce(run, status, services);
  await markEnded(store, run, status, clock());
  return { messageId };
});

async function isReportedElsewhere(store: ObjectStore, run: RunParts): Promise<boolean> {
  const { trial, candidate } = (await frozenJson(run).read(store)) ?? {};
  if (trial !== undefined) return true;
  const training = parseRunId(candidate?.training ?? '');
  if (training === undefined) return false;
  const { incumbentRun, candidateRun } = (await evaluationJson(training).read(store)) ?? {};
  return [incumbentRun, candidateRun].some((asked) => asked?.run === toRunId(run));
}

async function sendOnce(run: RunParts, status: string, services: NotifyServices): Promise<string | null> {
  const found = await messageJson(run).read(services.store);
  return found?.messageId ?? send(run, found, status, services);
}

async function send(
  run: RunParts,
  claimed: StoredMessage | undefined,
  status: string,
  services: NotifyServices,
): Promise<string | null> {
  const { store, topic, clock } = services;
  if (claimed?.isJoined === true) return null;
  const isFresh = claimed && clock().getTime() - new Date(claimed.claimedAt).getTime() < CLAIM_MS;
  const message = isFresh ? undefined : (claimed ?? (await claim(run, status, services)));
  if (message === undefined) {
    const text = `the message of ${toRunId(run)} is being sent by another invocation: ask again in ${CLAIM_MS / 1000} seconds`;
    throw new Condition('MessageBeingSent', text);
  }
  if (message.isJoined === true) return null;
  const { subject, body, attributes } = message;
  const { messageId } = await topic.publish({ subject, body, attributes });
  const sent: StoredMessage = { ...message, messageId, sentAt: clock().toISOString() };
  await messageJson(run).write(store, sent);
  return messageId;
}

/** Undefined if another invocation was faster. */
async function claim(
  run: RunParts,
  status: string,
  { store, clock }: NotifyServices,
): Promise<StoredMessage | undefined> {
  const notice = await toNoticeOf(run, status, store);
  // A run with a job costs money, which limits bound; one that is refused before is free, and anybody who may drop can have thousands.
  const isRefused = status === 'failed' && (await store.describe(bucketLayout.job(run, 1))) === undefined;
  const failure = isRefused ? await changeLedger(run.pipeline, { store, clock }, countFailure) : 0;
  const joined = joinedFailures(failure ?? 0, run.pipeline);
  const message: StoredMessage = {
    schema: 1,
    ...notice,
    claimedAt: clock().toISOString(),
    body: typeof joined === 'string' ? `${notice.body}\n${joined}\n` : notice.body,
    ...(joined === null && { isJoined: true }),
  };
  return (await messageJson(run).create(store, message)) ? message : undefined;
}

type AboutRun = Omit<Parameters<typeof toNotice>[0], 'report'>;
const NOTICE_OF: ByRunKind<(run: RunParts, about: AboutRun, store: ObjectStore) => Promise<Notice>> = {
  inference: async (run, about, store) => toNotice({ ...about, report: await reportJson(run).read(store) }),
  training: async (run, about, store) =>
    toTrainingNotice({ ...about, report: await trainingReportJson(run).read(store) }),
};

function toNoticeOf(run: RunParts, status: string, store: ObjectStore): Promise<Notice> {
  return NOTICE_OF[run.kind](run, { run: toRunId(run), bucket: store.bucket, status }, store);
}
