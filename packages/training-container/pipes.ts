import { feedPipe, preparePipe } from './pipe-feeder.ts';
import type { HostFolders, TrainingRequest } from './training-request.ts';

/** The channels of a job that are in Pipe mode, each for each host. */
export interface Pipes {
  /** Resolves with the reason when a channel cannot be read; else never. */
  readonly failed: Promise<string>;
  close(): void;
}

/** The FIFOs of the first epochs are there when this resolves. */
export async function openPipes(
  { channels }: Pick<TrainingRequest, 'channels'>,
  all: readonly HostFolders[],
): Promise<Pipes> {
  const closed = new AbortController();
  const failed = Promise.withResolvers<string>();
  const feeds = channels.flatMap((channel) => {
    const { open } = channel;
    if (open === undefined) return [];
    return all.map(({ data }, host) => ({
      channel: { ...channel, open },
      host,
      dataDir: data,
      stop: closed.signal,
    }));
  });
  await Promise.all(feeds.map(preparePipe));
  for (const feed of feeds)
    feedPipe(feed).catch((error: unknown) =>
      failed.resolve(error instanceof Error ? error.message : String(error)),
    );
  return { failed: failed.promise, close: () => closed.abort() };
}
