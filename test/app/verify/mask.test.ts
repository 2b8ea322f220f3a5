import { expect, it } from 'vitest';
import { mask } from '../../../src/app/verify/verification.ts';

it.each([
  ['arn:aws:iam::123456789012:role/r', 'arn:aws:iam::<account>:role/r'],
  ['763104351884.dkr.ecr', '<account>.dkr.ecr'],
  ['at 1732270000000 ms', 'at 1732270000000 ms'],
  ['key AKIAIOSFODNN7EXAMPLE', 'key <key>'],
  ['to jane.doe+x@example.co.uk.', 'to <address>.'],
  ['?X-Amz-Signature=abc123&x=1', '?X-Amz-Signature=<secret>&x=1'],
])('%s', (text, masked) => {
  expect(mask(text)).toBe(masked);
});
