import {
  type AnyLogSource,
  type ExampleCount,
  readLog,
  type SuggestedQuery,
  suggestQuery,
} from '../../analysis/index.ts';
import type { StoredLog } from '../../case/index.ts';
import type { RunCommand } from '../command-line/command.ts';
import { exitCodes, UsageError } from '../command-line/exit-code.ts';
import { openSource } from '../input/open-cases.ts';
import type { suggestSpec } from '../specs/case-specs.ts';
import { formatCount, formatNumber } from '../terminal/progress.ts';
import { toJson } from '../terminal/text.ts';

/** Most examples of each kind: their values are compared in pairs. */
const mostExamples = 200;

/** Suggests a query from examples. */
export const suggestCommand: RunCommand<typeof suggestSpec> = async ({
  arguments: values,
  options,
  terminal,
}) => {
  if (options.like.length === 0)
    throw new UsageError('suggest requires --like IDS: the ids of logs to select');
  const twice = options.like.find((id) => options.unlike.includes(id));
  if (twice !== undefined) throw new UsageError(`The log ${twice} must not be in both --like and --unlike`);
  await using opened = await openSource(values.case, terminal);
  const { source } = opened;
  const suggested = await suggestQuery(source, {
    liked: await readExamples(source, '--like', options.like),
    unliked: await readExamples(source, '--unlike', options.unlike),
  });
  if (options.json) await terminal.print(`${toJson(suggested, 2)}\n`);
  else {
    if (suggested.query !== undefined) await terminal.print(`${suggested.query}\n`);
    for (const line of summaryLines(suggested)) terminal.message(line);
  }
  return suggested.inseparable.length === 0 ? exitCodes.done : exitCodes.no;
};

async function readExamples(
  from: AnyLogSource,
  flag: string,
  ids: readonly string[],
): Promise<readonly StoredLog[]> {
  const distinct = [...new Set(ids.map(Number))];
  if (mostExamples < distinct.length)
    throw new UsageError(`${flag} must have at most ${mostExamples} ids, got ${distinct.length}`);
  const logs: StoredLog[] = [];
  for (const id of distinct) {
    const log = await readLog(from, id);
    if (!log) throw new UsageError(`${flag}: the case has no log with the id ${id}`);
    logs.push(log);
  }
  return logs;
}

function summaryLines({
  query,
  liked,
  unliked,
  selected,
  total,
  inseparable,
}: SuggestedQuery): readonly string[] {
  const examples = [
    `${shareOf(liked)} liked`,
    ...(unliked.total === 0 ? [] : [`${shareOf(unliked)} unliked`]),
  ].join(', ');
  return [
    ...inseparable.map(({ liked: like, unliked: other }) =>
      other === undefined
        ? `No query can select the log ${like}: it has no level, code, source, words or other values.`
        : `No query tells the log ${like} from ${other}: their level, code, source, words and other values are alike.`,
    ),
    ...(query === undefined
      ? []
      : [`Selects ${examples}, and ${formatNumber(selected)} of ${formatCount(total, 'log')} in the case.`]),
  ];
}

function shareOf({ selected, total }: ExampleCount): string {
  return `${formatNumber(selected)} of ${formatNumber(total)}`;
}
