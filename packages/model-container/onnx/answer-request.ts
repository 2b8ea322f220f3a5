import type { NamedTensors, ServableModel, TensorSpec } from '@inferdrop/savedmodel/servable-model';
import type { TorchAnswer, TorchRequest } from '../pytorch/torch-worker.ts';
import { readNpy } from './npy.ts';
import { predict } from './predict.ts';
import { readCsv } from './read-csv.ts';
import { type ImageSettings, readImage } from './read-image.ts';
import { only, readJson, readJsonLines } from './read-json.ts';
import { refuse, RequestRefused } from './request-refused.ts';
import { writerOf } from './write-answer.ts';

/** Answers a request as `python/inference.py` does in the PyTorch container. */
export async function answerRequest(
  model: ServableModel,
  { headers, body }: Pick<TorchRequest, 'headers' | 'body'>,
  images: ImageSettings | undefined,
): Promise<TorchAnswer> {
  const header = (name: string): string | undefined =>
    Object.entries(headers).find(([found]) => found.toLowerCase() === name)?.[1];
  const asked = header('accept') ?? '*/*';
  const accept = asked === '' || asked === '*/*' ? 'application/json' : asked;
  const media = (header('content-type') ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? '';
  try {
    const write = writerOf(accept, media);
    const inputs = model.signatures[0]?.inputs ?? [];
    const outputs = await predict(model, read(inputs, { media, body, images }));
    return {
      kind: 'answer',
      status: 200,
      headers: { 'content-type': accept },
      body: Buffer.from(write(outputs)),
    };
  } catch (error) {
    if (!(error instanceof RequestRefused)) throw error;
    const { status, message } = error;
    return { kind: 'answer', status, headers: {}, body: Buffer.from(`${message}\n`) };
  }
}

interface Body {
  readonly media: string;
  readonly body: Uint8Array;
  readonly images: ImageSettings | undefined;
}

function read(inputs: readonly TensorSpec[], { media, body, images }: Body): NamedTensors {
  if (media === 'application/x-image' || media.startsWith('image/'))
    return readImage(only(inputs, 'an image'), body, images);
  switch (media) {
    case 'application/x-npy':
      return readNpy(only(inputs, 'a NumPy array'), body);
    case 'text/csv':
      return readCsv(inputs, toText(body));
    case 'application/json':
      return readJson(inputs, toText(body));
    case 'application/jsonlines':
      return readJsonLines(inputs, toText(body));
    default:
      return refuse(
        'Content-Type must be application/json, application/jsonlines, text/csv, application/x-npy, ' +
          `application/x-image or an image's own, is ${media}`,
        415,
      );
  }
}

function toText(body: Uint8Array): string {
  try {
    // Without the mark with which Excel begins its files of UTF-8.
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return refuse('the request is not UTF-8');
  }
}
