import { CPU_INSTANCE, instanceUsd } from '../../../verify/estimates.ts';
import { judgeJoin } from '../../../verify/joined-rows.ts';
import { TEST_TYPES } from '../../../verify/test-handler.ts';
import type { Check } from '../check.ts';
import { runTestJob } from '../test-job.ts';

const ROWS = ['"a ""quoted"" cell, with a comma",1,x', 'plain,2,y'];
const FILE = 'rows.csv';
const HOURS = 0.5;

/** One transform job that joins CSV rows with the model's answers. */
export const joinedRows: Check = {
  name: 'joined-rows',
  asks: 'How does SageMaker join CSV rows with quoted cells, where does a slice of a filter end, and which newlines are there?',
  usd: (region) => instanceUsd(CPU_INSTANCE, region, HOURS),
  run: async (services) => {
    const { status, failureReason, outputs } = await runTestJob(services, {
      purpose: 'join',
      files: { [FILE]: ROWS.join('\n') },
      slashAtEnd: true,
      spec: {
        contentType: TEST_TYPES.rows,
        accept: TEST_TYPES.rows,
        splitType: 'Line',
        assembleWith: 'Line',
        maxPayloadInMB: 1,
        maxConcurrentTransforms: 1,
        dataProcessing: { inputFilter: '$[0:1]', joinSource: 'Input' },
      },
    });
    const output = outputs.get(`${FILE}.out`);
    return judgeJoin({ status, failureReason, rows: ROWS, output, keys: [...outputs.keys()] });
  },
};
