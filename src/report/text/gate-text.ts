import type { Report } from '../report.ts';

/** The gate's verdict in two or three words; undefined if no bounds are set. */
export function gateText({ verdict, isSet }: Report['gate']): string | undefined {
  if (verdict !== 'none') return `gate ${verdict}`;
  return isSet ? 'gate without a verdict' : undefined;
}
