import { join } from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import type { EventBus } from '../../kernel/ports.ts';
import type { Site } from '../../kernel/service.ts';
import { Bodies } from './bodies.ts';
import { Catalog } from './catalog.ts';
import type { JournalEntry } from './journal-entry.ts';
import { Journal } from './object-journal.ts';

/** Where S3 keeps its objects, and the bus on which it announces them. */
export interface ObjectStorageOptions {
  /** Folder of this service only. */
  readonly dir: string;
  readonly site: Site;
  readonly bus: EventBus;
  readonly clock: Clock;
}

/** Metadata in memory, its journal and the bodies on disk, as one: what all calls work on. */
export class ObjectStorage {
  readonly catalog: Catalog;
  readonly bodies: Bodies;
  readonly site: Site;
  readonly bus: EventBus;
  readonly clock: Clock;
  /** Until then a change is not answered: the end of the stack would lose its event. */
  announced: Promise<void> | void = undefined;
  readonly #journal: Journal;
  #lastSequence = 0n;

  constructor({ dir, site, bus, clock }: ObjectStorageOptions) {
    this.site = site;
    this.bus = bus;
    this.clock = clock;
    this.bodies = new Bodies(join(dir, 'bodies'));
    this.catalog = new Catalog(this.bodies);
    this.#journal = Journal.open(join(dir, 'metadata'), (entry) => this.catalog.apply(entry));
    this.bodies.sweep();
  }

  /** Makes changes durable, then visible, in one turn of the event loop: a check of the state in the same turn saw the latest. */
  commit(...entries: JournalEntry[]): void {
    this.#journal.append(entries);
    for (const entry of entries) this.catalog.apply(entry);
    if (this.#journal.isWorthCompacting) this.#journal.compact(this.catalog.snapshot());
  }

  /** S3 keeps whole seconds. */
  nowInSeconds(): number {
    return Math.floor(this.clock.now() / 1000) * 1000;
  }

  /** Hexadecimal; of two events on a key the later has the greater, also across restarts. */
  nextSequencer(): string {
    const now = BigInt(Math.floor(this.clock.now())) << 20n;
    this.#lastSequence = now > this.#lastSequence ? now : this.#lastSequence + 1n;
    return this.#lastSequence.toString(16).toUpperCase().padStart(18, '0');
  }

  close(): void {
    this.#journal.close();
  }
}
