import { EndpointFailure } from '../endpoint/endpoint-failure.ts';
import type { ComponentHost } from '../endpoint/endpoint-record.ts';
import { createInstanceVariant } from '../endpoint/instance-variant.ts';
import type { FleetOptions, VariantFleet } from '../endpoint/variant-fleet.ts';
import type { ComponentRecord } from './component-record.ts';

interface Copy {
  readonly fleet: VariantFleet;
  underWay: number;
}

/** CloudWatch log group of a component's containers. */
function logGroupOf(componentName: string): string {
  return `/aws/sagemaker/InferenceComponents/${componentName}`;
}

/** The copies of one inference component: each is a container on an instance of its own. */
export class ComponentCopies {
  readonly #options: FleetOptions;
  readonly #endpointName: string;
  readonly #variant: VariantFleet['variant'];
  readonly #copies: Copy[] = [];

  constructor(options: FleetOptions, { input, model }: ComponentRecord, host: ComponentHost) {
    const { InferenceComponentName: name, EndpointName, Specification } = input;
    const { logs } = options;
    this.#options = {
      ...options,
      logs: { write: (_, stream, line) => logs.write(logGroupOf(name), stream, line) },
    };
    this.#endpointName = EndpointName;
    const isIsolated = host.networkIsolation || (model.input.EnableNetworkIsolation ?? false);
    this.#variant = {
      settings: { ...host.settings, ...Specification.StartupParameters },
      model: { ...model, input: { ...model.input, EnableNetworkIsolation: isIsolated } },
      weight: 1,
      instanceCount: 1,
    };
  }

  get count(): number {
    return this.#copies.length;
  }

  /**
   * Starts or stops copies until there are as many as wanted; one that stops answers first what it has begun.
   *
   * @throws {EndpointFailure} if a new copy cannot take requests; it is stopped then
   */
  async resize(wanted: number): Promise<void> {
    const leaving = this.#copies.splice(wanted);
    await Promise.all(leaving.map(({ fleet }) => fleet.drained().then(() => fleet.stop())));
    while (this.#copies.length < wanted) {
      const fleet = createInstanceVariant(this.#options, this.#endpointName, this.#variant);
      try {
        await fleet.start();
      } catch (error) {
        await fleet.stop();
        throw error;
      }
      this.#copies.push({ fleet, underWay: 0 });
    }
  }

  /** The least busy copy; undefined if there is none. */
  pick(): VariantFleet | undefined {
    const [first, ...others] = this.#copies;
    if (first === undefined) return undefined;
    const least = others.reduce((a, b) => (b.underWay < a.underWay ? b : a), first);
    return {
      ...least.fleet,
      async invoke(request) {
        least.underWay++;
        try {
          return await least.fleet.invoke(request);
        } finally {
          least.underWay--;
        }
      },
    };
  }

  async stop(): Promise<void> {
    await Promise.all(this.#copies.splice(0).map(({ fleet }) => fleet.stop()));
  }
}

/** Reason for a component with no instance for its copies, as AWS users report it. */
export function noHardware(): EndpointFailure {
  return new EndpointFailure(
    'There is not enough hardware resources on the instances for this endpoint to create a copy of the inference component.',
  );
}
