import { readFile, writeFile } from 'node:fs/promises';

/** Records with hostile text, without a time, far in the future, with a large code; and one that is no record. */
const oddRecords = [
  '{"time":1,"msg":"a \\u001b[31m red\\u202e one","code":9003,"elapsed":0.25,"source":"Sharing"}',
  '{"msg":"without a time","logLevel":"SEVERE"}',
  '{"time":253402300799999,"msg":"far","code":"9223372036854775807"}',
  'nonsense',
];

/** Writes the log file that the questions are about. */
export async function writeQuestionedLogs(path: string): Promise<void> {
  const sample = await readFile('samples/incident.ndjson', 'utf8');
  await writeFile(path, `${sample.trimEnd()}\n${oddRecords.join('\n')}\n`);
}

/** Command lines that every kind of source answers alike. `SOURCE` stands for the source. */
export const questions: readonly (readonly [string, ...string[]])[] = [
  ['search', '*:*', 'SOURCE', '--json', '--limit', '30'],
  ['search', '*:*', 'SOURCE', '--oldest', '--csv', '--all'],
  ['search', 'msg:"timed out" OR logCode:[9000 TO 9999]', 'SOURCE'],
  ['search', 'logLevel:SEVERE', 'SOURCE', '--count'],
  ['search', 'logCode:9223372036854775807', 'SOURCE', '--ndjson'],
  ['search', 'msg:/t.*d&~(.*z.*)/', 'SOURCE', '--count'],
  ['search', 'msg:tine~2', 'SOURCE', '--engine', 'elasticsearch', '--ndjson'],
  ['search', '*:*', 'SOURCE', '--columns', 'time,msg', '--limit', '50'],
  ['search', '*:*', 'SOURCE', '--last', '1h'],
  ['search', 'timed out OR SEVERE', 'SOURCE', '--best', '--json', '--limit', '20'],
  ['search', 'requset~2 OR "without a"', 'SOURCE', '--best', '--ndjson'],
  ['search', 'logLevel:SEVERE', 'SOURCE', '--context', '2', '--json'],
  ['search', 'logLevel:SEVERE', 'SOURCE', '--context', '3', '--oldest', '--limit', '5'],
  ['search', 'msg:without OR msg:far OR msg:red', 'SOURCE', '--context', '2'],
  ['search', 'source:Sharng', 'SOURCE'],
  ['histogram', 'SOURCE', '--by', 'logLevel', '--every', '5000d'],
  ['histogram', 'SOURCE', '--json', '--search', 'msg:request'],
  ['top', 'source', 'SOURCE', '--json'],
  ['top', 'logCode', 'SOURCE', '--search', 'logLevel:SEVERE'],
  ['top', 'elapsed', 'SOURCE', '--limit', '3'],
  ['patterns', 'SOURCE', '--json'],
  ['patterns', 'SOURCE', '--search', 'logLevel:SEVERE'],
  ['services', 'SOURCE', '--json'],
  ['sessions', 'SOURCE', '--json'],
  ['gaps', 'SOURCE', '--json'],
  ['detect', 'SOURCE', '--json'],
  ['diff', 'logLevel:SEVERE', 'logLevel:INFO', 'SOURCE', '--json'],
  ['investigate', 'SOURCE', '--json'],
  ['investigate', 'SOURCE', '--search', 'logLevel:SEVERE'],
  ['overview', 'SOURCE', '--json'],
  ['trace', '--slowest', 'SOURCE'],
  ['trace', 'faec5611', 'SOURCE', '--csv'],
];
