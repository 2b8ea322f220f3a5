/**
 * Makes what a test's own process writes to its streams the test's output, as vitest makes what goes through `console`: shown if the test
 * fails, else not. A setup file of vitest's configurations.
 */
function captureOutput(): void {
  capture(process.stdout, (text) => console.log(text));
  capture(process.stderr, (text) => console.error(text));
}

function capture(stream: NodeJS.WriteStream, tell: (text: string) => void): void {
  stream.write = (chunk: Uint8Array | string, ...rest: unknown[]): boolean => {
    tell((typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()).replace(/\n$/, ''));
    const done = rest.at(-1);
    if (typeof done === 'function') done();
    return true;
  };
}

captureOutput();
