import type { OnnxFacts } from '../../init/onnx-facts.ts';
import type { Scores } from '../../init/signature-facts.ts';
import type { EnteredModel } from '../model/enter-model.ts';
import { Refusal } from '../refusal.ts';
import type { Terminal } from '../show/terminal.ts';
import type { FolderInputs } from './folder-inputs.ts';
import type { Decide } from './question.ts';
import type { ServedModel } from './served-model.ts';

/** A model, a folder, and answers to questions that need not be asked then. */
export interface InitOptions {
  readonly model: string;
  /** Folder with a sample of the files that will be dropped. */
  readonly folder?: string | undefined;
  /** Folder to make. */
  readonly output: string;
  readonly classes?: string | undefined;
  readonly truth?: string | undefined;
  /** Column of tables that holds the class. */
  readonly label?: string | undefined;
  readonly size?: string | undefined;
  /** Folder with an inference.py. */
  readonly code?: string | undefined;
  /** Python that made the model, and may run it. */
  readonly python?: string | undefined;
  readonly contentType?: string | undefined;
  readonly minAccuracy?: number | undefined;
  readonly minRecall?: number | undefined;
  /** Whether a run that passes its gate is served. */
  readonly deploy?: boolean;
  /** Whether output 0 is a background class without a name. */
  readonly background?: boolean;
  /** Time that the end of a container's patches is compared with. */
  readonly now: Date;
}

/** A model that can be written as an archive. */
export interface PreparedModel extends Pick<
  EnteredModel,
  'framework' | 'converted' | 'hasHandler' | 'isPacked' | 'pack'
> {
  readonly writtenBy: string;
  /** The SavedModel; undefined for other frameworks. */
  readonly served: ServedModel | undefined;
  /** An ONNX model, and the facts of it that decide fields; undefined for others. */
  readonly onnx: (OnnxFacts & { readonly file: string }) | undefined;
}

/** Facts that all choices are made from. */
export interface Known {
  readonly options: InitOptions;
  readonly model: PreparedModel;
  readonly inputs: FolderInputs | undefined;
  readonly decide: Decide;
  readonly terminal: Terminal;
}

/** Number of the cells of a row that a model takes; undefined if it isn't known. */
export function cellsOf({ served, onnx }: PreparedModel): number | undefined {
  return served?.requests.kind === 'rows' ? served.requests.cells : onnx?.cells;
}

/** Whether a model predicts a quantity, as its file or its graph says. */
export function isRegression({ onnx, converted }: PreparedModel): boolean {
  return converted?.task === 'regression' || onnx?.isRegression === true;
}

/** Whether a model may predict a number: it answers one number a record. */
export function answersNumber(model: PreparedModel): boolean {
  const { served, onnx } = model;
  const scores = served?.scores ?? [];
  return (
    isRegression(model) || onnx?.isSingle === true || (scores.length === 1 && scores[0]?.isSingle === true)
  );
}

/**
 * The output that scores the classes.
 *
 * @throws {Refusal} if there is none
 */
export function chosenScores({ options }: Known, served: ServedModel): Scores {
  const [first, ...others] = served.scores;
  if (first === undefined)
    throw new Refusal(
      `${options.model} gives ` +
        `${served.signature.outputs.map(({ name, dtype, shape }) => `${name}: ${dtype} [${shape?.join(', ') ?? '?'}]`).join('; ')}, ` +
        'none of which scores classes, a row of floats a record',
    );
  if (others.length > 0)
    throw new Refusal(
      `${options.model} gives ${served.scores.map(({ output }) => output).join(' and ')}, which could all be the ` +
        'scores of the classes: export a signature with one of them',
    );
  return first;
}
