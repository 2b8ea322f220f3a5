/**
 * Takes the place of the SDK's event streams in the bundles: S3 Select is the only call that has one, and nobody makes it
 * (ADR 4).
 */
const refuse = (): never => {
  throw new Error('event streams are left out of the bundles: see docs/adr/0004-bundles.md');
};

export const resolveEventStreamSerdeConfig = <T>(config: T): T => config;
/** The client asks for it when it is built; only a stream would use what it gives. */
export const eventStreamSerdeProvider = () => ({ serialize: refuse, deserialize: refuse });
export class EventStreamSerde {
  readonly serializeEventStream = refuse;
  readonly deserializeEventStream = refuse;
}
