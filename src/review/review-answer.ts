/** A person's label of a record. */
export interface ReviewAnswer {
  /** Identity of the record, as `taskId` gives it. */
  readonly id: string;
  readonly label: string;
  /** Where the answer stands in its file, for messages. */
  readonly place: string;
  /** Who answered, if the file says it. */
  readonly by: string | undefined;
  /** When, in UTC, ISO 8601, if the file says it. */
  readonly at: string | undefined;
}

/** Answers of a file, and what is wrong with it. */
export interface ReadAnswers {
  readonly answers: readonly ReviewAnswer[];
  /** Each a sentence that names its place in the file. */
  readonly problems: readonly string[];
}
