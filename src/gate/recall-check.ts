import { sharePercent } from '../text/share-percent.ts';
import { checked, type GateBounds, type GateCheck, type GateEvidence } from './gate-check.ts';
import { namedBounds, recallBound } from './recall-bounds.ts';
import { whyUnjudged } from './why-unjudged.ts';

/** Cap on the classes that the sentence names; the others are counted. */
const NAMED = 3;

/** Whether each class with a bound reaches it. A named class without records cannot be checked, and fails. */
export function recallChecks({ minRecall }: GateBounds, { metrics, classes }: GateEvidence): GateCheck[] {
  if (minRecall === undefined) return [];
  const supported = new Set<string>();
  const missed: { name: string; recall: number; bound: number }[] = [];
  for (const { id, recall } of metrics.classes) {
    const name = classes[id] ?? '';
    const bound = recallBound(minRecall, name);
    if (recall === undefined) continue;
    supported.add(name);
    if (bound !== undefined && recall < bound) missed.push({ name, recall, bound });
  }
  const unknown = namedBounds(minRecall).filter((name) => !supported.has(name));
  if (supported.size === 0)
    return [checked(false, `recall has a minimum and cannot be judged: ${whyUnjudged(metrics)}`)];
  const checks: GateCheck[] = [];
  if (missed.length > 0) {
    missed.sort((a, b) => a.recall - a.bound - (b.recall - b.bound));
    const named = missed
      .slice(0, NAMED)
      .map(
        ({ name, recall, bound }) =>
          `${name} ${sharePercent(recall, bound)} (minimum ${sharePercent(bound, recall)})`,
      );
    const more =
      missed.length > NAMED
        ? ` and of ${missed.length - NAMED} more ${missed.length - NAMED === 1 ? 'class' : 'classes'}`
        : '';
    checks.push(checked(false, `recall is too low: ${named.join(', ')}${more}`));
  }
  if (unknown.length > 0) {
    const named = unknown.slice(0, NAMED).join(', ');
    checks.push(
      checked(false, `recall of ${named} has a minimum and is not known: no record has that truth`),
    );
  }
  return checks.length > 0 ? checks : [checked(true, 'recall of every class reaches its minimum')];
}
