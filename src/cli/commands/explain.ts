import { type Explanation, explain as explainQuery } from '../../assist/explain/explain.ts';
import { explainMatch, type MatchExplanation } from '../../assist/explain/explain-match.ts';
import { explainLines, explainMatchLines } from '../../assist/explain/lines.ts';
import type { Call, Run } from '../command-line/command.ts';
import { exitCodes } from '../exit-code.ts';
import { engineFrom } from '../input/engine-option.ts';
import { schemaFrom } from '../input/fields-option.ts';
import { logToExplain } from '../input/log-to-explain.ts';
import { soundQuery } from '../input/sound-query.ts';
import type { explainSpec } from '../specs/meaning.ts';
import { printable, toJson } from '../terminal/printable.ts';

/** Says what a query asks for, or why it selects a log or not. */
export const explain: Run<typeof explainSpec> = async ({ arguments: given, options, terminal }) => {
  const query = soundQuery(given.query, terminal);
  if (!query) return exitCodes.no;
  const fields = await schemaFrom(options.fields, terminal);
  const context = { now: Date.now(), ...engineFrom(options.engine), ...fields };
  const log = await logToExplain(options, terminal);
  if (log === undefined) {
    await print(explainQuery(query, context), explainLines, { options, terminal });
    return exitCodes.done;
  }
  const explanation = explainMatch(query, log, context);
  await print(explanation, explainMatchLines, { options, terminal });
  return explanation.matches ? exitCodes.done : exitCodes.no;
};

async function print<E extends Explanation | MatchExplanation>(
  explanation: E,
  linesOf: (explanation: E) => readonly string[],
  { options, terminal }: Pick<Call<typeof explainSpec>, 'options' | 'terminal'>,
): Promise<void> {
  const lines = linesOf(explanation).map((line) => printable(line));
  await terminal.print(options.json ? `${toJson(explanation, 2)}\n` : `${lines.join('\n')}\n`);
}
