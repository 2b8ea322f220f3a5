import { mostErrors } from '../../gate/proof.ts';
import { binomialTail, exactUpper, neededRight } from '../../metric/exact-bound.ts';
import type { ResolvedGate } from '../../pipeline/gate-settings.ts';
import { recallByClass } from '../../pipeline/recall-by-class.ts';
import { grouped, percent, plural } from '../../text/figures.ts';
import { sharePercent } from '../../text/share-percent.ts';

/** Inputs of a run, of one record each, and how many of them have a label; undefined if that isn't known. */
interface Known {
  readonly inputs: number;
  readonly labeled: number | undefined;
  /** Labeled inputs of each class. */
  readonly classes: readonly number[];
}

/** Notes on the cost of a gate's bounds in a run that must prove them. */
export function gatePriceNotes(gate: ResolvedGate | null, known: Known): string[] {
  const { confidence = null, minAccuracy, maxErrorRate, minRecall } = gate ?? {};
  const { inputs, labeled = 0 } = known;
  if (confidence === null || inputs === 0) return [];
  const at = `at ${sharePercent(confidence)} confidence`;
  const every = recallByClass(minRecall)['*'];
  return [
    ...(minAccuracy === undefined || labeled === 0
      ? []
      : [accuracyNote(minAccuracy, neededRight(minAccuracy, labeled, confidence), labeled, at)]),
    ...(every === undefined || labeled === 0 ? [] : recallNote(every, known.classes, confidence)),
    ...(maxErrorRate === undefined ? [] : [errorNote(maxErrorRate, inputs, confidence, at)]),
  ];
}

function accuracyNote(floor: number, needed: number, labeled: number, at: string): string {
  const known = plural(labeled, 'labeled input');
  return needed > labeled
    ? `gate.minAccuracy ${floor} can't be proven ${at} by ${known}, not even if all are right: the gate can't pass`
    : `gate.minAccuracy ${floor}: ${grouped(needed)} of ${known} must be right to prove it ${at}`;
}

function errorNote(most: number, inputs: number, confidence: number, at: string): string {
  const allowed = mostErrors(most, confidence, inputs);
  const known = plural(inputs, 'input');
  return allowed < 0
    ? `gate.maxErrorRate ${most} can't be proven ${at} by ${known}: no errors of so many prove at most ` +
        `${sharePercent(exactUpper(0, inputs, confidence), most)}, so the gate can't pass`
    : `gate.maxErrorRate ${most}: at most ${grouped(allowed)} of ${known} may have no answer to prove it ${at}`;
}

/** How much a bound of recall is lowered in the comparison that a note makes. */
const LOWER = 0.1;

/**
 * The price of a bound that each class must prove, for classes that are right halfway between the bound and 1; small ones
 * are judged together.
 */
function recallNote(
  { minRecall: floor, minInputs }: { readonly minRecall: number; readonly minInputs: number },
  classes: readonly number[],
  confidence: number,
): string[] {
  const large = classes.filter((records) => records >= minInputs);
  const rest = classes.filter((records) => records < minInputs).reduce((sum, records) => sum + records, 0);
  const sizes = rest >= minInputs || large.length === 0 ? [...large, rest] : large;
  const records = Math.min(...sizes);
  if (records === 0) return [];
  const needed = neededRight(floor, records, confidence);
  const quality = (floor + 1) / 2;
  const one = (bound: number, size: number): number =>
    binomialTail(neededRight(bound, size, confidence), size, quality);
  const all = (bound: number): number => sizes.reduce((product, each) => product * one(bound, each), 1);
  const chance = (share: number): string => percent(share, 0);
  const together =
    sizes.length === 1 ? '' : `, all ${grouped(sizes.length)} classes at once in ${chance(all(floor))}`;
  const size = plural(records, 'record');
  const lower = Math.round((floor - LOWER) * 100) / 100;
  if (needed > records)
    return [`gate.minRecall ${floor}: a class of ${size} can't prove it, not even if all are right`];
  return [
    `gate.minRecall ${floor}: a class of ${size} must have ${grouped(needed)} right. A class that is right in ` +
      `${sharePercent(quality)} has them in ${chance(one(floor, records))} of ` +
      `runs${together}${lower > 0 ? `. A floor of ${lower} would be proven in ${chance(all(lower))}` : ''}`,
  ];
}
