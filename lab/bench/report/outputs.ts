import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { normal, random } from '../../../test/support/random.ts';

/** One set of outputs to read. */
interface OutputSet {
  readonly classes: number;
  readonly records: number;
}

/** `alpha`, `bravo`, …: letters alone, as the notebook's pattern takes them. */
export function labelsOf(classes: number): string[] {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const letter = (value: number): string => letters[value % 26] ?? 'a';
  return Array.from(
    { length: classes },
    (_, id) => `class${letter(Math.floor(id / 676))}${letter(Math.floor(id / 26))}${letter(id)}z`,
  );
}

/** Writes outputs as TensorFlow Serving does, `<number>-<truth>.png.out`, a float32 softmax each. */
export function writeOutputs(folder: string, { classes, records }: OutputSet): void {
  mkdirSync(folder, { recursive: true });
  const labels = labelsOf(classes);
  const next = random(classes);
  // A pool of draws: a thousand normal deviates for each file would take longer than all that is measured.
  const draws = Float64Array.from({ length: 65_536 }, () => Math.exp(1.5 * normal(next)));
  const scores = new Float32Array(classes);
  for (let record = 0; record < records; record++) {
    const truth = Math.floor(next() * classes);
    const from = clearDraw(next, draws, classes, truth);
    let sum = 0;
    for (let id = 0; id < classes; id++) {
      const draw = draws[(from + id * 37) % draws.length] ?? 0;
      scores[id] = id === truth ? draw * classes : draw;
      sum += scores[id] ?? 0;
    }
    const text = Array.from(scores, (score) => shortest(score / sum)).join(', ');
    const name = `${String(record).padStart(6, '0')}-${labels[truth] ?? ''}.png.out`;
    writeFileSync(path.join(folder, name), `{\n    "predictions": [[${text}]\n    ]\n}`);
  }
}

/** A float32 as a double's shortest text, which is what makes 23 kB of a thousand of them: `0.00008391487834160216`, `5.3e-08`. */
function shortest(value: number): string {
  const text = String(Math.fround(value));
  return text.replace(/e-(\d)$/, 'e-0$1');
}

/** Where to begin in the draws, so that the notebook's loop, which rounds to three decimals, finds the same best class. */
function clearDraw(next: () => number, draws: Float64Array, classes: number, truth: number): number {
  for (;;) {
    const from = Math.floor(next() * draws.length);
    let [best, second, sum] = [0, 0, 0];
    for (let id = 0; id < classes; id++) {
      const draw = (draws[(from + id * 37) % draws.length] ?? 0) * (id === truth ? classes : 1);
      sum += draw;
      if (draw > best) [best, second] = [draw, best];
      else if (draw > second) second = draw;
    }
    if ((best - second) / sum > 0.002) return from;
  }
}
