import { BlockList, isIP } from 'node:net';
import { globMatcher } from './glob.ts';

/** Compares the value that a policy wants with one that a request has. */
export interface ConditionOperator {
  /** Whether a policy may write this value; anything else makes it malformed. */
  readonly takes: (wanted: string) => boolean;
  readonly matcher: (wanted: string) => (value: string) => boolean;
  /** True if the key is missing or its value matches no listed value. */
  readonly isNegated?: boolean;
}

const anything = (): boolean => true;
const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text));
const isFlag = (text: string): boolean => /^(true|false)$/i.test(text);
/** ISO 8601, or seconds since 1970. */
const toTime = (text: string): number => (isNumber(text) ? Number(text) * 1000 : Date.parse(text));
const isDate = (text: string): boolean => Number.isFinite(toTime(text));

const equals = (wanted: string) => (value: string) => value === wanted;
const sameLetters = (wanted: string) => (value: string) => value.toLowerCase() === wanted.toLowerCase();
/** Each of the six parts for itself: a star does not reach over a colon. */
const arnLike = (wanted: string) => {
  const parts = arnParts(wanted).map(globMatcher);
  return (value: string) => arnParts(value).every((part, index) => parts[index]?.(part));
};

const text = (matcher: ConditionOperator['matcher']): ConditionOperator => ({ takes: anything, matcher });
const not = (operator: ConditionOperator): ConditionOperator => ({ ...operator, isNegated: true });
const compared = (
  takes: (text: string) => boolean,
  read: (text: string) => number,
  holds: (value: number, wanted: number) => boolean,
): ConditionOperator => ({ takes, matcher: (wanted) => (value) => holds(read(value), read(wanted)) });

const ARN = text(arnLike);
const IP: ConditionOperator = {
  takes: (wanted) => toBlock(wanted) !== undefined,
  matcher: (wanted) => {
    const block = toBlock(wanted);
    return (value) => block?.check(value, isIP(value) === 6 ? 'ipv6' : 'ipv4') ?? false;
  },
};

/** Operators in IAM's user guide, without `IfExists` and set operators; `Null` compares no values. */
export const CONDITION_OPERATORS: ReadonlyMap<string, ConditionOperator> = new Map(
  Object.entries({
    StringEquals: text(equals),
    StringNotEquals: not(text(equals)),
    StringEqualsIgnoreCase: text(sameLetters),
    StringNotEqualsIgnoreCase: not(text(sameLetters)),
    StringLike: text(globMatcher),
    StringNotLike: not(text(globMatcher)),
    ...ordered('Numeric', isNumber, Number),
    ...ordered('Date', isDate, toTime),
    Bool: { takes: isFlag, matcher: sameLetters },
    BinaryEquals: text(equals),
    IpAddress: IP,
    NotIpAddress: not(IP),
    ArnEquals: ARN,
    ArnLike: ARN,
    ArnNotEquals: not(ARN),
    ArnNotLike: not(ARN),
  }),
);

function ordered(
  kind: 'Numeric' | 'Date',
  takes: (text: string) => boolean,
  read: (text: string) => number,
): Record<string, ConditionOperator> {
  const same = compared(takes, read, (value, wanted) => value === wanted);
  return {
    [`${kind}Equals`]: same,
    [`${kind}NotEquals`]: not(same),
    [`${kind}LessThan`]: compared(takes, read, (value, wanted) => value < wanted),
    [`${kind}LessThanEquals`]: compared(takes, read, (value, wanted) => value <= wanted),
    [`${kind}GreaterThan`]: compared(takes, read, (value, wanted) => value > wanted),
    [`${kind}GreaterThanEquals`]: compared(takes, read, (value, wanted) => value >= wanted),
  };
}

/** An address, or a block of them as `10.0.0.0/8`; undefined for any other text. */
function toBlock(cidr: string): BlockList | undefined {
  const [address = '', length, ...rest] = cidr.split('/');
  const version = isIP(address);
  const longest = version === 6 ? 128 : 32;
  const bits = length === undefined ? longest : /^\d{1,3}$/.test(length) ? Number(length) : -1;
  if (version === 0 || rest.length > 0 || bits < 0 || bits > longest) return undefined;
  const block = new BlockList();
  block.addSubnet(address, bits, version === 6 ? 'ipv6' : 'ipv4');
  return block;
}

function arnParts(arn: string): string[] {
  const parts = arn.split(':');
  return [...parts.slice(0, 5), parts.slice(5).join(':')];
}
