import { type Case, countEach, type FilterCount } from '../../case/index.ts';
import {
  type CorrelationRule,
  type DetectionRule,
  type Rule,
  type RuleLevel,
  ruleLevels,
  type UnsupportedRule,
} from '../rules/rule.ts';
import {
  type DetectedLog,
  type DetectOptions,
  findOccurrences,
  type Occurrence,
  TooManyEvents,
} from './occurrences.ts';

/** The result of a rule. */
export interface Detection {
  readonly rule: Rule;
  /** Number of logs; for a correlation those of all occurrences. */
  readonly count: number;
  /** In the order of time. Absent without logs. */
  readonly first?: DetectedLog;
  readonly last?: DetectedLog;
  /** For a correlation, in the order of time. */
  readonly occurrences?: readonly Occurrence[];
}

/** Results of rules. */
export interface Detections {
  /** One for each rule that was evaluated, in the order of the rules. */
  readonly detections: readonly Detection[];
  /** Rules whose evaluation was given up. */
  readonly unsupported: readonly UnsupportedRule[];
}

/**
 * Evaluates rules on the logs of some cases, all rules on single logs in one pass.
 *
 * ```ts
 * const { rules, unsupported } = compileRules([{ name: 'own.yml', text: 'title: A\ndetection: {s: {logCode: 7569}, condition: s}' }]);
 * const { detections } = await detect([incident], rules, { filter });
 * for (const { rule, count } of detections) if (0 < count) console.log(rule.title, count);
 * ```
 */
export async function detect(
  cases: readonly Case[],
  rules: readonly Rule[],
  options: DetectOptions,
): Promise<Detections> {
  const single = rules.filter((rule): rule is DetectionRule => rule.kind === 'detection');
  const counted = await Promise.all(
    cases.map((from) =>
      countEach(
        from,
        single.map(({ filter }) => filter),
        { among: options.filter },
      ),
    ),
  );
  const unsupported: UnsupportedRule[] = [];
  const detections: Detection[] = [];
  for (const rule of rules) {
    if (rule.kind === 'detection') {
      const index = single.indexOf(rule);
      detections.push(
        toDetection(
          rule,
          counted.map((counts) => counts[index]),
        ),
      );
    } else {
      const found = await correlateRule(cases, rule, options);
      if ('reason' in found) unsupported.push(found);
      else detections.push(found);
    }
  }
  return { detections, unsupported };
}

function toDetection(rule: DetectionRule, counts: readonly (FilterCount | undefined)[]): Detection {
  const logs = counts.flatMap((each, index): readonly DetectedLog[] => {
    const ends = [each?.first, each?.last].flatMap((log) => (log ? [{ case: index, ...log }] : []));
    if (0 < ends.length || each?.timeless === undefined) return ends;
    return [{ case: index, id: each.timeless }];
  });
  const [first, last] = endsOf(logs);
  const count = counts.reduce((sum, each) => sum + (each?.count ?? 0), 0);
  return { rule, count, ...(first && { first }), ...(last && { last }) };
}

async function correlateRule(
  cases: readonly Case[],
  rule: CorrelationRule,
  options: DetectOptions,
): Promise<Detection | UnsupportedRule> {
  try {
    const occurrences = await findOccurrences(cases, rule, options);
    const [first, last] = endsOf(occurrences.flatMap((each) => [each.first, each.last]));
    const count = occurrences.reduce((sum, each) => sum + each.count, 0);
    return { rule, count, occurrences, ...(first && { first }), ...(last && { last }) };
  } catch (error) {
    if (!(error instanceof TooManyEvents)) throw error;
    const { file, document, title } = rule;
    return { file, document, title, reason: error.message };
  }
}

/** The first and the last of some logs in the order of time; those without one are last. */
function endsOf(logs: readonly DetectedLog[]): readonly [DetectedLog?, DetectedLog?] {
  const timeOf = ({ time = Number.MAX_VALUE }: DetectedLog) => time;
  const sorted = logs.toSorted(
    (first, second) => timeOf(first) - timeOf(second) || first.case - second.case || first.id - second.id,
  );
  const [first] = sorted;
  const last = sorted.findLast(({ time }) => time !== undefined) ?? first;
  return first && last ? [first, last] : [];
}

/** Reports if a rule found something. A correlation that finds silences has occurrences without logs. */
export function isHit({ count, occurrences = [] }: Pick<Detection, 'count' | 'occurrences'>): boolean {
  return 0 < count || 0 < occurrences.length;
}

/** Orders detections: the most critical level first, then in the order of the first logs. */
export function compareDetections(a: Detection, b: Detection): number {
  const levels = rankOfLevel(b.rule.level) - rankOfLevel(a.rule.level);
  const [first, second] = [a, b].map(({ first: log }) => log?.time ?? Number.MAX_VALUE);
  return levels || (first ?? 0) - (second ?? 0);
}

/** Returns the rank of a level; rules without one are below all. */
export function rankOfLevel(level: RuleLevel | undefined): number {
  return level === undefined ? -1 : ruleLevels.indexOf(level);
}
