/** Data of the console's pages: its server sends them as JSON, its script reads them. They import nothing, since a browser runs their readers. */

/** Bounds of a share, both 0 … 1. */
export interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** Where the console works. */
export interface Place {
  /** Whether it is the stack of this machine. */
  readonly local: boolean;
  readonly stage: string;
  readonly region: string;
  readonly bucket: string;
  readonly apiUrl: string;
}

/** How a run stands or ended, as its word and shape on the pages say it. */
export type Verdict =
  'waiting' | 'running' | 'passed' | 'failed-gate' | 'completed' | 'failed' | 'refused' | 'empty';

/** A run or training in one line. */
export interface RunRow {
  readonly run: string;
  readonly pipeline: string;
  readonly verdict: Verdict;
  /** The step of a run that is under way, in words; null for others. */
  readonly step: string | null;
  readonly progress: Progress | null;
  readonly total: number | null;
  readonly accuracy: number | null;
  /** 95% interval of the accuracy; null where the number of judged records is not known. */
  readonly interval: Bounds | null;
  readonly costUsd: number | null;
  readonly seconds: number | null;
  /** Null while it is under way. */
  readonly endedAt: string | null;
  /** Null where only its end is known. */
  readonly startedAt: string | null;
}

/** Inputs that have an output. */
interface Progress {
  readonly done: number;
  readonly total: number;
  readonly approximate: boolean;
}

/** All runs that the list shows: those under way first, then the newest. */
export interface RunsData {
  readonly runs: readonly RunRow[];
}

/** An endpoint in one line. */
export interface EndpointRow {
  readonly pipeline: string;
  readonly endpoint: string;
  /** SageMaker's word for its state, or `gone`. */
  readonly status: string;
  readonly candidate: string | null;
  /** A change that is under way; null if none is. */
  readonly change: { readonly action: 'deploy' | 'delete'; readonly run: string | null } | null;
  readonly run: string | null;
  readonly hardware: string | null;
  readonly hourlyUsd: number | null;
  readonly maxHourlyUsd: number | null;
  readonly deployedAt: string;
  readonly expiresAt: string | null;
  readonly idleHours: number | null;
}

/** A pipeline in one line. */
export interface PipelineRow {
  readonly pipeline: string;
  /** Null where pipeline.json has problems that keep it from being read. */
  readonly settings: {
    readonly framework: string;
    readonly frameworkVersion: string;
    /** Null where the classes are in a file of their own. */
    readonly classes: number | null;
    readonly trains: boolean;
    readonly minAccuracy: number | null;
    readonly maxCostUsdPerDay: number | null;
    readonly maxCostUsd: number | null;
    readonly quietSeconds: number;
    readonly deploy: string;
  } | null;
  /** The newest runs that have ended, newest first. */
  readonly runs: readonly RunRow[];
  readonly endpoint: EndpointRow | null;
  readonly todayUsd: number;
}

/** The first page. */
export interface PipelinesData {
  readonly underWay: readonly RunRow[];
  readonly pipelines: readonly PipelineRow[];
}

/** A stretch of time in a step. */
export interface Stretch {
  readonly from: string;
  /** Null while it goes on. */
  readonly to: string | null;
  readonly kind: 'work' | 'wait' | 'failed';
}

/** A step of a run: one line of its page, however often the state was entered. */
export interface Step {
  /** Name for people, such as `Wait for files`. */
  readonly name: string;
  /** Names of the state machine's states that it stands for, in the order of their first entry. */
  readonly states: readonly string[];
  readonly stretches: readonly Stretch[];
  /** Result so far, in a sentence without its full stop; empty where there is nothing to say. */
  readonly said: string;
  /** JSON of the first input and of the newest output, cut; null where there is none yet. */
  readonly input: string | null;
  readonly output: string | null;
  /** Error that ended or interrupted it; null if none did. */
  readonly error: string | null;
}

/** A job of a run. */
export interface JobRow {
  readonly attempt: number;
  readonly name: string;
  readonly kind: string;
  readonly status: string;
  readonly inputs: number;
  readonly seconds: number | null;
  readonly costUsd: number | null;
  readonly hardware: string;
  readonly reason: string | null;
}

/** Problem of a file that keeps a run from starting. */
export interface ProblemRow {
  readonly file: string;
  readonly field: string;
  readonly value: string;
  readonly message: string;
}

/** Values of a metric that a host of a training has logged. */
export interface Curve {
  readonly metric: string;
  readonly host: string;
  /** Number of all values; if they are more than the points, those are spread evenly over them. */
  readonly count: number;
  readonly points: readonly { readonly at: string; readonly value: number | null }[];
}

