import type { Finding, LabelCheck } from '../../label/label-check.ts';
import type { TalliedLabels } from '../../label/label-tally.ts';
import { exactUpper } from '../../metric/exact-bound.ts';
import type { TruthSource } from '../../pipeline/label-settings.ts';
import { toShownValue } from '../../pipeline/shown-value.ts';
import type { Problem } from '../../problem/problem.ts';
import { grouped } from '../../text/figures.ts';
import { sharePercent } from '../../text/share-percent.ts';

/** Examples that a note names; the report has more. */
const NAMED = 3;
/** Confidence at which a first round shows that the inputs have too few labels. */
const SURE = 0.9999;

/** How the labels of a run contradict its settings. */
interface JudgedLabels {
  readonly problems: readonly Problem[];
  readonly notes: readonly string[];
}

/** The findings, and the settings. */
interface FoundLabels extends TalliedLabels {
  readonly truth: TruthSource;
  readonly strict: boolean;
  /** The file that `labels.truth` comes from. */
  readonly labelsFile: string;
  /** Labeled inputs that the gate asks for; undefined if none of its bounds concerns them. */
  readonly minInputs: number | undefined;
  /** Share of the inputs that must have a label for a verdict; null if none must. */
  readonly minLabeled: number | null;
  /** Whether the gate is decided by rounds, which have no purpose but its verdict. */
  readonly isEarly: boolean;
  /** Whether an input is one record, so that labeled inputs are as many as labeled records. */
  readonly isOneRecord: boolean;
  /** Inputs that are copies of others. The gate counts none of them. */
  readonly copies: number;
  /** Commands that try again once a setting is corrected. */
  readonly again: string;
}

/** Judges the labels of a run: with `labels.strict` any mistake refuses it, else only defects that would end it after it was paid for. */
export function judgeLabels(found: FoundLabels): JudgedLabels {
  const { check, tooMany, truth, strict, labelsFile } = found;
  const problems: Problem[] = [...unclearReading(found), ...uselessLabels(found)];
  if (tooMany !== undefined) {
    const message =
      `finds more than 1000 labels that labels.classes does not list, such as ${JSON.stringify(tooMany)}: list the ` +
      'classes, or let it find only the class';
    problems.push({ file: labelsFile, field: 'labels.truth', value: toShownValue(tooMany), message });
  }
  const unlabeled = tooFewLabels(found);
  if (found.isEarly && unlabeled !== undefined)
    problems.push({
      file: 'pipeline.json',
      field: 'gate.decide',
      value: 'early',
      message: `needs a verdict, and there would be none: ${unlabeled}. Label more of them, or lower gate.minLabeled`,
    });
  const notes = labelNotes(check, truth);
  const unjudged = unlabeled === undefined ? [] : [`${unlabeled}: this run will have no verdict`];
  if (!strict || problems.length > 0) return { problems, notes: strict ? [] : [...notes, ...unjudged] };
  const refuse = (message: string): void => {
    problems.push({ file: 'pipeline.json', field: 'labels.strict', value: 'true', message });
  };
  for (const note of notes) refuse(`refuses the run: ${note}`);
  if (!check.isWhole)
    refuse(
      `cannot be held before the run is paid for: ${check.inputs} ${unitOf(truth, check.inputs)} could be looked ` +
        'at, and the run has more (docs/drops.md says how many it may have). Drop fewer at once, or set it to false',
    );
  return { problems, notes: [] };
}

/** Sentence on labels that are surely fewer than the gate asks for; undefined if they may suffice. */
function tooFewLabels(found: FoundLabels): string | undefined {
  const { check, truth, minLabeled, isEarly, isOneRecord, copies } = found;
  const { inputs, labeled, isWhole } = check;
  if (minLabeled === null || !isWhole || !isOneRecord) return undefined;
  // The labels may all belong to inputs that aren't copies.
  const distinct = inputs - copies;
  if (labeled >= distinct) return undefined;
  // A first round is a random part of the inputs; the others may have more labels.
  const share = isEarly ? exactUpper(labeled, distinct, SURE) : labeled / distinct;
  if (share >= minLabeled) return undefined;
  const source = truth?.from === 'file' ? truth.path : 'labels.truth';
  return (
    `${source} labels ${grouped(labeled)} of ${grouped(inputs)} ${unitOf(truth, inputs)}, and gate.minLabeled asks ` +
    `for ${sharePercent(minLabeled)}`
  );
}

/** The problem of labels that fit no reading, or two; with the classes of each, since only the owner of the labels can tell. */
function unclearReading({ reading, truth, labelsFile, again }: FoundLabels): Problem[] {
  if (!('refusal' in reading)) return [];
  const { refusal, offers } = reading;
  const of = truth?.from === 'file' ? truth.path : 'the drop';
  if (offers.length === 0) {
    const message = `gives labels that ${refusal}`;
    return [{ file: labelsFile, field: 'labels.truth', value: toShownValue(truth?.from), message }];
  }
  const values = offers.map(({ numbers, means }) => `${JSON.stringify(numbers)} (${means})`).join(' or ');
  const message = `must be ${values}, is null: the labels of ${of} ${refusal}. Set it, then ${again}`;
  return [{ file: 'pipeline.json', field: 'labels.numbers', value: 'null', message }];
}

