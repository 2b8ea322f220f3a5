// Writes packages/laptop/cloudformation/schemas/resource-schemas.json, and handlers/handler-permissions.json next to
// it, from the resource provider schemas that cfn-lint carries, for the types that are in it and those named: `node
// scripts/write-resource-schemas.mjs AWS::SQS::Queue`. Run it again when lab/template/requirements.txt moves.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pythonEnvironment } from '../lab/python-environment.ts';
import { ensureInstalled, root } from './bootstrap.mjs';

const FILE = path.join(root, 'packages', 'laptop', 'cloudformation', 'schemas', 'resource-schemas.json');
const HANDLERS = path.join(
  root,
  'packages',
  'laptop',
  'cloudformation',
  'handlers',
  'handler-permissions.json',
);
const REGION = 'us-east-1';
/** Keywords that constrain a property's value, or the type; documentation and the linter's own keywords are left out. */
const KEYWORDS = new Set([
  ...['type', 'properties', 'patternProperties', 'additionalProperties', 'required', 'definitions', '$ref'],
  ...['items', 'minItems', 'maxItems', 'uniqueItems', 'enum', 'const', 'pattern', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'minProperties', 'anyOf', 'oneOf', 'allOf'],
  ...['createOnlyProperties', 'readOnlyProperties', 'primaryIdentifier'],
]);

ensureInstalled();
const bin = pythonEnvironment('template');
const [version, data] = python(
  'import cfnlint, cfnlint.version, os; print(cfnlint.version.__version__); print(os.path.dirname(cfnlint.__file__))',
).split('\n');
const schemas = path.join(data, 'data', 'schemas');
const published = readJson(path.join(schemas, 'providers', `${REGION}.json`));
const types = [...new Set([...Object.keys(readJson(FILE).types), ...process.argv.slice(2)])].sort();
const read = types.map((type) => {
  if (published[type] === undefined) throw new Error(`cfn-lint ${version} has no ${type} in ${REGION}`);
  return [type, readJson(path.join(schemas, 'resources', `${published[type]}.json`))];
});
const source =
  `AWS's resource provider schemas of ${REGION}, as cfn-lint ${version} (MIT-0, copyright Amazon.com, Inc. or its ` +
  'affiliates) carries them';
write(FILE, strip);
write(HANDLERS, toPermissions);
process.stdout.write(`${types.length} types from cfn-lint ${version}\n`);

/** One line a type. */
function write(file, pick) {
  const lines = read.map(([type, schema]) => `${JSON.stringify(type)}: ${JSON.stringify(pick(schema))}`);
  writeFileSync(file, `{"source": ${JSON.stringify(source)},\n"types": {\n${lines.join(',\n')}\n}}\n`);
}

/** Calls of each handler with the deployer's rights; `list` is for the console. */
function toPermissions({ handlers = {}, tagging = {} }) {
  const listed = ['create', 'read', 'update', 'delete'].flatMap((name) =>
    handlers[name]?.permissions ? [[name, handlers[name].permissions]] : [],
  );
  return Object.fromEntries([...listed, ...(tagging.permissions ? [['tagging', tagging.permissions]] : [])]);
}

function strip(schema) {
  if (typeof schema !== 'object') return schema;
  const kept = Object.entries(schema).filter(([keyword]) => KEYWORDS.has(keyword));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, stripValue(keyword, value)]));
}

function stripValue(keyword, value) {
  if (['properties', 'patternProperties', 'definitions'].includes(keyword))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, strip(inner)]));
  if (['items', 'additionalProperties'].includes(keyword)) return strip(value);
  if (['anyOf', 'oneOf', 'allOf'].includes(keyword)) return value.map(strip);
  return value;
}

function python(code) {
  const { stdout, stderr, status, error } = spawnSync(path.join(bin, 'python'), ['-c', code], {
    encoding: 'utf8',
  });
  if (error) throw error;
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
