import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { problemCodes } from '../../src/case/file/parts.ts';
import { deviationCodes } from '../../src/case/verify/recorded-parts.ts';
import { commands } from '../../src/cli/command-table.ts';
import { handOverProblemCodes } from '../../src/cli/commands/verify.ts';
import { clientErrorCodes } from '../../src/client/errors.ts';
import { clusterErrorCodes } from '../../src/cluster/address.ts';
import { collectErrorCodes } from '../../src/collect/store.ts';
import { storeErrorCodes } from '../../src/database/store-error.ts';
import { createDeployment } from '../../src/emulator/deployment.ts';
import { serveDeployment } from '../../src/emulator/serve.ts';
import { doubtCodes } from '../../src/export/decide/doubts.ts';
import { exportErrorCodes } from '../../src/export/run/order.ts';
import { settingFindingCodes } from '../../src/protocol/check-settings.ts';
import { templateFindingCodes } from '../../src/protocol/check-template.ts';
import { rollbackMessageCodes, upgradeMessageCodes } from '../../src/protocol/upgrades.ts';
import { remarkCodes, unreadableCodes } from '../../src/records/log.ts';
import { sealErrorCodes, sealProblemCodes } from '../../src/seal/seal.ts';
import { run } from '../cli/run-in-process.ts';
import { wordsOf } from '../cli/words-of.ts';
import { rounds } from '../effort.ts';

const page = readFileSync('docs/programs.md', 'utf8');

