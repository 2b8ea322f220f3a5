import { StringDecoder } from 'node:string_decoder';

/** CloudWatch Logs takes events of at most 256 KiB. */
const MAX_LINE_CHARACTERS = 256 * 1024;

/** Cuts what a process prints into lines. A carriage return stays inside its line, as in CloudWatch Logs: progress bars are one line. */
export class LineCutter {
  readonly #decoder = new StringDecoder('utf8');
  readonly #onLine: (line: string) => void;
  #rest = '';

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(bytes: Buffer): void {
    const lines = (this.#rest + this.#decoder.write(bytes)).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#give(line.endsWith('\r') ? line.slice(0, -1) : line);
    while (this.#rest.length > MAX_LINE_CHARACTERS) {
      this.#onLine(this.#rest.slice(0, MAX_LINE_CHARACTERS));
      this.#rest = this.#rest.slice(MAX_LINE_CHARACTERS);
    }
  }

  /** A last line may have no end. */
  end(): void {
    const last = this.#rest + this.#decoder.end();
    this.#rest = '';
    if (last !== '') this.#give(last);
  }

  #give(line: string): void {
    if (line.length <= MAX_LINE_CHARACTERS) return this.#onLine(line);
    for (let at = 0; at < line.length; at += MAX_LINE_CHARACTERS)
      this.#onLine(line.slice(at, at + MAX_LINE_CHARACTERS));
  }
}
