/**
 * Collects the messages of one turn of the event loop and posts them as one: waking the other thread costs more than
 * copying most messages.
 */
export function batchMessages<T>(post: (messages: readonly T[]) => void): (message: T) => void {
  let messages: T[] = [];
  const flush = (): void => {
    const due = messages;
    messages = [];
    post(due);
  };
  return (message) => {
    if (messages.push(message) === 1) setImmediate(flush);
  };
}
