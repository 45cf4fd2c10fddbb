import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { sampled } from '../effort.ts';
import { firstTime, servedLogs, startAwkward } from './awkward-export.ts';
import {
  type AwkwardOptions,
  counted,
  ordered,
  type Rule,
  rules,
  type ServedLog,
  type ServedOrder,
} from './awkward-server.ts';

const orders: readonly ServedOrder[] = ['as asked', 'oldest first', 'changing', 'shuffled'];
const nodes = ['a', 'b', 'c'] as const;
const count = 150;
/** Logs of three nodes: one writes the oldest ones alone, the other two take turns. */
const logs = servedLogs(count).map((log, index) => ({
  ...log,
  machine: nodes[index < count / 4 ? 2 : index % 2] ?? 'a',
}));

const after = (some: readonly ServedLog[]) => (some.at(-1)?.time ?? 0) + 3_600_000;

/** Cuts logs before they take more bytes than this when they are compressed. */
function compressed(limit: number): Rule {
  const size = (some: readonly ServedLog[]) =>
    deflateRawSync(some.map((log) => JSON.stringify(log)).join('\n')).length;
  return (matching) => {
    let [whole, cut] = [0, matching.length + 1];
    while (whole + 1 < cut) {
      const middle = Math.floor((whole + cut) / 2);
      if (size(matching.slice(0, middle)) <= limit) whole = middle;
      else cut = middle;
    }
    return matching.slice(0, whole);
  };
}

/** Each node returns as many logs as asked for, or its own limit; their replies are joined, and sorted where it sorts. */
function perNode(order: ServedOrder, limit = Number.POSITIVE_INFINITY): Rule {
  return (matching, call) => {
    const parts = nodes.flatMap((node) => {
      const own = matching.filter(({ machine }) => machine === node);
      return ordered(order)(own, call).slice(0, Math.min(limit, call.num));
    });
    if (order !== 'as asked') return parts;
    return ordered(order)(
      parts.sort((a, b) => a.time - b.time),
      call,
    );
  };
}

/** Adds logs of other times that end nearby. */
function withNeighbours(reach: number): Rule {
  return (matching) => {
    const [first = 0, last = 0] = [matching[0]?.time, matching.at(-1)?.time];
    const near = logs.filter(
      ({ time }) => (first - reach < time && time < first) || (last < time && time < last + reach),
    );
    return [...near, ...matching].sort((a, b) => a.time - b.time);
  };
}

/** Groups of logs that are equal in all members, 700 ms apart: every tenth group is at a whole second. */
function equalLogs(size: number, groups: number): readonly ServedLog[] {
  return Array.from({ length: size * groups }, (_, index) => ({
    time: firstTime + Math.floor(index / size) * 700,
    logLevel: 'INFO',
    logCode: 1,
    msg: 'the same',
  }));
}

interface AwkwardCase {
  readonly rule: Rule;
  readonly logs?: readonly ServedLog[];
  readonly num?: number;
  readonly more?: Partial<AwkwardOptions>;
  readonly twice?: boolean;
}

/** Exports, and returns what came; undefined for an export that ended with an error, which says that it is none. */
async function outcome({ rule, logs: some = logs, num = 10_000, more, twice }: AwkwardCase) {
  await using setting = await startAwkward({ logs: some, rule, now: after(some), ...more });
  const request = { ...setting.order().request, num };
  return await setting.run({ request }, { twice }).catch((error: { code?: string }) => {
    expect(error.code).toBe('WINDOW_IGNORED');
    return undefined;
  });
}

const cases: readonly (readonly [string, ServedOrder, AwkwardCase])[] = orders
  .slice(0, 3)
  .flatMap((order) => {
    const cut = rules(ordered(order), counted(40));
    return [
      ['a limit on the compressed size', order, { rule: rules(ordered(order), counted(), compressed(900)) }],
      ['a number of logs that each node applies for itself', order, { rule: perNode(order), num: 60 }],
      ['a limit of each node', order, { rule: perNode(order, 30) }],
      [
        'logs of other times',
        order,
        { rule: (matching, call) => [...cut(matching, call), ...logs.slice(3, 6)] },
      ],
      ['logs of other times in front', order, { rule: rules((some) => [...logs.slice(0, 3), ...some], cut) }],
      ['logs of times nearby', order, { rule: rules(withNeighbours(3000), cut) }],
      ['equal logs, fewer than a call returns', order, { rule: cut, logs: equalLogs(12, 11) }],
      ['equal logs, more than a call returns', order, { rule: cut, logs: equalLogs(60, 2) }],
    ] as const;
  });

describe('a deployment with rules that no exporter expects', () => {
  test.each(sampled(cases, 2))('%s, %s, loses no log in silence', async (_, _order, awkward) => {
    const result = await outcome(awkward);
    if (!result) return;
    expect(result.extra).toBe(0);
    expect(result.complete ? result.lost === 0 : 0 < result.gaps.length).toBe(true);
  });

  test('that says of each reply that there is nothing more is not believed', async () => {
    const entries = [{ name: 'about.json', text: '{"hasMore":false,"total":40,"nextStart":-1}' }];
    const rule = rules(ordered('as asked'), counted(40));
    expect(await outcome({ rule, more: { entries } })).toMatchObject({ lost: 0, extra: 0, logs: count });
  });

  test('without a clock in its replies is measured by the clock of this machine', async () => {
    const rule = rules(ordered('as asked'), counted(60));
    const more = { date: () => undefined };
    expect(await outcome({ rule, more })).toMatchObject({ complete: true, lost: 0, extra: 0 });
  });

  test.each([
    ['zip', false],
    ['entry', false],
    ['entry', true],
  ] as const)('that first answers with a hollow %s, and with all of it then', async (form, twice) => {
    const seen = new Set<string>();
    const hollow = (asked: URLSearchParams) => {
      const before = seen.size;
      return before < seen.add(`${asked.get('startTime')} ${asked.get('endTime')}`).size && form;
    };
    const rule = rules(ordered('as asked'), counted(60));
    const result = await outcome({ rule, more: { hollow }, twice });
    expect(result?.extra).toBe(0);
    expect(result?.complete ? result.lost : 0).toBe(0);
  });
});

test.each(sampled(orders, 1))(
  'logs of whole seconds before others of milliseconds are no logs of other times, %s',
  async (order) => {
    const alike = [
      ...equalLogs(40, 2),
      ...equalLogs(35, 2).map((log) => ({ ...log, time: log.time + 1400 })),
    ];
    const rule = rules(ordered(order), counted(30));
    const result = await outcome({
      rule,
      logs: [...alike, ...servedLogs(5).map((log) => ({ ...log, time: 1_700_000_010_000 }))],
    });
    expect(result).toMatchObject({ complete: false, extra: 0 });
  },
);
