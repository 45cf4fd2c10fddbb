import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import * as v from 'valibot';
import {
  type ExportStatus,
  type ExportTotals,
  type OrderedExport,
  type PageExports,
  PageRefusal,
} from '../../server/index.ts';
import { type Command, defineCommand } from '../command-line/command.ts';
import { type ExitCode, exitCodes } from '../command-line/exit-code.ts';
import { runWords, tableOf } from '../configuration/run-words.ts';
import type { ExportCases } from '../export/export-cases.ts';
import { exportInto } from '../export/run-export.ts';
import { quoteForShell } from '../output/shell-word.ts';
import { isProfileName } from '../profiles/profile-folder.ts';
import { exportSpec } from '../specs/logs.ts';
import { Interrupted } from '../terminal/endings.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { NamedSources } from './named-sources.ts';
import { pageTerminal } from './page-terminal.ts';

/** Context of the exports of a page. */
interface PageExportsOptions {
  readonly commands: readonly Command[];
  readonly environment: Terminal['environment'];
  readonly sources: NamedSources;
}

/** Messages that are kept. */
const mostMessages = 200;

/**
 * Exports that a page starts: each is the command `export` with the words that a person would write, on
 * the cases of the page. So orders, progress, messages and errors are those of the command.
 */
export function pageExports({ commands, environment, sources }: PageExportsOptions): PageExports {
  let status: ExportStatus | undefined;
  let running: { readonly done: Promise<void>; readonly stop: AbortController } | undefined;
  const cases = casesOf(sources);
  const own = commands.map((each) =>
    each.spec.name === exportSpec.name ? defineCommand(exportSpec, async () => exportInto(cases)) : each,
  );
  return {
    status: () => status,
    async start(order) {
      if (running) throw new PageRefusal('An export is running: stop it first, or wait for its end', 409);
      checkCaseName(order, sources);
      checkProfile(order);
      const stop = new AbortController();
      const words = wordsOf(order, sources);
      const shown = wordsOf(order, { pathOf: (name) => name });
      const started: ExportStatus = {
        order,
        command: ['logquarry', ...shown.map(quoteForShell)].join(' '),
        ...{ state: 'running', started: Date.now(), messages: [] },
      };
      status = started;
      const change = (next: Partial<ExportStatus>) => {
        status = { ...(status ?? started), ...next };
      };
      const terminal = pageTerminal({
        ...{ environment, signal: stop.signal },
        say: (line) => change({ messages: [...(status?.messages ?? []), line].slice(-mostMessages) }),
        print: (text) => {
          const totals = totalsIn(text);
          if (totals) change({ totals });
        },
      });
      const work = runWords([...words, '--ndjson'], tableOf(own), terminal).then((code) => {
        change({ state: stateOf(code) });
        running = undefined;
      });
      running = { done: work, stop };
      return started;
    },
    async stop() {
      running?.stop.abort(new Interrupted('Interrupted'));
      await running?.done;
    },
  };
}

/** Cases of the page, which views read while they are filled. */
function casesOf(sources: NamedSources): ExportCases {
  const sourceAt = (path: string) => sources.caseInFolder(basename(path));
  return {
    use: (path, work) => sourceAt(path).fill({ memory: 'little' }, work),
    async fill(path, { terminal, ...options }, work) {
      try {
        return await sourceAt(path).fill({ ...options, create: 'if filled' }, work);
      } finally {
        if (!existsSync(path)) terminal.say(`"${path}" was not created, because there was nothing to store.`);
      }
    },
  };
}

/** A case file of the folder itself: no path, no option, no hidden file. */
function checkCaseName({ case: name, kind }: OrderedExport, { pathOf }: NamedSources): void {
  if (!/^[^./\\-][^/\\]*\.duckdb$/.test(name))
    throw new PageRefusal(
      `The case must be the name of a file of the folder that ends in ".duckdb", got "${name}"`,
    );
  if (kind !== 'new' && !existsSync(pathOf(name)))
    throw new PageRefusal(`There is no case file "${name}"`, 404);
}

/** A profile by its name, never a file by its path. */
function checkProfile({ profile }: OrderedExport): void {
  if (profile !== '' && !isProfileName(profile))
    throw new PageRefusal(`The profile must be the name of one, got "${profile}"`);
}

const targets = {
  new: '--into',
  resume: '--resume',
  'retry gaps': '--retry-gaps',
  'since last': '--since-last',
} as const;

/** The words of the command line of an export. */
function wordsOf(order: OrderedExport, { pathOf }: Pick<NamedSources, 'pathOf'>): readonly string[] {
  const { profile, kind, from, to, search, logLevel } = order;
  const options: readonly (readonly [string, string | undefined])[] = [
    ['--profile', profile],
    [targets[kind], pathOf(order.case)],
    ...(kind === 'new'
      ? ([
          ['--from', from],
          ['--to', to],
          ['--search', search],
          ['--log-level', logLevel],
        ] as const)
      : []),
  ];
  const given = options.filter(([, value]) => value !== undefined && value.trim() !== '');
  return ['export', ...given.flatMap(([name, value = '']) => [name, value])];
}

const totalsSchema = v.object({
  event: v.literal('totals'),
  calls: v.number(),
  windows: v.number(),
  underWay: v.number(),
  logs: v.number(),
  bytes: v.number(),
  remaining: v.optional(v.number()),
});

/** The totals that an event line of the command has, if any. */
function totalsIn(line: string): ExportTotals | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), totalsSchema), line);
  if (!parsed.success) return undefined;
  const { event: _, ...totals } = parsed.output;
  return totals;
}

function stateOf(code: ExitCode): ExportStatus['state'] {
  if (code === exitCodes.done) return 'complete';
  if (code === exitCodes.interrupted) return 'stopped';
  return code === exitCodes.incomplete ? 'incomplete' : 'failed';
}
