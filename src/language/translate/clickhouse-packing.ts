import { type ClickhouseParameter, toParameter } from './clickhouse-parameter.ts';

/** A condition with its parameters. */
export interface ParameterisedSql {
  readonly sql: string;
  readonly parameters: readonly ClickhouseParameter[];
}

/** Parameters that are sent as they are: a server takes 1,000 fields in a request, settings too. */
const mostParameters = 500;

/**
 * Packs parameters into fewer arrays of texts, if they are more than a server takes. The condition reads each value
 * from its array, which is a constant to the server.
 */
export function packParameters({ sql, parameters }: ParameterisedSql): ParameterisedSql {
  if (parameters.length <= mostParameters) return { sql, parameters };
  const texts = parameters.reduce((sum, each) => sum + textsOf(each).length, 0);
  // Of two neighbours one is more than half full.
  const arrays = splitByTexts(parameters, textsOf, Math.ceil((2 * texts) / mostParameters));
  const places = new Map(arrays.flatMap((each, index) => placesIn(each, `{a${index}:Array(String)}`)));
  return {
    // The SQL has no text of the query: every brace belongs to a parameter.
    sql: sql.replaceAll(/\{(\w+):[^}]+\}/g, (all, name: string) => places.get(name) ?? all),
    parameters: arrays.map((each, index) => toParameter(`a${index}`, 'Array(String)', each.flatMap(textsOf))),
  };
}

/** UTF-16 units of the texts of one parameter: a server takes 128 KB of UTF-8 for each. */
const mostUnits = 30_000;

/** Splits items, so that the texts of each part fit one parameter. */
export function splitByTexts<Item>(
  items: readonly Item[],
  texts: (item: Item) => readonly string[],
  mostTexts = Number.POSITIVE_INFINITY,
): readonly (readonly Item[])[] {
  const parts: Item[][] = [];
  let [count, units] = [0, 0];
  for (const item of items) {
    const added = texts(item);
    const length = added.reduce((sum, each) => sum + each.length + 1, 0);
    if (parts.length === 0 || mostTexts < count + added.length || mostUnits < units + length) {
      parts.push([]);
      [count, units] = [0, 0];
    }
    parts.at(-1)?.push(item);
    count += added.length;
    units += length;
  }
  return parts;
}

function textsOf({ value }: ClickhouseParameter): readonly string[] {
  return typeof value === 'string' ? [value] : value;
}

/** SQL of each of the parameters in an array with the texts of all. */
function placesIn(parameters: readonly ClickhouseParameter[], array: string): readonly [string, string][] {
  let next = 1;
  return parameters.map((each) => {
    const [at, { length }] = [next, textsOf(each)];
    next += length;
    return [
      each.name,
      each.type === 'Array(String)'
        ? `arraySlice(${array}, ${at}, ${length})`
        : cast[each.type](`${array}[${at}]`),
    ];
  });
}

/** SQL of a value of a type from its text. */
const cast = {
  String: (text: string) => text,
  Int64: (text: string) => `toInt64(${text})`,
  Float64: (text: string) => `toFloat64(${text})`,
};
