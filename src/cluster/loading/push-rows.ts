import type { IdentifiedPart, PartDigests } from '../../case/index.ts';
import type { ClickhouseParameter } from '../../language/index.ts';
import { noTime } from '../../language/index.ts';
import { textFields } from '../../records/index.ts';
import type { Reservation } from './reserve-ids.ts';

/** Columns that an INSERT adds to the rows of a case. */
interface Added {
  /** UUID of the load. */
  readonly load: string;
  readonly shift: Reservation;
}

const caseColumns = [
  'id Int64, part Int32, entry String, position Int64, byte_offset Nullable(Int64), byte_length Nullable(Int32)',
  '`time` Nullable(Int64), `logCode` Nullable(Int64), elapsed Nullable(Float64), extra Nullable(String)',
  ...textFields.map((field) => `\`${field}\` Nullable(String), \`${field}_tokens\` Nullable(String)`),
].join(', ');

const logColumns = [
  'deployment, load, id, part, entry, position, byte_offset, byte_length, time, `logCode`, elapsed, extra',
  ...textFields.map((field) => `\`${field}\`, \`${field}_tokens\``),
].join(', ');

/** A case has the tokens of a text between single blanks, also at both ends. */
function tokensSql(field: string): string {
  const column = `\`${field}_tokens\``;
  return `if(isNull(${column}), [], splitByChar(' ', substring(assumeNotNull(${column}), 2, length(assumeNotNull(${column})) - 2)))`;
}

/** The INSERT of logs of a case, which follow as Parquet. `base` is the database as SQL. */
export function insertLogsSql(base: string, { load, shift }: Added): string {
  const values = [
    `{deployment:String}, '${load}', id + ${shift.firstId}, part + ${shift.firstPart}, entry, position, byte_offset, byte_length`,
    `ifNull(time, ${noTime}), \`logCode\`, elapsed, ifNull(extra, '')`,
    ...textFields.map((field) => `ifNull(\`${field}\`, ''), ${tokensSql(field)}`),
  ];
  return `INSERT INTO ${base}.log_rows (${logColumns}) SELECT ${values.join(', ')} FROM input('${caseColumns}') FORMAT Parquet`;
}

/** The INSERT of unreadable records of a case, which follow as Parquet. */
export function insertUnreadableSql(base: string, { load, shift }: Added): string {
  const columns =
    'part Int32, entry String, position Int64, byte_offset Nullable(Int64), byte_length Nullable(Int64), code String, reason String, raw Nullable(String)';
  return `INSERT INTO ${base}.unreadable_rows (deployment, load, part, entry, position, byte_offset, byte_length, code, reason, raw)
    SELECT {deployment:String}, '${load}', part + ${shift.firstPart}, entry, position, byte_offset, byte_length, code, reason, ifNull(raw, '')
    FROM input('${columns}') FORMAT Parquet`;
}

/** The row of `loads` that makes the rows of a load count, as the rest of an INSERT. */
export function loadRow(
  part: IdentifiedPart,
  {
    load,
    deployment,
    originals,
    part: number,
    digests,
    fileParts,
  }: {
    readonly load: string;
    readonly deployment: string;
    readonly originals: string;
    readonly part: number;
    readonly digests: PartDigests;
    /** Parts of the file in the case. */
    readonly fileParts: number;
  },
): { readonly sql: string; readonly parameters: readonly ClickhouseParameter[] } {
  const texts = {
    deployment,
    part_key: part.key,
    file: part.file,
    file_sha256: part.fileSha256 ?? '',
    entry: part.entry,
    entry_sha256: part.entrySha256 ?? '',
    format: part.format,
    remarks: JSON.stringify(part.remarks),
    problem: part.problem?.code ?? '',
    problem_message: part.problem?.message ?? '',
    job: part.job ?? '',
    zone: part.zone ?? '',
    originals,
  };
  const { entryNumber, bytes, logs, unreadable, added } = part;
  const numbers = { part: number, entry_number: entryNumber, bytes, logs, unreadable };
  const parameters = Object.entries(texts).map(
    ([name, value]): ClickhouseParameter => ({ name, type: 'String', value: value.toWellFormed() }),
  );
  const days = part.days.map(([day, count]) => `${day}, ${count}`).join(', ');
  const sums = [...digests.days].map(([day, digest]) => `${day}, ${digest}`).join(', ');
  const names = [
    'load',
    'added',
    'days',
    'digests',
    'unreadable_digest',
    'file_parts',
    ...Object.keys(numbers),
    ...Object.keys(texts),
  ];
  const values = [
    ...[
      `'${load}'`,
      `fromUnixTimestamp64Milli(${added})`,
      `CAST(map(${days}), 'Map(Int64, Int64)')`,
      `CAST(map(${sums}), 'Map(Int64, UInt64)')`,
      String(digests.unreadable),
      fileParts,
      ...Object.values(numbers),
    ],
    ...parameters.map(({ name }) => `{${name}:String}`),
  ];
  // A SELECT: the parser of VALUES has no parameters.
  return { sql: `(${names.join(', ')}) SELECT ${values.join(', ')}`, parameters };
}