/** Problems of labels with which the gate could give no verdict, for any answers of the model: the run would be paid for in vain. */
function uselessLabels({ check, truth, labelsFile, minInputs, isOneRecord }: FoundLabels): Problem[] {
  if (minInputs === undefined) return [];
  const { inputs, labeled, noClass, noInput, unlabeled, isWhole } = check;
  const isPattern = truth?.from === 'key';
  const refuse = (message: string, remedy: string): Problem[] => [
    {
      file: labelsFile,
      field: isPattern ? 'labels.truth.pattern' : 'labels.truth',
      value: toShownValue(isPattern ? truth.pattern : truth?.from),
      message: `${message}: ${remedy}`,
    },
  ];
  const units = unitOf(truth, inputs);
  const correct = "correct it, or leave out the gate's bounds of accuracy and recall";
  if (inputs > 0 && labeled === 0)
    return refuse(
      `finds no label for any of ${grouped(inputs)} ${units}; it was tried on ${named(unlabeled)}, so that the gate could judge nothing`,
      correct,
    );
  if (labeled > 0 && noClass.count >= labeled)
    return refuse(
      `finds no class of labels.classes for any of ${grouped(inputs)} ${units}, but ${named(noClass)}, so that the ` +
        'gate could judge nothing',
      correct,
    );
  // In files with many records, or if some were not looked at, the labels are not known to be too few.
  if (!isWhole || !isOneRecord) return [];
  const few = `finds a label for ${grouped(labeled)} of ${grouped(inputs)} ${units}, and for none of ${named(unlabeled)}`;
  if (truth?.from === 'file' && noInput.count > labeled && unlabeled.count > labeled)
    return refuse(
      `${few}, while ${grouped(noInput.count)} rows of ${truth.path} name no file, such as ${named(noInput)}, so that ` +
        'the gate would judge hardly anything',
      `write each name in ${truth.path} as the file has it below the drop, or leave out the gate's bounds of accuracy and recall`,
    );
  if (inputs >= minInputs && labeled < minInputs)
    return refuse(
      `${few}, and gate.minInputs asks for ${minInputs}, so that the gate could give no verdict`,
      'correct it, or lower gate.minInputs',
    );
  return [];
}

function named({ examples }: Finding): string {
  return examples.slice(0, NAMED).join('; ');
}

/** Defects of labels, a sentence for each kind. */
function labelNotes(check: LabelCheck, truth: TruthSource): string[] {
  const { inputs, labeled, noClass, noInput, conflicting, unlabeled } = check;
  const source = truth?.from === 'file' ? truth.path : 'labels.truth';
  const tried = truth?.from === 'key' ? `${source} (${JSON.stringify(truth.pattern)})` : source;
  const some = check.isWhole ? '' : ', of those looked at';
  const none = inputs > 0 && labeled === 0;
  return [
    ...sentence(
      unlabeled,
      none
        ? `${tried} finds no label for any of ${grouped(inputs)} ${unitOf(truth, inputs)}${some}`
        : `${grouped(unlabeled.count)} of ${grouped(inputs)} ${unitOf(truth, inputs)} ` +
            `${unlabeled.count === 1 ? 'has' : 'have'} no label${some}`,
      none
        ? 'without labels there is no accuracy'
        : 'what has no label is predicted, and counts in no figure of quality',
    ),
    ...sentence(
      noClass,
      `${grouped(noClass.count)} of the labels that ${source} gives ${noClass.count === 1 ? 'is' : 'are'} not in labels.classes${some}`,
      'each counts as a class of its own, which no prediction can be',
    ),
    ...sentence(
      noInput,
      `${grouped(noInput.count)} ${noInput.count === 1 ? 'row of' : 'rows of'} ${source} ${noInput.count === 1 ? 'names' : 'name'} no file`,
      'they are not used',
    ),
    ...sentence(
      conflicting,
      `${source} gives two different labels to ${grouped(conflicting.count)} ${conflicting.count === 1 ? 'key' : 'keys'}`,
      'the last row counts',
    ),
  ];
}

function sentence({ count, examples }: Finding, what: string, consequence: string): string[] {
  if (count === 0) return [];
  return [`${what}, such as ${named({ count, examples })}: ${consequence}`];
}

function unitOf(truth: TruthSource, count: number): string {
  const unit = truth?.from === 'record' || truth?.from === 'column' ? 'record' : 'input';
  return count === 1 ? unit : `${unit}s`;
}
