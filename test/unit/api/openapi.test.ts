import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openApiDocument } from '../../../src/api/openapi.ts';
import { problemStatuses } from '../../../src/api/problem-details.ts';

test('docs/openapi.json is what the code says: npm run generate', () => {
  expect(JSON.parse(readFileSync('docs/openapi.json', 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(openApiDocument())),
  );
});

test('predict documents every status that a problem can have, but those of a run that cannot be scored again', () => {
  const text = JSON.stringify(openApiDocument());
  const document = JSON.parse(text);
  const documented = Object.keys(document.paths['/predict/{pipeline}'].post.responses);
  const rescored = Object.keys(
    document.paths['/runs/{pipeline}/{drop}/{generation}/rescores'].post.responses,
  );
  const ofRuns = ['409', '410'];
  expect(rescored).toEqual(expect.arrayContaining(ofRuns));
  const others = problemStatuses.map(String).filter((status) => !ofRuns.includes(status));
  expect(documented).toEqual(expect.arrayContaining(others));
});

test('every reference leads somewhere', () => {
  const document = JSON.parse(JSON.stringify(openApiDocument()));
  const references = JSON.stringify(document).matchAll(
    /#\/components\/(schemas|responses|parameters)\/(\w+)/g,
  );
  for (const [, kind, name] of references) expect(document.components[kind!]).toHaveProperty(name!);
});
