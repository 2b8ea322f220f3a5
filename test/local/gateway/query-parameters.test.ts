import { expect, it } from 'vitest';
import { parseQueryParameters } from '../../../local/gateway/query-parameters.ts';

const parse = (text: string): unknown => parseQueryParameters(new URLSearchParams(text));

it('unfolds lists, maps and structures', () => {
  expect(
    parse(
      'Action=A&Version=1&Name=n&Tags.member.1.Key=a&Tags.member.1.Value=1&Tags.member.2.Key=b&Tags.member.2.Value=2' +
        '&Attributes.entry.1.key=k&Attributes.entry.1.value=v&M.entry.1.Name=n&M.entry.1.Value.StringValue=s' +
        '&Flat.1=x&Flat.2=y&Empty.member=',
    ),
  ).toEqual({
    Name: 'n',
    Tags: [
      { Key: 'a', Value: '1' },
      { Key: 'b', Value: '2' },
    ],
    Attributes: { k: 'v' },
    M: { n: { StringValue: 's' } },
    Flat: ['x', 'y'],
    Empty: [],
  });
});

it('orders list items by number, not as they came', () => {
  const items = Array.from({ length: 12 }, (_, index) => `L.member.${12 - index}=${12 - index}`).join('&');
  expect(parse(items)).toEqual({ L: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'] });
});
