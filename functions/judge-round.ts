import { judgeRound } from '../src/app/transform/judge-round.ts';
import { bucket, now } from './runtime/services.ts';
import { step } from './runtime/step.ts';

/** State `JudgeRound` of statemachines/batch-inference.asl.yml. */
export const handler = step(judgeRound, () => ({ store: bucket(), clock: now }));
