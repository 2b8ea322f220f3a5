import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { openDocuments } from '../../storage/document-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('what an earlier build stored is refused with the remedy, and left as it is', () => {
  const file = path.join(temporaryFolder('documents-'), 'queues.json');
  openDocuments(file, z.object({ name: z.string() })).set('a', { name: 'a' });
  const stored = readFileSync(file, 'utf8');
  expect(() => openDocuments(file, z.object({ name: z.string(), delay: z.number() }))).toThrow(
    `${file} was made by an earlier build of inferdrop: remove the data folder, or give another one with --data (documents.a.delay: `,
  );
  expect(readFileSync(file, 'utf8')).toBe(stored);
});

test('damaged JSON is no document of an earlier build', () => {
  const file = path.join(temporaryFolder('documents-'), 'queues.json');
  writeFileSync(file, '{"schema": 1,');
  expect(() => openDocuments(file, z.object({}))).toThrow(SyntaxError);
});
