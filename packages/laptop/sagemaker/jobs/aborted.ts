/** Rejects with the signal's reason once it is aborted; to race work that cannot be aborted itself. */
export function aborted(signal: AbortSignal): Promise<never> {
  const failed = new Promise<never>((_resolve, reject) => {
    const fail = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'));
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
  // The rejection may have no listener by then.
  failed.catch(() => undefined);
  return failed;
}
