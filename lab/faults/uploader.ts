import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import { SendMessageCommand, SetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import {
  CLASSES,
  FIRST,
  rowNetwork,
  SECOND,
} from '../../packages/model-container/test/support/row-network.ts';
import { type CampaignApplication, insist } from './application.ts';
import type { Draw } from './draw.ts';

const EXAMPLE = path.resolve(import.meta.dirname, '..', '..', 'examples', 'fashion-mnist');
const FORM = { contentType: 'application/jsonlines', accept: 'application/jsonlines' };
/** Received and not deleted: in AWS and by default after six minutes, here soon, so that a round need not wait. */
const VISIBILITY_SECONDS = 15;
const MAX_EVENT_DELAY_SECONDS = 12;

/** Actions of the campaign on the bucket and its events, as its users and EventBridge may. */
export interface Uploader {
  readonly counts: Record<string, number>;
  /** Uploads a drop piece by piece; overwrites and deletes some of it meanwhile. */
  fill(pipeline: PipelineName, drop: string): Promise<void>;
  /** From now on events come this late: those after a shorter delay overtake them. */
  delayEvents(): Promise<void>;
  deliverAtOnce(): Promise<void>;
}

/** Each has an endpoint of its own, which changes whenever a run with another model passes its gate. */
export const SERVED = ['served-a', 'served-b', 'served-c'] as const;

/** `rows` is tiny, `images` has an `inference.py` in a process of its own. */
export type PipelineName = 'rows' | 'images' | (typeof SERVED)[number];

export async function createUploader(
  application: CampaignApplication,
  { chance, draw, oneOf }: Draw,
): Promise<Uploader> {
  const { put, s3, sqs, bucket, uploads } = application;
  const counts: Record<string, number> = {};
  const count = (kind: string): void => void (counts[kind] = (counts[kind] ?? 0) + 1);
  let serial = 0;
  let delaySeconds = 0;
  const example = JSON.parse(await readFile(path.join(EXAMPLE, 'pipeline.json'), 'utf8'));
  const images = await Promise.all(
    (await readdir(path.join(EXAMPLE, 'images'))).slice(0, 60).map(async (name) => ({
      label: name.replace(/^.*?([a-zA-Z-]+)\.png$/, '$1'),
      bytes: await readFile(path.join(EXAMPLE, 'images', name)),
    })),
  );
  const configure = (pipeline: PipelineName, change: object): Promise<void> =>
    put(
      `pipelines/${pipeline}/pipeline.json`,
      JSON.stringify({
        ...example,
        drop: { quietSeconds: 1 },
        endpoint: { deploy: 'never' },
        gate: undefined,
        ...change,
      }),
    );
  const rowsConfig = {
    transform: {
      ...example.transform,
      ...FORM,
      splitType: 'Line',
      assembleWith: 'Line',
      inputFilter: '$.features',
    },
    labels: { classes: CLASSES, truth: { from: 'record', path: '$.label' } },
    report: { topK: [1, 2] },
  };
  await put('pipelines/images/model.tar.gz', await readFile(path.join(EXAMPLE, 'model.tar.gz')));
  await put('pipelines/rows/model.tar.gz', await rowNetwork());
  await configure('images', {});
  await configure('rows', rowsConfig);
  /** A model that no endpoint serves yet. */
  const giveModel = async (pipeline: (typeof SERVED)[number]): Promise<void> => {
    count('model replaced');
    await put(`pipelines/${pipeline}/model.tar.gz`, await rowNetwork({ 'serial.txt': String(serial) }));
  };
  for (const pipeline of SERVED) {
    await giveModel(pipeline);
    await configure(pipeline, {
      ...rowsConfig,
      gate: { minAccuracy: 0.2, minInputs: 1, confidence: null },
      endpoint: { deploy: 'when-gate-passes', ttlHours: 8 },
    });
  }
  const setQueue = (Attributes: Record<string, string>): Promise<unknown> =>
    insist(() => sqs.send(new SetQueueAttributesCommand({ QueueUrl: uploads, Attributes })));
  await setQueue({ VisibilityTimeout: String(VISIBILITY_SECONDS) });

  /** Bytes that no other upload has. */
  const content = (pipeline: string, label: string): Buffer => {
    serial += 1;
    if (pipeline === 'images') return numbered(images.find((image) => image.label === label)!.bytes, serial);
    const features = label === 'd' ? FIRST : SECOND;
    return Buffer.from(`${JSON.stringify({ id: serial, label, features })}\n`);
  };
  const write = async (pipeline: string, key: string): Promise<void> => {
    if (delaySeconds > 0) count('event delayed');
    const label = /-([^/]+)\.\w+$/.exec(key)![1]!;
    await put(key, content(pipeline, label));
  };
  /** EventBridge and SQS deliver at least once and in any order: an event comes again, and late. */
  const repeatEvent = async (key: string): Promise<void> => {
    count('event repeated');
    const time = new Date(Date.now() - draw(0, 60_000)).toISOString();
    const body = JSON.stringify({ key, size: 1, etag: 'repeated', time });
    const message = { QueueUrl: uploads, MessageBody: body, DelaySeconds: draw(0, 20) };
    await insist(() => sqs.send(new SendMessageCommand(message)));
  };
  return {
    counts,
    async fill(pipeline, drop) {
      const labels = pipeline === 'images' ? images.map(({ label }) => label) : ['c', 'd'];
      const served = SERVED.find((name) => name === pipeline);
      if (served !== undefined && chance() < 0.7) await giveModel(served);
      const written: string[] = [];
      for (let file = draw(1, 12); file > 0; file--) {
        const end = pipeline === 'images' ? 'png' : 'jsonl';
        const key = `incoming/${pipeline}/${drop}/${draw(0, 2)}/${file}-${oneOf(labels)}.${end}`;
        await write(pipeline, key);
        written.push(key);
        if (chance() < 0.3) await sleep(draw(0, 1500));
        if (chance() < 0.15) {
          count('overwrite');
          await write(pipeline, oneOf(written));
        }
        if (chance() < 0.08) {
          count('deletion');
          await insist(() => s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: oneOf(written) })));
        }
        if (chance() < 0.3) await repeatEvent(oneOf(written));
      }
      await sleep(draw(0, 20_000));
      if (chance() < 0.5) {
        count('overwrite');
        await write(pipeline, oneOf(written));
      }
    },
    async delayEvents() {
      delaySeconds = draw(0, MAX_EVENT_DELAY_SECONDS);
      await setQueue({ DelaySeconds: String(delaySeconds) });
    },
    async deliverAtOnce() {
      delaySeconds = 0;
      await setQueue({ DelaySeconds: '0' });
    },
  };
}

/** The same picture with a number in a comment before the image's end. */
function numbered(png: Buffer, serial: number): Buffer {
  const data = Buffer.from(`tEXtComment\0${serial}`, 'latin1');
  const size = Buffer.alloc(4);
  size.writeUInt32BE(data.length - 4);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(data));
  const end = png.length - 12;
  return Buffer.concat([png.subarray(0, end), size, data, check, png.subarray(end)]);
}