/** A run or training as its page shows it, live or ended. */
export interface RunData {
  readonly run: string;
  readonly kind: 'inference' | 'training';
  readonly pipeline: string;
  readonly verdict: Verdict;
  /** Name of the step that it is in or ended in. */
  readonly step: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly steps: readonly Step[];
  /** Names of the steps that are still to come. */
  readonly next: readonly string[];
  readonly jobs: readonly JobRow[];
  readonly progress: Progress | null;
  /** Estimate for the rest of the predictions, from the rate of the running job; null where there is none. */
  readonly secondsLeft: number | null;
  readonly inputs: number | null;
  readonly bytes: number | null;
  readonly costUsd: number | null;
  readonly quoteUsd: number | null;
  readonly maxCostUsd: number | null;
  readonly accuracy: number | null;
  readonly seconds: number | null;
  readonly errors: number | null;
  readonly gate: { readonly verdict: 'passed' | 'failed' | 'none'; readonly explanation: string } | null;
  readonly failure: { readonly error: string; readonly cause: string; readonly nextStep: string } | null;
  readonly problems: readonly ProblemRow[];
  /** Whether report.html is there. */
  readonly hasReport: boolean;
  readonly rescoreOf: string | null;
  /** Price an hour and longest life of its endpoint; null where the run cannot be deployed. */
  readonly deployable: { readonly hourlyUsd: number | null; readonly ttlHours: number | null } | null;
  /** Curves of a training. */
  readonly curves: readonly Curve[];
}

/** A run that is compared with others. */
export interface ComparedRun {
  readonly run: string;
  readonly verdict: Verdict;
  readonly endedAt: string;
  readonly total: number;
  readonly errors: number;
  readonly accuracy: number | null;
  readonly interval: Bounds | null;
  readonly costUsd: number | null;
  readonly seconds: number | null;
  /** Digest of its model archive; null where it was refused before there was one. */
  readonly model: string | null;
  /** Sentence of its gate; empty where none was set. */
  readonly gate: string;
}

/** A record whose prediction is another one in the second of two runs. */
export interface FlipRow {
  readonly key: string;
  readonly recordIndex: number;
  readonly truth: string | null;
  readonly before: string;
  readonly now: string;
  readonly scoreBefore: number | null;
  readonly scoreNow: number | null;
}

/** A run against the first one, on the inputs that have the same name below the drop and the same content in both. */
export interface ComparedPair {
  readonly run: string;
  readonly inputs: {
    readonly paired: number;
    readonly changed: number;
    readonly added: number;
    readonly missing: number | null;
  };
  /** Records of the paired inputs with a prediction in both runs. */
  readonly answered: number;
  readonly sameClass: number;
  /** Null where no record has a truth and both predictions. */
  readonly accuracy: {
    readonly records: number;
    readonly before: number;
    readonly now: number;
    readonly change: number;
    readonly interval: Bounds;
  } | null;
  /** Probability by McNemar's test that chance alone explains the change. */
  readonly pValue: number | null;
  readonly exact: boolean;
  readonly lost: number;
  readonly gained: number;
  /** Lost ones first, each kind by confidence. */
  readonly flips: readonly FlipRow[];
}

/** Runs beside each other, in the order in which they were asked for. */
export interface CompareData {
  readonly runs: readonly ComparedRun[];
  /** Each run after the first against the first, or the reason for which it cannot be compared. */
  readonly pairs: readonly (ComparedPair | { readonly run: string; readonly reason: string })[];
}

/** A training beside others. */
export interface ComparedTraining {
  readonly run: string;
  readonly verdict: Verdict;
  readonly endedAt: string | null;
  /** Files that it was trained on; null where they are not frozen yet. */
  readonly files: number | null;
  /** Values as JSON, by their names. */
  readonly hyperparameters: Readonly<Record<string, string>>;
  readonly curves: readonly Curve[];
  /** Last value of each metric by the first host; SageMaker's own where its log has none. */
  readonly last: Readonly<Record<string, number | null>>;
  /** Judgement of its model; null until it is judged, and for a training without evaluation. */
  readonly judged: {
    readonly run: string;
    readonly accuracy: number | null;
    readonly interval: Bounds | null;
    readonly inputs: number;
    /** Inputs that the model was trained on. */
    readonly trainedOn: number;
    /** Images that look like one it was trained on; null where nothing was compared. */
    readonly nearDuplicates: number | null;
  } | null;
  readonly promotion: { readonly word: string; readonly reason: string } | null;
  readonly costUsd: number | null;
  readonly seconds: number | null;
}

/** Trainings beside each other, in the order in which they were asked for. */
export interface TrainingsData {
  readonly trainings: readonly ComparedTraining[];
}

/** A line that a job has written. */
export interface LogRow {
  readonly at: string;
  readonly source: string;
  readonly text: string;
}

/** Lines of a run's jobs, the oldest first. */
export interface LogData {
  readonly lines: readonly LogRow[];
  /** Older lines were left out. */
  readonly cut: boolean;
}

/** The message that a run has sent. */
export interface MessageRow {
  readonly run: string;
  readonly subject: string;
  readonly body: string;
  readonly at: string;
  readonly isSent: boolean;
}

/** The run of a pipeline that would be deployed, and the price of its endpoint. */
export interface Deployable {
  readonly run: string | null;
  readonly hourlyUsd: number | null;
  readonly ttlHours: number | null;
}

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
        /** Mistake of the answer that was given; null where none was. */
        readonly problem: string | null;
        /** Sentences on what was found so far, which the question may mean by “as shown”. */
        readonly notes: readonly string[];
      };
    }
  | {
      readonly fields: readonly ProposedField[];
      /** Sentences on what was found beside the fields. */
      readonly notes: readonly string[];
      /** Text of pipeline.json. */
      readonly text: string;
      readonly problems: readonly ProblemRow[];
    };
