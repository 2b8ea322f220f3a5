import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { type Documents, openDocuments } from '../../storage/document-file.ts';
import { Logging } from '../definition/logging.ts';
import type { Machine } from '../definition/machine.ts';
import { parseDefinition } from '../definition/parse-definition.ts';

const StoredMachine = z.object({
  arn: z.string(),
  name: z.string(),
  roleArn: z.string(),
  definitionId: z.string(),
  logging: Logging,
  isTraced: z.boolean(),
  tags: z.record(z.string(), z.string()),
  createdMs: z.number(),
  updatedMs: z.number(),
  revisionId: z.string(),
});
export type StoredMachine = z.infer<typeof StoredMachine>;

/** State machines on disk. Definitions are kept by their digest, because executions outlive revisions. */
export class Machines {
  private readonly documents: Documents<StoredMachine>;
  private readonly definitions: Documents<string>;
  private readonly parsed = new Map<string, Machine>();

  constructor(dir: string) {
    this.documents = openDocuments(join(dir, 'state-machines.json'), StoredMachine);
    this.definitions = openDocuments(join(dir, 'definitions.json'), z.string());
  }

  get(arn: string): StoredMachine | undefined {
    return this.documents.get(arn);
  }

  /** Machines, sorted by name. */
  all(): StoredMachine[] {
    return [...this.documents.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  save(machine: StoredMachine): void {
    this.documents.set(machine.arn, machine);
  }

  delete(arn: string): boolean {
    return this.documents.delete(arn);
  }

  /** Keeps a definition that has been checked, and gives its digest. */
  keepDefinition(text: string): string {
    const id = createHash('sha256').update(text).digest('hex');
    if (this.definitions.get(id) === undefined) this.definitions.set(id, text);
    return id;
  }

  definition(id: string): string {
    const text = this.definitions.get(id);
    if (text === undefined) throw new Error(`definitions.json has lost the definition ${id}`);
    return text;
  }

  machine(definitionId: string): Machine {
    const known = this.parsed.get(definitionId);
    if (known) return known;
    const machine = parseDefinition(this.definition(definitionId));
    this.parsed.set(definitionId, machine);
    return machine;
  }
}
