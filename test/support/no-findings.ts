import type { Found } from '../../src/plan/found.ts';
import { SizeProfile } from '../../src/transform/size-profile.ts';

const sent = new SizeProfile();
sent.add(1);

/** What was read for a run that nothing speaks against, without its configuration. */
export const NO_FINDINGS: Omit<Found, 'run' | 'settings' | 'configuration'> = {
  bucket: 'own',
  written: [],
  original: null,
  bundling: null,
  firstAttempt: 1,
  unread: [],
  refusal: undefined,
  isCutShort: false,
  frozen: {
    sourceBucket: 'drops',
    sourcePrefix: 'incoming/shapes/monday/',
    objects: 1,
    bytes: 1,
  } as Found['frozen'],
  opened: { unpacked: null, work: null, usd: 0, notes: [], defects: [], refusal: undefined },
  model: { artifact: 's3://m', problems: [] },
  compared: { baseline: null, notes: [], problems: [] },
  previous: null,
  since: [],
  labelFile: null,
  inputs: new Map([
    [
      'sagemaker',
      {
        drawn: { sample: null, pick: null, problems: [] },
        profile: {
          sent,
          excluded: { unreadable: 0, empty: 0, 'too-large': 0, 'key-too-long': 0 },
          sample: [],
          copies: 0,
        },
        labels: null,
        slices: { problems: [], notes: [] },
        texts: [],
      },
    ],
  ]),
};
