/** Fails the test run, whatever the client of the answer thinks of it: an answer that AWS would not give teaches clients what is wrong. */
export function onBadAnswer(problem: string): void {
  setImmediate(() => {
    throw new Error(`an answer of the local stack is against AWS's model: ${problem}`);
  });
}
