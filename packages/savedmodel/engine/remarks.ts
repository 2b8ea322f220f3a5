import type { ConvertedSignature } from './convert-signature.ts';

/** Assertions that a remark names, and places that have a remark each; a model may have hundreds. */
const MAX_NAMED = 5;

/** Where the answers of a signature, or their speed, are not what its user may expect; a sentence each. */
export function remarksOn({
  signature,
  mixedBy,
  isHalf,
  unchecked,
  unproven,
}: Pick<ConvertedSignature, 'signature' | 'mixedBy' | 'isHalf' | 'unchecked' | 'unproven'>): string[] {
  const alone = `requests of ${signature.name} run one by one, for their rows might mix: ${mixedBy}`;
  const half =
    `float16 is computed in single precision: answers differ from TensorFlow's, by 2e-3 of them and more, and what ` +
    'overflows there, from 65,520, does not here';
  const named = unchecked.slice(0, MAX_NAMED).join(', ');
  const more = unchecked.length > MAX_NAMED ? ` and ${unchecked.length - MAX_NAMED} more` : '';
  const asserted =
    `assertions of ${signature.name} are not checked, and a request that fails one is answered, which TensorFlow ` +
    `refuses: ${named}${more}`;
  return [
    ...(mixedBy === undefined ? [] : [alone]),
    ...(isHalf ? [half] : []),
    ...unproven.slice(0, MAX_NAMED),
    ...(unchecked.length === 0 ? [] : [asserted]),
  ];
}
