import { constants, open as openFile } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { makeFifo } from './make-fifo.ts';
import type { TrainingChannel } from './training-request.ts';

/** Begins each record of MXNet's RecordIO. */
const MAGIC = 0xced7230a;
const HEADER_BYTES = 8;
/** Three bits of the length's word are a flag; 0 is a whole record. */
const MAX_RECORD_BYTES = 2 ** 29 - 1;

/**
 * An object as one record of RecordIO: magic number, length (both little-endian), bytes, zeros up to a multiple of four.
 *
 * @throws {RangeError} if it has 512 MiB or more
 */
function toRecord(bytes: Uint8Array): Uint8Array {
  if (bytes.length > MAX_RECORD_BYTES)
    throw new RangeError(
      `RecordWrapperType RecordIO: an object must have at most ${MAX_RECORD_BYTES} bytes, has ${bytes.length}: send it without the wrapper`,
    );
  const record = Buffer.alloc(HEADER_BYTES + Math.ceil(bytes.length / 4) * 4);
  record.writeUInt32LE(MAGIC, 0);
  record.writeUInt32LE(bytes.length, 4);
  record.set(bytes, HEADER_BYTES);
  return record;
}

interface PipeFeed {
  readonly channel: TrainingChannel & Required<Pick<TrainingChannel, 'open'>>;
  /** Number of the host, from 0. */
  readonly host: number;
  /** `input/data` of the host. */
  readonly dataDir: string;
  readonly stop: AbortSignal;
}

/** A channel of a host could not be read. */
class ChannelFailed extends Error {
  override readonly name = 'ChannelFailed';
}

/** A FIFO can't tell when its reader comes, so we poll this often. */
const READER_POLL_MS = 20;

const openDescriptor = promisify(openFile);

/** Makes the FIFO of the channel's first epoch: it must be there when the script starts. */
export async function preparePipe({
  channel,
  dataDir,
}: Pick<PipeFeed, 'channel' | 'dataDir'>): Promise<void> {
  await makeFifo(pipePath(dataDir, channel.name, 0));
}

/**
 * Serves a channel in Pipe mode until `stop`: `<channel>_0`, `<channel>_1`, … are FIFOs, one an epoch. The next one is made as soon
 * as one has a reader, a reader that closes early has had its epoch, and no more is read ahead than a pipe holds.
 *
 * @throws {ChannelFailed} if the objects cannot be read
 */
export async function feedPipe({ channel, host, dataDir, stop }: PipeFeed): Promise<void> {
  for (let epoch = 0; !stop.aborted; epoch++) {
    const path = pipePath(dataDir, channel.name, epoch);
    const descriptor = await untilRead(path, stop);
    if (descriptor === undefined) return;
    await makeFifo(pipePath(dataDir, channel.name, epoch + 1));
    // A socket takes a FIFO: writing waits in the event loop, not in a thread, and a reader that has gone is an EPIPE.
    const sink = new Socket({ fd: descriptor, readable: false, writable: true });
    try {
      await pipeline(Readable.from(framed(channel, channel.open(host, epoch))), sink, { signal: stop });
    } catch (error) {
      if (stop.aborted) return;
      if (!isBrokenPipe(error))
        throw new ChannelFailed(
          `channel ${channel.name}: ${error instanceof Error ? error.message : String(error)}`,
        );
    }
    await rm(path, { force: true });
  }
}

/** Bytes of an epoch: objects one after the other, or each as a record. */
async function* framed(
  { recordWrapper }: TrainingChannel,
  objects: AsyncIterable<AsyncIterable<Uint8Array>>,
): AsyncGenerator<Uint8Array> {
  for await (const object of objects) {
    if (recordWrapper === 'None') yield* object;
    else yield toRecord(Buffer.concat(await Array.fromAsync(object)));
  }
}

function pipePath(dataDir: string, channel: string, epoch: number): string {
  return join(dataDir, `${channel}_${epoch}`);
}

/** Opens the FIFO for writing once it has a reader. Opened without O_NONBLOCK, it would hold a thread of Node's pool for hours. */
async function untilRead(path: string, stop: AbortSignal): Promise<number | undefined> {
  while (!stop.aborted) {
    try {
      return await openDescriptor(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if (codeOf(error) !== 'ENXIO') throw error;
    }
    await new Promise((again) => setTimeout(again, READER_POLL_MS));
  }
  return undefined;
}

function isBrokenPipe(error: unknown): boolean {
  return codeOf(error) === 'EPIPE' || codeOf(error) === 'ECONNRESET';
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
