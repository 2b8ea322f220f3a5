import type { FileKind } from '../file-kind/file-kind.ts';
import { keras } from './keras/source.ts';
import { pickle } from './pickle/source.ts';
import type { Door, ModelSource } from './source.ts';
import { trees } from './trees/source.ts';

/** Files that people have. */
const MODEL_SOURCES: readonly ModelSource[] = [
  { kinds: ['onnx'], door: { kind: 'served', framework: 'onnx' } },
  { kinds: ['torchscript'], door: { kind: 'served', framework: 'pytorch' } },
  trees,
  pickle,
  keras,
  { kinds: ['gzip'], door: { kind: 'unpacked' } },
];

/** The door of a kind of file; undefined for kinds that are refused. */
export function doorOf(kind: FileKind): Door | undefined {
  return MODEL_SOURCES.find(({ kinds }) => kinds.includes(kind))?.door;
}