describe('the codes', () => {
  const messages = Object.entries({ ...upgradeMessageCodes, ...rollbackMessageCodes }).map(
    ([code, { meaning }]) => [code, meaning] as const,
  );
  const sections = [
    [
      'Failures of the deployment',
      'Errors of calls and exports: exit code 3; 4 where they leave open what came of an upgrade.',
      Object.entries(clientErrorCodes),
    ],
    ['Failures of exports', 'Exit code 3, of `NOTHING_TO_RESUME` 2.', Object.entries(exportErrorCodes)],
    ['Failures of collectors', 'Exit code 3.', Object.entries(collectErrorCodes)],
    [
      'Failures of cases',
      'Exit code 2 where the command line names the wrong file, else 1. A query that would take too long to run or to translate ends with\n`QUERY_TOO_COMPLEX` and the exit code 1; the message names the part to shorten.',
      Object.entries(storeErrorCodes),
    ],
    [
      'Failures of clusters',
      'Exit code 3, of `CLUSTER_ADDRESS` 2, of `CLUSTER_SQL` 1, of `CLUSTER_TIMEOUT` 124.',
      Object.entries(clusterErrorCodes),
    ],
    ['Doubts of exports', '`doubts` of a result. They change no exit code.', Object.entries(doubtCodes)],
    ['Entries that are not loaded', '`problem` of a part.', Object.entries(problemCodes)],
    ['Records that cannot be read', '`code` in the view `unreadable`.', Object.entries(unreadableCodes)],
    ['Remarks about fields', '`remarks` of a part.', Object.entries(remarkCodes)],
    ['Deviations of cases', 'What `verify` finds.', Object.entries(deviationCodes)],
    ['Failures of seals', 'Exit code 2, of `TIME_STAMP_REFUSED` 3.', Object.entries(sealErrorCodes)],
    ['Deviations of seals', 'What `verify --seal` finds.', Object.entries(sealProblemCodes)],
    ['Deviations of folders', 'What `verify FOLDER` finds.', Object.entries(handOverProblemCodes)],
    [
      'Findings about property templates',
      'What `properties check` finds.',
      Object.entries(templateFindingCodes),
    ],
    [
      'Findings about settings of upgrades',
      'What `upgrade check` finds.',
      Object.entries(settingFindingCodes),
    ],
    ['Messages of upgrades', 'What `upgrade watch` explains.', messages],
  ] as const;

  // `npm run docs` writes the page where it differs.
  test('are listed in the words that programs get', async () => {
    const shown = sections.map(
      ([heading, about, codes]) =>
        `\n### ${heading}\n\n${about}\n\n| code | |\n| --- | --- |\n${codes.map(([code, text]) => `| \`${code}\` | ${text} |\n`).join('')}`,
    );
    const written = page.replace(
      /(<!-- codes -->\n)[\s\S]*(<!-- \/codes -->)/,
      (_all, before: string, after: string) => `${before}${shown.join('')}${after}`,
    );
    await expect(written).toMatchFileSnapshot('../../docs/programs.md');
  });

  test.each(['administration.md', 'cases.md', 'cluster.md'])('are found from %s', (name) => {
    const links = [...readFileSync(`docs/${name}`, 'utf8').matchAll(/\(programs\.md#([\w-]+)\)/g)];
    const anchors = sections.map(([heading]) => heading.toLowerCase().replaceAll(' ', '-'));
    expect(links.length).toBeGreaterThan(0);
    for (const [, anchor] of links) expect(anchors).toContain(anchor);
  });
});

describe('the JSON', () => {
  /** Command lines in an order in which each finds what it needs, by the row that tells of them. */
  const lines: readonly (readonly [row: string, line: string])[] = [
    ['check', 'check "a OR b AND (c"'],
    ['format', 'format "a AND (b"'],
    ['import', 'import samples/incident.ndjson HERE/broken.ndjson --into HERE/case.duckdb'],
    ['explain', 'explain "a OR b AND c"'],
    ['explain', 'explain msg:request --case HERE/case.duckdb --id 17'],
    ['compare', 'compare a "a AND b"'],
    ['translate', 'translate "msg:a AND logCode:[1 TO 2]" --to elasticsearch'],
    ['translate', 'translate "msg:a AND logCode:[1 TO 2]" --to clickhouse'],
    ['complete', 'complete source: --case HERE/case.duckdb'],
    ['search', 'search logLevel:SEVERE HERE/case.duckdb HERE/broken.ndjson'],
    ['search', 'search msg:request HERE/case.duckdb --best'],
    ['search', 'search msg:request HERE/case.duckdb --count'],
    ['trace', 'trace 6ae5ed38-8c37-4df5-bf3b-29e824de1189 HERE/case.duckdb'],
    ['trace --slowest', 'trace --slowest HERE/case.duckdb --limit 3'],
    ['show', 'show 1 HERE/case.duckdb'],
    ['top', 'top source HERE/case.duckdb --limit 1'],
    ['histogram', 'histogram HERE/case.duckdb --by logLevel'],
    ['note add', 'note add HERE/case.duckdb 1 "a comment" --tag first'],
    ['note edit', 'note edit HERE/case.duckdb 1 --text other'],
    ['note list', 'note list HERE/case.duckdb'],
    ['saved add', 'saved add HERE/case.duckdb failures logLevel:SEVERE --from 2025-03-12'],
    ['saved list', 'saved list HERE/case.duckdb'],
    ['redact', 'redact HERE/case.duckdb --out HERE/redacted.duckdb'],
    ['patterns', 'patterns HERE/case.duckdb --limit 3'],
    ['patterns --id', 'patterns HERE/case.duckdb --id 32b20d3d78'],
    ['diff', 'diff logLevel:SEVERE logLevel:INFO HERE/case.duckdb'],
    ['gaps', 'gaps HERE/case.duckdb'],
    ['investigate', 'investigate HERE/case.duckdb'],
    ['services', 'services HERE/case.duckdb --by service,hour'],
    ['sessions', 'sessions HERE/case.duckdb --limit 3'],
    ['detect', 'detect HERE/case.duckdb'],
    ['suggest', 'suggest HERE/case.duckdb --like 1,2 --unlike 3'],
    ['overview', 'overview HERE/case.duckdb'],
    ['sql', 'sql "SELECT 1 AS a" HERE/case.duckdb'],
    ['index', 'index HERE/case.duckdb'],
    ['verify', 'verify HERE/case.duckdb'],
    ['seal', 'seal HERE/case.duckdb --out HERE/seal.json'],
    ['verify', 'verify HERE/case.duckdb --seal HERE/seal.json'],
    ['hand-over', 'hand-over msg:request HERE/case.duckdb --out HERE/folder'],
    ['verify FOLDER', 'verify HERE/folder'],
    ['export', 'export --from 2025-03-12T02:00 --to 2025-03-12T03:00 --into HERE/hour.duckdb'],
    ['export --num', 'export --num 5 --into HERE/few.duckdb'],
    ['export --plan', 'export --plan --from 2025-03-12 --search "msg:a AND logCode:1" --via query'],
    ['collect check', 'collect check HERE/collect.json'],
    ['collect status', 'collect status HERE/collect.json'],
    ['coverage', 'coverage HERE/hour.duckdb'],
    ['histogram', 'histogram HERE/hour.duckdb'],
    ['logs settings', 'logs settings'],
    ['logs settings', 'logs settings --level DEBUG --yes'],
    ['logs query', 'logs query --limit 1'],
    ['logs query', 'logs query --count'],
    ['logs search', 'logs search reference --limit 1'],
    ['jobs list', 'jobs list'],
    ['uploads list', 'uploads list'],
    ['health', 'health'],
    ['catalog info', 'catalog info'],
    ['catalog folders', 'catalog folders'],
    ['catalog services', 'catalog services'],
    ['properties check', 'properties check samples/upgrade-settings.json'],
    ['properties diff', 'properties diff samples/template.json samples/template.json'],
    [
      'properties edit',
      'properties edit --id 9375dd81-30d1-41c0-a802-cabb425159b1 --set spec.replicas.min=2 --set spec.replicas.max=2 --yes',
    ],
    ['upgrade check', 'upgrade check samples/upgrade-settings.json'],
    ['upgrade license', 'upgrade license HERE/license.json'],
    ['upgrade watch', 'upgrade start pat_24012023_3162 --yes'],
    ['upgrade watch', 'upgrade watch --every 1s'],
    ['upgrade rollback', 'upgrade rollback rel_13092022_3150 --yes --watch --every 1s'],
    ['sign-in', 'sign-in --out HERE/gis.json'],
    ['sign-in', 'sign-in --save prod'],
    ['profile list', 'profile list'],
  ];

  test('of all commands is described', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'logquarry-manual-'));
    await using deployment = await createDeployment({
      users: [{ username: 'ann', password: 'pw' }],
      version: '11.0',
      upgradePace: { release: 500, patch: 500 },
    });
    await using served = await serveDeployment(deployment);
    const environment = {
      LOGQUARRY_URL: served.url,
      LOGQUARRY_USER: 'ann',
      LOGQUARRY_PASSWORD: 'pw',
      XDG_CONFIG_HOME: join(folder, 'config'),
    };
    await writeFile(join(folder, 'license.json'), '{}');
    await writeFile(
      join(folder, 'collect.json'),
      JSON.stringify({ store: 'store', sources: { gis: { url: served.url, level: 'INFO' } } }),
    );
    await writeFile(join(folder, 'broken.ndjson'), '{"time":1,"msg":"a","code":"x"}\nnonsense\n');
    try {
      for (const [row, line] of lines.slice(0, rounds(lines.length, 34))) {
        const words = wordsOf(line.replaceAll('HERE', folder));
        const { out, err } = await run([...words, '--json'], { environment });
        const described = describedIn(row);
        const unknown = membersOf(out).filter((name) => !described.has(name));
        expect({ line, err, unknown }).toEqual({ line, err, unknown: [] });
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('has a row for every command that prints it', () => {
    const rows = new Set([...page.matchAll(/^\| (`.+?) \| /gm)].flatMap(([, cell = '']) => namesIn(cell)));
    const printing = commands.filter(({ spec }) => 'json' in spec.options).map(({ spec }) => spec.name);
    expect(printing.filter((name) => !rows.has(name))).toEqual([]);
  });
});

