import type { Scored } from '../relevance/scored.ts';
import { toClickhouse } from './clickhouse.ts';
import { type ClickhouseParameter, parameterText, textLiteral } from './clickhouse-parameter.ts';
import { lambdaSettings, needsLambdaSettings } from './clickhouse-pattern.ts';
import { boostLosses, optionalLosses, type TranslationLoss } from './translation-loss.ts';

/** Statements that run in `clickhouse-client` as they are, and the parts of the query that they do not express. */
export interface ClickhouseStatement {
  /** One `SET` for each parameter and setting, and the SELECT. */
  readonly text: string;
  readonly sql: string;
  readonly parameters: readonly ClickhouseParameter[];
  /** With losses it still selects every log of the filter, and perhaps others. */
  readonly losses: readonly TranslationLoss[];
}

/**
 * A statement that selects logs from the view `searchable_logs` of a cluster. SQL has no analyzer, so the
 * statement searches the tokens stored there, which it does not return.
 *
 * ```ts
 * toClickhouseStatement({ filter: filterOf('msg:timeout'), boosts: new Map() }).text;
 * // "SET param_p1 = 'timeout';\nSELECT * EXCEPT '_tokens$' FROM searchable_logs WHERE has(`msg_tokens`, {p1:String});"
 * ```
 */
export function toClickhouseStatement(scored: Scored): ClickhouseStatement {
  const { sql: condition, parameters, losses } = toClickhouse(scored.filter);
  const sql = `SELECT * EXCEPT '_tokens$' FROM searchable_logs WHERE ${condition}`;
  const sets = [
    ...parameters.map((each) => `SET param_${each.name} = ${textLiteral(parameterText(each))};\n`),
    ...(needsLambdaSettings(condition)
      ? lambdaSettings.map(([name, value]) => `SET ${name} = ${value};\n`)
      : []),
  ];
  return {
    text: `${sets.join('')}${sql};`,
    ...{ sql, parameters },
    losses: [...boostLosses(scored), ...optionalLosses(scored.filter), ...losses],
  };
}
