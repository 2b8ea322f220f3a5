import path from 'node:path';
import { validationError } from '../kernel/aws-error.ts';
import type { Clock } from '../kernel/clock.ts';
import { openDocuments } from '../storage/document-file.ts';
import { ChangeSetRecord } from './change-set-record.ts';
import { StackRecord } from './stack-record.ts';

/** Time for which a deleted stack is found by its id, by CloudFormation's documentation. */
const DELETED_KEPT_MS = 90 * 24 * 60 * 60 * 1000;

/** Every stack and change set. A running operation is only in memory until it's done. */
export interface StackBook {
  /** Finds a stack by name or id; deleted stacks only by id. */
  get(nameOrId: string): StackRecord | undefined;
  /** @throws {AwsError} `ValidationError` for a stack that does not exist */
  find(nameOrId: string): StackRecord;
  /** All but deleted ones. */
  all(): readonly StackRecord[];
  /** With those deleted in the last 90 days. */
  withDeleted(): readonly StackRecord[];
  /** Lets clients see a stack, without keeping it. */
  show(record: StackRecord): void;
  keep(record: StackRecord): void;
  /** Forgets a stack that was never created. */
  drop(record: StackRecord): void;
  readonly changeSets: {
    of(stackId: string): readonly ChangeSetRecord[];
    /** Finds a change set by its id. */
    get(changeSetId: string): ChangeSetRecord | undefined;
    keep(record: ChangeSetRecord): void;
    delete(changeSetId: string): void;
  };
}

/** Opens what is kept in `dir`. */
export function openStackBook({ dir, clock }: { readonly dir: string; readonly clock: Clock }): StackBook {
  const records = openDocuments(path.join(dir, 'stacks.json'), StackRecord);
  const changeSets = openDocuments(path.join(dir, 'change-sets.json'), ChangeSetRecord);
  const running = new Map<string, StackRecord>();
  const all = (): readonly StackRecord[] => {
    const kept = [...records.values()].filter(
      ({ status, stackName }) => status !== 'DELETE_COMPLETE' && !running.has(stackName),
    );
    return [...kept, ...running.values()];
  };
  const deleted = (): readonly StackRecord[] =>
    [...records.values()].filter(({ status }) => status === 'DELETE_COMPLETE');
  for (const { stackId, deletedAtMs } of deleted())
    if (deletedAtMs !== undefined && clock.now() - deletedAtMs > DELETED_KEPT_MS) records.delete(stackId);
  const ofStack = (stackId: string): readonly ChangeSetRecord[] =>
    [...changeSets.values()].filter((one) => one.stackId === stackId);

  const book: StackBook = {
    get: (nameOrId) =>
      all().find(({ stackName, stackId }) => [stackName, stackId].includes(nameOrId)) ??
      deleted().find(({ stackId }) => stackId === nameOrId),
    find(nameOrId) {
      const found = book.get(nameOrId);
      if (found) return found;
      throw validationError(`Stack with id ${nameOrId} does not exist`);
    },
    all,
    withDeleted: () => [...all(), ...deleted()],
    show: (record) => void running.set(record.stackName, record),
    keep(record) {
      running.delete(record.stackName);
      if (record.status !== 'DELETE_COMPLETE') return records.set(record.stackName, record);
      book.drop(record);
      records.set(record.stackId, record);
    },
    drop({ stackName, stackId }) {
      running.delete(stackName);
      records.delete(stackName);
      for (const { changeSetId } of ofStack(stackId)) changeSets.delete(changeSetId);
    },
    changeSets: {
      of: ofStack,
      get: (changeSetId) => changeSets.get(changeSetId),
      keep: (record) => changeSets.set(record.changeSetId, record),
      delete: (changeSetId) => void changeSets.delete(changeSetId),
    },
  };
  return book;
}
