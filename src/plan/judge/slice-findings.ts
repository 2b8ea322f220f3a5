import { toShownValue } from '../../pipeline/shown-value.ts';
import { MIN_SLICE_INPUTS, type SliceBound } from '../../pipeline/slice-settings.ts';
import type { Problem } from '../../problem/problem.ts';
import { parseSliceName, toSliceName } from '../../slice/slice-name.ts';
import { plural } from '../../text/figures.ts';
import type { ResolvedSlices } from './resolve-slices.ts';

/** Values of one dimension over the inputs of a run, as far as they were looked at. */
interface Seen {
  looked: number;
  matched: number;
  /** Name of an input without a value. */
  example: string | undefined;
  /** Inputs of each slice that the gate names. */
  readonly named: Map<string, number>;
}

/** Looks at the slices of a run's inputs before it costs: a dimension that tells nothing apart, and slices of the gate that are missing. */
export class SliceFindings {
  readonly #slices: ResolvedSlices;
  readonly #bounds: Readonly<Record<string, SliceBound>>;
  readonly #seen: readonly Seen[];
  #isWhole = true;

  constructor(slices: ResolvedSlices, bounds: Readonly<Record<string, SliceBound>> = {}) {
    this.#slices = slices;
    this.#bounds = bounds;
    const parsed = Object.keys(bounds).map((name) => ({ name, dimension: parseSliceName(name)?.dimension }));
    this.#seen = slices.dimensions.map(({ name }) => ({
      looked: 0,
      matched: 0,
      example: undefined,
      named: new Map(parsed.filter(({ dimension }) => dimension === name).map((slice) => [slice.name, 0])),
    }));
  }

  /** Counts the value of an input. @param at place of the dimension */
  add(at: number, value: string | null, input: string): void {
    const seen = this.#seen[at];
    const dimension = this.#slices.dimensions[at];
    if (seen === undefined || dimension === undefined) return;
    seen.looked += 1;
    if (value === null) seen.example ??= input;
    else seen.matched += 1;
    if (seen.named.size === 0) return;
    const name = toSliceName(dimension.name, value);
    const count = seen.named.get(name);
    if (count !== undefined) seen.named.set(name, count + 1);
  }

  /** Marks that some inputs were not looked at. */
  leaveRest(): void {
    this.#isWhole = false;
  }

  /** Dimensions that have no value in any input. */
  problems(): readonly Problem[] {
    return this.#seen.flatMap(({ looked, matched, example }, at) => {
      if (looked === 0 || matched > 0) return [];
      const place = this.#slices.places[at] ?? 'report.slices';
      const { name, from, ...source } = this.#slices.dimensions[at] ?? { name: '', from: '' };
      const message =
        `gives none of ${plural(looked, 'input')} a value for ${name}; it was tried on ${example ?? ''}: correct it, or ` +
        'leave it out';
      return [{ file: 'pipeline.json', field: place, value: toShownValue({ from, ...source }), message }];
    });
  }

  /** Slices of the gate that too few inputs have. */
  notes(): readonly string[] {
    if (!this.#isWhole) return [];
    return this.#seen.flatMap(({ looked, named }) =>
      [...named].flatMap(([name, count]) => {
        const least = this.#bounds[name]?.minInputs ?? MIN_SLICE_INPUTS;
        if (looked === 0 || count >= least) return [];
        return [
          `gate.slices bounds ${JSON.stringify(name)}, which ${count} of ${plural(looked, 'input')} ` +
            `${count === 1 ? 'has' : 'have'}, fewer than the ${least} that it needs: the gate will have no verdict`,
        ];
      }),
    );
  }
}
