import {
  type Container,
  ContainerExited,
  type ContainerSpec,
  type StartContainer,
} from '@inferdrop/model-container/container';
import { boundLog } from '@inferdrop/model-container/internal/bounded-log';
import type { Clock } from '../../kernel/clock.ts';
import { aborted } from '../jobs/aborted.ts';
import { type ContainerClient, createContainerClient, NoAnswer } from '../jobs/invoke-container.ts';

/** A container that is kept running: if it exits, another one replaces it. */
export interface HostedContainer {
  /** Its client, once its ping has passed; during a replacement, the next container's client. */
  client(): Promise<ContainerClient>;
  stop(): Promise<void>;
}

interface HostedContainerOptions {
  readonly startContainer: StartContainer;
  readonly spec: ContainerSpec;
  /** From the container's start until its ping must have passed. */
  readonly startupMs: number;
  readonly clock: Clock;
}

/** The container did not become healthy; the message is its last log line, if any. */
export class NeverHealthy extends Error {
  override readonly name = 'NeverHealthy';
}

const PING_TIMEOUT_MS = 2_000;
const PING_INTERVAL_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;

/** Starts a container. `client()` rejects with `NeverHealthy` if the first one never is; later ones are tried again and again. */
export function hostContainer(options: HostedContainerOptions): HostedContainer {
  const { clock } = options;
  // One bound for successive containers; otherwise one that keeps crashing would get its burst each time.
  const bounded = boundLog(options.spec.log, clock);
  const spec: ContainerSpec = { ...options.spec, log: (line) => bounded.write(line) };
  const stop = new AbortController();
  let running: Promise<Running>;

  const watch = (one: Running): Running => {
    one.container.ended.addEventListener('abort', () => {
      if (stop.signal.aborted) return;
      spec.log('the container ended and is started again');
      become(restart(1));
    });
    return one;
  };
  const become = (next: Promise<Running>): void => {
    running = next.then(watch);
    running.catch(() => undefined);
  };
  const restart = async (attempt: number): Promise<Running> => {
    await clock.sleep(Math.min(MAX_BACKOFF_MS, 1000 * 2 ** (attempt - 1)), stop.signal);
    try {
      return await boot({ ...options, spec }, stop.signal);
    } catch (error) {
      if (stop.signal.aborted) throw error;
      spec.log(error instanceof Error ? error.message : String(error));
      return restart(attempt + 1);
    }
  };
  become(boot({ ...options, spec }, stop.signal));
  return {
    client: async () => (await running).client,
    async stop() {
      stop.abort(new DOMException('the container is being stopped', 'AbortError'));
      const last = await running.catch(() => undefined);
      last?.client.close();
      await last?.container.stop();
      bounded.flush();
    },
  };
}

interface Running {
  readonly container: Container;
  readonly client: ContainerClient;
}

async function boot(options: HostedContainerOptions, stop: AbortSignal): Promise<Running> {
  const { clock, startupMs } = options;
  const late = new AbortController();
  const cancel = clock.after(startupMs, () =>
    late.abort(new NeverHealthy(`no ping passed within ${startupMs / 1000} seconds`)),
  );
  const container = options.startContainer(options.spec);
  try {
    const giveUp = AbortSignal.any([stop, late.signal]);
    const base = await Promise.race([container.listening, aborted(giveUp)]);
    const client = createContainerClient(base, AbortSignal.any([stop, container.ended]));
    await waitForPing(client, clock, AbortSignal.any([giveUp, container.ended]));
    return { container, client };
  } catch (error) {
    await container.stop();
    throw error instanceof ContainerExited ? new NeverHealthy(error.message) : error;
  } finally {
    cancel();
  }
}

async function waitForPing(client: ContainerClient, clock: Clock, giveUp: AbortSignal): Promise<void> {
  for (;;) {
    try {
      const answer = await Promise.race([client.get('/ping', PING_TIMEOUT_MS), aborted(giveUp)]);
      if (answer.status === 200) return;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
    }
    await clock.sleep(PING_INTERVAL_MS, giveUp);
  }
}
