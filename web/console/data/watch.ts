import type { Frame } from '../page.ts';
import { send } from './ask.ts';

/** Receiver of a stream of looks at one thing. */
interface Watcher<T> {
  readonly seen: (value: T) => void;
  readonly over?: () => void;
  /** Called where there is no run of the name. */
  readonly unknown?: () => void;
}

/**
 * Watches an address of server-sent events, and draws the page after each look. It connects again while the console is gone; the
 * returned function stops that.
 */
export function watch<T>(
  address: string,
  frame: Pick<Frame, 'lost' | 'redraw'>,
  { seen, over, unknown }: Watcher<T>,
): () => void {
  const stop = new AbortController();
  const hear = (event: string): void => {
    const [, kind, data = ''] = /^event: (\w+)\ndata: (.*)$/s.exec(event) ?? [];
    if (kind === 'seen') {
      frame.lost(undefined);
      seen(JSON.parse(data));
      frame.redraw();
    } else if (kind === 'lost') {
      const { detail, kind: reason, retryMs } = JSON.parse(data);
      if (reason === 'unknown-run' && unknown !== undefined) unknown();
      else frame.lost(reason === 'stack-gone' ? STACK_GONE : String(detail), Number(retryMs));
    } else if (kind === 'over') {
      stop.abort();
      over?.();
    }
  };
  /** Follows the stream until its end or the console's; `false` if the console lets this page in no more. */
  const listen = async (): Promise<boolean> => {
    const response = await send(address, { signal: stop.signal }).catch(() => undefined);
    if (response?.ok === false) return false;
    const reader = response?.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ''; ;) {
      const piece = await reader?.read().catch(() => undefined);
      if (piece?.value === undefined) return true;
      const events = (text + piece.value).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) if (!stop.signal.aborted) hear(event);
    }
  };
  const follow = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const isLetIn = await listen();
      if (stop.signal.aborted) return;
      frame.lost(isLetIn ? CONSOLE_GONE : NOT_LET_IN);
      if (!isLetIn) return;
      await new Promise((later) => setTimeout(later, RETRY_MS));
    }
  };
  void follow();
  return () => stop.abort();
}

/** Interval between attempts to reach a console that is gone. */
const RETRY_MS = 3_000;
const STACK_GONE = 'The stack does not answer. Runs stopped with it go on when it is back.';
const CONSOLE_GONE = 'The console does not answer: inferdrop console starts it again.';
const NOT_LET_IN = 'The console lets this page in no more: open the address that it printed.';
