import { expect, test } from 'vitest';
import { sharedLooks } from '../../../../src/cli/console/shared-looks.ts';

test('a look under way is shared until something is changed, whose look sees the change', async () => {
  const { share, forget } = sharedLooks();
  const began: PromiseWithResolvers<string>[] = [];
  const look = share(() => {
    const one = Promise.withResolvers<string>();
    began.push(one);
    return one.promise;
  });
  const before = [look(), look()];
  expect(began).toHaveLength(1);
  forget();
  const after = [look(), look()];
  expect(began).toHaveLength(2);
  began[0]?.resolve('without it');
  expect(await Promise.all(before)).toEqual(['without it', 'without it']);
  after.push(look());
  expect(began).toHaveLength(2);
  began[1]?.resolve('with it');
  expect(await Promise.all(after)).toEqual(['with it', 'with it', 'with it']);
  void look();
  expect(began).toHaveLength(3);
});
