import { expect, it } from 'vitest';
import { settingOrigins } from '../../../src/pipeline/setting-origins.ts';

it('tells what is written from what is a default, however deep', () => {
  const resolved = {
    gate: null,
    labels: { classes: ['cat', 'dog'], truth: { from: 'folder' } },
    limits: { maxDropsPerDay: 10, extra: {} },
    report: { images: true },
  };
  const written = { labels: { classes: ['cat', 'dog'] }, limits: { maxDropsPerDay: 10 }, report: 'short' };
  expect(settingOrigins(resolved, written)).toEqual([
    { field: 'gate', value: null, from: 'default' },
    { field: 'labels.classes', value: ['cat', 'dog'], from: 'pipeline.json' },
    { field: 'labels.truth.from', value: 'folder', from: 'default' },
    { field: 'limits.maxDropsPerDay', value: 10, from: 'pipeline.json' },
    { field: 'limits.extra', value: {}, from: 'default' },
    { field: 'report.images', value: true, from: 'pipeline.json' },
  ]);
});
