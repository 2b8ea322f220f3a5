import type { FileKind } from '../file-kind/file-kind.ts';
import type { Framework } from '../frameworks/framework-name.ts';

/** Ways of a file into an archive. */
export type Door =
  /** A framework's container serves it as it is. */
  | { readonly kind: 'served'; readonly framework: Framework }
  /** An archive, in which there is a model. */
  | { readonly kind: 'unpacked' }
  /** A file of Keras, which is exported first. */
  | { readonly kind: 'exported' };

/**
 * A kind of file that becomes what a container serves. `ROWS` of file-kind recognizes it by its content, and says what to
 * do with kinds that no source takes.
 */
export interface ModelSource {
  readonly kinds: readonly FileKind[];
  readonly door: Door;
}