/** The names that the row of a command tells of, and the shapes that it refers to. */
function describedIn(row: string): ReadonlySet<string> {
  const [, about = ''] = new RegExp(`^\\| .*\`${row}\`.* \\| (.+) \\|$`, 'm').exec(page) ?? [];
  const shapes = [...about.matchAll(/\*(\w+)\*/g)].map(
    ([, name]) => new RegExp(`^\\| \\*${name}\\* \\| (.+) \\|$`, 'm').exec(page)?.[1] ?? '',
  );
  return new Set(namesIn([about, ...shapes].join(' ')));
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

/** Texts in these are explained elsewhere, or are those of the deployment. */
const closed = new Set([
  'filter',
  'log',
  'parameters',
  'filters',
  'before',
  'after',
  'example',
  'examples',
  'query',
]);

/** The names of all members of JSON, or of lines of it. */
function membersOf(out: string): string[] {
  const isLines = out.trimEnd().split('\n').length > 1 && /^\{.*\}$/m.test(out.split('\n')[0] ?? '');
  const body: unknown = isLines
    ? out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    : JSON.parse(out);
  const names = new Set<string>();
  const walk = (value: unknown) => {
    if (Array.isArray(value)) for (const each of value) walk(each);
    else if (typeof value === 'object' && value !== null) {
      for (const [name, each] of Object.entries(value)) {
        names.add(name);
        if (!closed.has(name)) walk(each);
      }
    }
  };
  walk(body);
  return [...names];
}
