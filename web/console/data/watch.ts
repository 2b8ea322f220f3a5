/** Receiver of a stream of looks at one thing. */
interface Watcher<T> {
  readonly seen: (value: T) => void;
  readonly over?: () => void;
  /** Called where there is no run of the name. */
  readonly unknown?: () => void;
}

/** Whether the stack answers, for the banner above the page. */
export interface Connection {
  /** Reason for which there is no answer; undefined while there is one. */
  lost(detail: string | undefined, retryMs?: number): void;
}

/** Watches an address of server-sent events; the returned function ends that. The browser itself connects again where the console was gone. */
export function watch<T>(
  address: string,
  connection: Connection,
  { seen, over, unknown }: Watcher<T>,
): () => void {
  const source = new EventSource(address);
  source.addEventListener('seen', ({ data }) => {
    connection.lost(undefined);
    seen(JSON.parse(String(data)));
  });
  source.addEventListener('lost', ({ data }) => {
    const { detail, kind, retryMs } = JSON.parse(String(data));
    if (kind === 'unknown-run' && unknown !== undefined) unknown();
    else connection.lost(kind === 'stack-gone' ? STACK_GONE : String(detail), Number(retryMs));
  });
  source.addEventListener('over', () => {
    source.close();
    over?.();
  });
  source.addEventListener('error', () => {
    if (source.readyState !== EventSource.CLOSED) connection.lost(CONSOLE_GONE);
    else connection.lost(NOT_LET_IN);
  });
  return () => source.close();
}

const STACK_GONE = 'The stack does not answer. Runs stopped with it go on when it is back.';
const CONSOLE_GONE = 'The console does not answer: inferdrop console starts it again.';
const NOT_LET_IN = 'The console lets this page in no more: open the address that it printed.';
