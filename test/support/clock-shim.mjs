// Loaded into every process of the campaign's machine: its clock, which the campaign puts forward and back, stands in a file.
import { readFileSync } from 'node:fs';
import { setInterval } from 'node:timers';

const FILE = process.env.FAULTS_CLOCK;
const LOOK_EVERY_MS = 25;
let offsetMs = 0;
const look = () => {
  try {
    offsetMs = Number(readFileSync(FILE, 'utf8'));
  } catch {
    // Before the first jump there is no file; while descriptors are short the clock goes on as it does.
  }
};

if (FILE !== undefined) {
  look();
  setInterval(look, LOOK_EVERY_MS).unref();
  const SystemDate = Date;
  globalThis.Date = class extends SystemDate {
    constructor(...args) {
      if (args.length === 0) super(SystemDate.now() + offsetMs);
      else super(...args);
    }
    static now() {
      return SystemDate.now() + offsetMs;
    }
  };
}
