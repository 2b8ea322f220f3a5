import type { ProblemRow } from './problem-row.ts';

/** A field of the proposed pipeline.json, with its reason. */
export interface ProposedField {
  readonly field: string;
  /** Its value as JSON. */
  readonly value: string;
  readonly reason: string;
}

/** A question that a model and a sample of files leave open, or a whole pipeline.json that is made of them. */
export type DraftData =
  | {
      readonly question: {
        readonly text: string;
        /** Option of `inferdrop init` that answers it, by which the answer is sent. */
        readonly option: string;
        readonly offered: string | null;
        /** Mistake of the answer that was given; null if none was. */
        readonly problem: string | null;
        /** Sentences on the findings so far, which the question may mean by “as shown”. */
        readonly notes: readonly string[];
      };
    }
  | {
      readonly fields: readonly ProposedField[];
      /** Sentences on the findings, in addition to the fields. */
      readonly notes: readonly string[];
      /** Text of pipeline.json. */
      readonly text: string;
      readonly problems: readonly ProblemRow[];
    };
