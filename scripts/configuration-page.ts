import type * as z from 'zod';
import { toExpectation } from '../src/pipeline/expectation.ts';
import { JobConfig } from '../src/pipeline/job-config.ts';
import { PipelineConfig } from '../src/pipeline/pipeline-config.ts';
import { type SchemaNode, toSchemaNode } from '../src/pipeline/schema-node.ts';
import { TrainingJobConfig } from '../src/pipeline/training-job-config.ts';
import { PriceOverride } from '../src/price/price-override.ts';
import { priceTable } from '../src/price/price-table.ts';

/** docs/schema/README.md: every field of the configuration files, with its default. */
export function toConfigurationPage(): string {
  return `# Configuration

Written by \`node scripts/write-schemas.ts\` from the code. The JSON Schemas beside this page make an editor check and complete
the files: name one in the file's \`$schema\`.

## pipelines/&lt;pipeline&gt;/pipeline.json

Only \`model.framework\`, \`model.frameworkVersion\` and \`labels.classes\` must be given. Unknown fields are refused.

${toFieldTable(PipelineConfig)}

\`auto\`: the payload is that of the largest object of each job, and as many requests are in flight as fit into 100 MB, at most 64.
Objects above 100 MB are not sent (with \`splitType\` None) and are listed in errors.csv. The few objects above four times the 99th
percentile go in a job of their own where that lets the others run with more requests in flight.

Labels in CSV or JSON records, and \`inputFilter\`: [files with many records](../records.md).

The container's own limits (gunicorn 30 s, nginx 60 s, TorchServe 60 s and 6.5 MB) follow the transform settings, unless
\`model.environment\` sets them.

## incoming/&lt;pipeline&gt;/&lt;drop&gt;/job.json

A drop may override these, and only tighten \`gate\` and \`limits\`. Model, instances, endpoint and notifications belong to those who
may write \`pipelines/\`: a drop that sets them is refused.

${toFieldTable(JobConfig)}

## training/&lt;pipeline&gt;/&lt;drop&gt;/job.json

A drop of training data may say these; everything else of a training belongs to pipeline.json.

${toFieldTable(TrainingJobConfig)}

## pipelines/prices.json

Prices of your account and region, in place of the built-in table of ${priceTable.date}
(${priceTable.source}).

${toFieldTable(PriceOverride)}
`;
}

function toFieldTable(schema: z.ZodType): string {
  const rows = fieldsOf(toSchemaNode(schema), '');
  return ['| field | value | default | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function fieldsOf(node: SchemaNode, prefix: string): string[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) => {
    const field = `${prefix}${name}`;
    if (child.properties !== undefined) return fieldsOf(child, `${field}.`);
    const nested = (child.anyOf ?? []).filter((choice) => choice.properties !== undefined);
    if (
      nested.length === 1 &&
      (child.anyOf ?? []).every((choice) => choice.properties !== undefined || choice.type === 'null')
    ) {
      return [
        toRow(field, child, 'null or the fields below'),
        ...nested.flatMap((choice) => fieldsOf(choice, `${field}.`)),
      ];
    }
    const values = typeof child.additionalProperties === 'object' ? leaves(child.additionalProperties) : [];
    return [
      toRow(field, child, toExpectation(leaves(child))),
      ...values.flatMap((value) => fieldsOf(value, `${field}.<name>.`)),
    ];
  });
}

function leaves(node: SchemaNode): SchemaNode[] {
  return (node.anyOf ?? node.oneOf)?.flatMap(leaves) ?? [node];
}

function toRow(field: string, node: SchemaNode, value: string): string {
  const shown = node.default === undefined ? '' : `\`${JSON.stringify(node.default)}\``;
  const meaning =
    node.description ?? leaves(node).find(({ description }) => description !== undefined)?.description;
  return `| \`${field}\` | ${value} | ${shown} | ${meaning ?? ''} |`.replaceAll('\n', ' ');
}
