import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { insertRows } from '../../database/index.ts';
import { replyStarts, textFields } from '../../records/index.ts';
import { type Case, readCaseSnapshot } from '../file/case.ts';
import { idDigests, recordAction } from '../file/chain.ts';
import { type Overlap, readParts, type StoredPart } from '../file/parts.ts';

/**
 * Finds the logs of parts that other parts of a case have too, or earlier ones of these parts; by default of all parts.
 *
 * Two logs are the same if all their fields are, and what is in `extra`, unless one with these fields has nothing there.
 * A file, or a reply of several in a file, can have equal logs: only as many copies as an earlier one has are the same.
 * Logs without a time are never the same. Files whose logs are equal by chance only, such as health checks of two
 * proxies in one second, do not overlap: from the first to the last equal log, those of one of them are mostly equal.
 */
export function findOverlaps(of: Case, parts?: readonly StoredPart[]): Promise<readonly Overlap[]> {
  return readCaseSnapshot(of, async (connection) => {
    const all = await readParts(connection);
    const trimmed = await trimmedParts(connection);
    const added = (parts ?? all).filter(({ part }) => !trimmed.has(part));
    const found = await prepareOverlaps(connection, { all, added }, countedKeys);
    return found ? await readOverlaps(connection) : [];
  });
}

/**
 * Deletes the logs of parts that `findOverlaps` finds, and records that, in the transaction that adds the parts. Returns
 * the overlaps, whose logs are no longer in the case. Their originals have them.
 */
export async function leaveOutOverlaps(
  connection: DuckDBConnection,
  added: readonly StoredPart[],
): Promise<readonly Overlap[]> {
  const found = await prepareOverlaps(connection, { all: await readParts(connection), added }, safeKeys);
  if (!found) return [];
  const overlaps = await readOverlaps(connection);
  await connection.run(
    'DELETE FROM stored.logs WHERE id IN (SELECT id FROM temp.same_logs) AND part IN (SELECT part FROM temp.added_parts)',
  );
  const digests = await idDigests(
    connection,
    overlaps.map(({ part }) => part),
  );
  for (const { part, logs, earlier } of overlaps) {
    await connection.run('UPDATE stored.parts SET logs = logs - $1::BIGINT WHERE part = $2', [logs, part]);
    const idsSha256 = digests.get(part) ?? '';
    await recordAction(connection, 'trim part', {
      part,
      logs,
      idsSha256,
      earlier: earlier.slice(0, mostNamed),
    });
  }
  return overlaps;
}

const partRows = v.array(v.tuple([v.number()]));

/** Returns the parts whose overlaps were left out: what is in the case of them is there beyond the earlier copies. */
async function trimmedParts(connection: DuckDBConnection): Promise<ReadonlySet<number>> {
  const result = await connection.runAndReadAll(
    `SELECT DISTINCT try_cast(json_extract_string(details, 'part') AS INTEGER) AS part FROM stored.actions
     WHERE action = 'trim part' AND json_valid(details) AND json_exists(details, 'earlier') AND part IS NOT NULL`,
  );
  return new Set(v.parse(partRows, result.getRowsJS()).map(([part]) => part));
}

/** Earlier parts that an action names. */
const mostNamed = 100;

interface PartsToCompare {
  readonly all: readonly StoredPart[];
  readonly added: readonly StoredPart[];
}

/** The fields that the same logs have in common. */
const compared = ['time', 'logCode', 'elapsed', ...textFields].map((field) => `"${field}"`);

/** A hash that is cheap to compute, and equal for the same logs. */
const cheapHash = `hash("time", "logCode", "logLevel", "requestID")`;

/** Keys by which logs are compared: to be counted, or to be left out, which takes nearly twice as long. */
interface Keys {
  /** Expressions whose values are equal for equal fields, and for an equal `extra`. */
  readonly fields: string;
  readonly extra: string;
}

/** Two logs with one key differ once in 2^64 pairs by chance, and their cheap hashes are equal, too. */
const countedKeys: Keys = {
  fields: `hash(${compared.join(', ')})`,
  // The hash of no value is one.
  extra: 'CASE WHEN extra IS NOT NULL THEN hash(extra::VARCHAR) END',
};

