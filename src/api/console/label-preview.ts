/** Files that a page is about to upload, as far as their labels need them. */
export interface LabelQuestion {
  /** Paths below the drop. */
  readonly names: readonly string[];
  /** Number of all files; `names` may be only the first of them. */
  readonly of: number;
  /** The label files among them, each with its first bytes in Base64. */
  readonly labelFiles: readonly { readonly name: string; readonly head: string; readonly size: number }[];
  /** Tables among them, each with its first bytes in Base64; empty if the pipeline opens none. */
  readonly tables: readonly { readonly name: string; readonly head: string; readonly size: number }[];
  /** Text of the drop's job.json; empty without one. */
  readonly job: string;
}

/** How the labels of these files would be read. */
export interface LabelPreview {
  readonly title: string;
  /** The lines of the block; empty if the labels can't be read. */
  readonly lines: readonly { readonly label: string; readonly text: string }[];
  /** Sentences on mistakes, and on files that weren't looked at. */
  readonly notes: readonly string[];
  /** Sentences on reasons to refuse the run. */
  readonly problems: readonly string[];
  /** Why the run would be refused for a table, so that nothing is uploaded. */
  readonly refusal?: string | undefined;
}
