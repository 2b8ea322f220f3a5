import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** A kind that is made up: endpoints on devices of the owner's. */
const FOLDER = {
  'rules.ts': `import type { EndpointKind } from '../kind.ts';

export const edgeKind: EndpointKind<'edge'> = {
  liveCheck: 'edge-endpoint',
  words: 'runs on devices',
  isPaidByUse: true,
  runsInFunctions: false,
  hostsComponents: false,
  toHardware: ({ initialInstanceCount }) => ({ kind: 'edge', devices: initialInstanceCount }),
  hasVolumes: () => false,
  withInstances: (hardware, devices) => ({ ...hardware, devices }),
  fleet: () => null,
  instancesWhileUpdated: () => 0,
  toHosted: () => null,
  ofHosted: () => null,
  describe: ({ devices }) => \`\${devices} devices\`,
};
`,
  'planning.ts': `import type { EndpointPlanning } from '../planning.ts';

export const edgeEndpoint: EndpointPlanning = {
  refuse({ config: { endpoint } }, refuse) {
    if (endpoint.idleHours !== null) refuse('idleHours', endpoint.idleHours, 'devices are never idle: leave it out');
  },
  notes: () => ['devices are updated at night'],
  hourlyUsd: () => null,
  usualTtlHours: 24,
  defaults: ({ config }) => ({ ...config.endpoint, amiVersion: null }),
};
`,
};

/** Its lines: the name with the hardware, and one in each registry. */
const NAMED: readonly Line[] = [
  ['src/endpoints/kind.ts', "'scaleToZero', 'lambda'] as const", "'scaleToZero', 'lambda', 'edge'] as const"],
  [
    'src/endpoints/kind.ts',
    '  readonly lambda: {',
    '  readonly edge: { readonly devices: number };\n  readonly lambda: {',
  ],
];
const REGISTERED: readonly Line[] = [
  registered('src/endpoints/kinds.ts', '  lambda: lambdaKind,', 'edgeKind', './edge/rules.ts'),
  registered('src/endpoints/plannings.ts', '  lambda: lambdaEndpoint,', 'edgeEndpoint', './edge/planning.ts'),
  // Its traffic moves blue/green; effects of its own would lie in src/app/endpoint/edge.
  [
    'src/app/endpoint/deployers.ts',
    '  lambda: deployBlueGreen,',
    '  lambda: deployBlueGreen,\n  edge: deployBlueGreen,',
  ],
  ['src/pipeline/endpoint-settings.ts', "'serverless', 'lambda']", "'serverless', 'lambda', 'edge']"],
];

type Line = readonly [file: string, from: string, to: string, head?: string];

function registered(file: string, before: string, object: string, from: string): Line {
  return [file, before, `${before}\n  edge: ${object},`, `import { ${object} } from '${from}';\n`];
}

/** A copy of the product with the new folder and these lines. */
function copyWith(lines: readonly Line[]): string {
  const copy = temporaryFolder('fifth-kind');
  for (const name of ['src', 'functions', 'package.json'])
    cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true });
  for (const name of ['node_modules', 'packages', 'scripts', 'docs'])
    symlinkSync(path.join(ROOT, name), path.join(copy, name));
  const folder = path.join(copy, 'src/endpoints/edge');
  mkdirSync(folder);
  for (const [name, text] of Object.entries(FOLDER)) writeFileSync(path.join(folder, name), text);
  for (const [file, from, to, head = ''] of lines) {
    const text = readFileSync(path.join(copy, file), 'utf8');
    expect(text.split(from)).toHaveLength(2);
    writeFileSync(path.join(copy, file), head + text.replace(from, to));
  }
  return copy;
}

const library = new Map<string, ts.SourceFile | undefined>();
// Other files' tests follow in this process.
afterAll(() => library.clear());

/** Reads what lies below node_modules once for all copies: most of what the compiler reads, and the same for each. */
function hostOf(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const getSourceFile: ts.CompilerHost['getSourceFile'] = (name, ...rest) => {
    if (!name.includes('/node_modules/')) return host.getSourceFile(name, ...rest);
    if (!library.has(name)) library.set(name, host.getSourceFile(name, ...rest));
    return library.get(name);
  };
  return { ...host, getSourceFile };
}

/** Files below src and functions, of those about endpoints, in which the compiler finds a mistake. */
function mistakenIn(copy: string): readonly string[] {
  const files = ['src', 'functions']
    .flatMap((folder) =>
      readdirSync(path.join(copy, folder), { recursive: true, encoding: 'utf8' }).map(
        (name) => `${folder}/${name}`,
      ),
    )
    .filter((name) => name.endsWith('.ts'))
    .filter((name) =>
      /hardware|[eE]ndpointKind|endpoint\.type|endpoints\/|[dD]eployer/.test(
        readFileSync(path.join(copy, name), 'utf8'),
      ),
    );
  expect(files.length).toBeGreaterThan(50);
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(path.join(ROOT, 'tsconfig.json'), ts.sys.readFile).config,
    ts.sys,
    copy,
  );
  const program = ts.createProgram(
    files.map((name) => path.join(copy, name)),
    { ...options, noEmit: true },
    hostOf(options),
  );
  return files.filter((name) => {
    const source = program.getSourceFile(path.join(copy, name));
    return program.getSemanticDiagnostics(source).length > 0;
  });
}

test('the compiler names the registries that a fifth kind lacks, and nothing else', () => {
  expect(mistakenIn(copyWith(NAMED)).toSorted()).toEqual([
    'src/app/endpoint/deployers.ts',
    'src/endpoints/kinds.ts',
    'src/endpoints/plannings.ts',
  ]);
});

test('a fifth kind enters by a folder and a line in each registry', () => {
  const copy = copyWith([...NAMED, ...REGISTERED]);
  expect(mistakenIn(copy)).toEqual([]);
  const script = `
    import { parsePipelineConfig } from './src/pipeline/parse-config.ts';
    import { resolveEndpoint } from './src/plan/endpoint/resolve-endpoint.ts';
    import { endpointKind, kindFor } from './src/endpoints/kinds.ts';
    import { DEPLOYERS } from './src/app/endpoint/deployers.ts';
    const resolve = (endpoint) => {
      const { value } = parsePipelineConfig(JSON.stringify({
        model: { framework: 'tensorflow', frameworkVersion: '2.3.0' },
        labels: { classes: ['a', 'b'] },
        gate: { minAccuracy: 0.5 },
        endpoint: { deploy: 'when-gate-passes', type: 'edge', initialInstanceCount: 7, ...endpoint },
      }));
      return resolveEndpoint(value, { region: 'us-east-1', hasVpc: false, archiveBytes: 1, largestObjectBytes: 1 });
    };
    const { endpoint, notes } = resolve({ idleHours: null });
    const hardware = kindFor(endpoint).toHardware(endpoint);
    console.log(JSON.stringify({
      refused: resolve({}).problems.map(({ field }) => field),
      notes,
      ttlHours: endpoint.ttlHours,
      hardware: endpointKind(hardware.kind).describe(hardware),
      deployer: DEPLOYERS.edge.name,
    }));
  `;
  const args = ['--input-type=module', '--disable-warning=ExperimentalWarning', '--eval', script];
  expect(JSON.parse(execFileSync(process.execPath, args, { cwd: copy, encoding: 'utf8' }))).toEqual({
    refused: ['endpoint.idleHours'],
    notes: ['devices are updated at night'],
    ttlHours: 24,
    hardware: '7 devices',
    deployer: 'deployBlueGreen',
  });
});