/** Nobody can write two logs with one key, of which the second would be left out. */
const safeKeys: Keys = {
  fields: `unhex(sha256(to_json([${compared.map((field) => `${field}::VARCHAR`).join(', ')}])::VARCHAR))`,
  extra: 'unhex(sha256(extra::VARCHAR))',
};

/** Finds the same logs in tables that end with the connection; returns whether there are any. */
async function prepareOverlaps(
  connection: DuckDBConnection,
  { all, added }: PartsToCompare,
  keys: Keys,
): Promise<boolean> {
  const withLogs = all.filter(({ logs }) => 0 < logs);
  const starts = withLogs.flatMap(startsOf);
  const [first] = added.filter(({ logs }) => 0 < logs);
  if (!first || (withLogs.length === 1 && starts.length === 0)) return false;
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE added_parts (part INTEGER);
     CREATE OR REPLACE TEMP TABLE reply_starts (part INTEGER, start INTEGER, reply INTEGER)`,
  );
  await insertRows(
    connection,
    { table: 'temp.added_parts', columns: ['?::INTEGER'] },
    added.map(({ part }) => [part]),
  );
  await insertRows(
    connection,
    { table: 'temp.reply_starts', columns: ['?::INTEGER', '?::INTEGER', '?::INTEGER'] },
    starts,
  );
  for (const sql of stepsWith(keys)) await connection.run(sql);
  const result = await connection.runAndReadAll('SELECT count(*)::DOUBLE FROM temp.same_logs');
  return 0 < v.parse(v.tuple([v.number()]), result.getRowsJS()[0])[0];
}

/** Returns the first records of the replies of a part, behind the first reply. */
function startsOf({ part, remarks }: StoredPart): readonly [part: number, start: number, reply: number][] {
  const about = remarks.find(({ code }) => code === 'REPLIES')?.about ?? '';
  return replyStarts(about)
    .slice(1)
    .map((start, at) => [part, start, at + 1]);
}

/** A unit is a file, an entry, or one of several replies in it. */
const unit = `(l.part::BIGINT * 65536 + coalesce(s.reply, 0))`;

/** The statements that find the same logs, one after the other. */
const stepsWith = ({ fields, extra }: Keys): readonly string[] => [
  // Parts with times in which another part has logs, too: windows of an export follow one another.
  `CREATE OR REPLACE TEMP TABLE meeting AS
     SELECT part FROM (SELECT part, min("time") AS oldest, max("time") AS newest FROM stored.logs GROUP BY part)
     WHERE oldest IS NOT NULL
     QUALIFY oldest <= max(newest) OVER (ORDER BY oldest, part ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
       OR lead(oldest) OVER (ORDER BY oldest, part) <= newest
     UNION SELECT part FROM temp.reply_starts`,
  // Units in which a hash occurs besides others; most logs have one of their own.
  `CREATE OR REPLACE TEMP TABLE maybe_same AS
     SELECT ${cheapHash} AS h FROM stored.logs l ASOF LEFT JOIN temp.reply_starts s ON l.part = s.part AND l.position >= s.start
     WHERE l.part IN (FROM temp.meeting) AND "time" BETWEEN (SELECT min("time") FROM stored.logs WHERE part IN (FROM temp.added_parts))
       AND (SELECT max("time") FROM stored.logs WHERE part IN (FROM temp.added_parts))
     GROUP BY h HAVING min(${unit}) < max(${unit}) AND bool_or(l.part IN (FROM temp.added_parts))`,
  `CREATE OR REPLACE TEMP TABLE hashed AS
     SELECT ${unit} AS unit, l.part, id, "time", ${fields} AS fields, ${extra} AS extra,
       l.part IN (FROM temp.added_parts) AS is_added
     FROM stored.logs l ASOF LEFT JOIN temp.reply_starts s ON l.part = s.part AND l.position >= s.start
     WHERE "time" IS NOT NULL AND l.part IN (FROM temp.meeting) AND ${cheapHash} IN (FROM temp.maybe_same)`,
  `CREATE OR REPLACE TEMP TABLE copies AS
     WITH bare AS (SELECT fields FROM temp.hashed GROUP BY fields HAVING count(extra) < count(*) AND min(unit) < max(unit))
     SELECT unit, part, is_added, fields, CASE WHEN fields IN (FROM bare) THEN NULL ELSE extra END AS extra,
       count(*) AS copies, any_value("time") AS "time"
     FROM temp.hashed GROUP BY ALL`,
  // Pairs of units with equal logs, and the time from the first to the last of these.
  `CREATE OR REPLACE TEMP TABLE equal_pairs AS
     SELECT a.unit, a.part, b.unit AS earlier, b.part AS earlier_part, b.is_added, sum(least(a.copies, b.copies)) AS logs,
       min(a."time") AS oldest, max(a."time") AS newest
     FROM temp.copies a JOIN temp.copies b
       ON a.fields = b.fields AND a.extra IS NOT DISTINCT FROM b.extra AND a.is_added
       AND CASE WHEN b.is_added THEN b.unit < a.unit ELSE true END
     GROUP BY ALL`,
  `CREATE OR REPLACE TEMP TABLE pairs AS
     WITH times AS (
       SELECT ${unit} AS unit, l.part, "time" FROM stored.logs l
       ASOF LEFT JOIN temp.reply_starts s ON l.part = s.part AND l.position >= s.start
       WHERE l.part IN (SELECT part FROM temp.equal_pairs UNION SELECT earlier_part FROM temp.equal_pairs)),
     own AS (SELECT p.unit, p.earlier, count(*) AS logs FROM temp.equal_pairs p JOIN times t
       ON t.unit = p.unit AND t."time" BETWEEN p.oldest AND p.newest GROUP BY ALL),
     others AS (SELECT p.unit, p.earlier, count(*) AS logs FROM temp.equal_pairs p JOIN times t
       ON t.unit = p.earlier AND t."time" BETWEEN p.oldest AND p.newest GROUP BY ALL)
     SELECT p.* FROM temp.equal_pairs p JOIN own USING (unit, earlier) JOIN others USING (unit, earlier)
     WHERE least(own.logs, others.logs) <= 2 * p.logs`,
  // As many copies as the case has, or as an earlier unit that is added with it.
  `CREATE OR REPLACE TEMP TABLE same_logs AS
     WITH available AS (
       SELECT a.unit, a.fields, a.extra,
         greatest(coalesce(sum(b.copies) FILTER (NOT b.is_added), 0), coalesce(max(b.copies) FILTER (b.is_added), 0)) AS copies
       FROM temp.copies a JOIN temp.pairs p ON a.unit = p.unit
         JOIN temp.copies b ON b.unit = p.earlier AND a.fields = b.fields AND a.extra IS NOT DISTINCT FROM b.extra
       GROUP BY ALL),
     numbered AS (
       SELECT h.unit, h.part, h.id, c.fields, c.extra, row_number() OVER (PARTITION BY h.unit, c.fields, c.extra ORDER BY h.id) AS copy
       FROM temp.hashed h JOIN temp.copies c ON h.unit = c.unit AND h.fields = c.fields
         AND (c.extra IS NULL OR h.extra IS NOT DISTINCT FROM c.extra))
     SELECT n.part, n.id FROM numbered n JOIN available a
       ON n.unit = a.unit AND n.fields = a.fields AND n.extra IS NOT DISTINCT FROM a.extra AND n.copy <= a.copies`,
];

const overlapRows = v.array(v.tuple([v.number(), v.number()]));
const pairRows = v.array(v.tuple([v.number(), v.number(), v.number()]));

async function readOverlaps(connection: DuckDBConnection): Promise<readonly Overlap[]> {
  const pairs = await connection.runAndReadAll(
    `SELECT part, earlier_part, sum(logs)::DOUBLE AS logs FROM temp.pairs GROUP BY ALL ORDER BY part, logs DESC, earlier_part`,
  );
  const earlier = new Map<number, { readonly part: number; readonly logs: number }[]>();
  for (const [part, other, logs] of v.parse(pairRows, pairs.getRowsJS()))
    earlier.set(part, [...(earlier.get(part) ?? []), { part: other, logs }]);
  const result = await connection.runAndReadAll(
    'SELECT part, count(*)::DOUBLE FROM temp.same_logs GROUP BY part ORDER BY part',
  );
  return v
    .parse(overlapRows, result.getRowsJS())
    .map(([part, logs]) => ({ part, logs, earlier: earlier.get(part) ?? [] }));
}
