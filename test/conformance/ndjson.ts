import { readFileSync } from 'node:fs';
import * as v from 'valibot';

/** The lines of one of the files of measured answers, each checked against a schema. */
export function readAnswers<S extends v.GenericSchema>(name: string, schema: S): v.InferOutput<S>[] {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => v.parse(schema, JSON.parse(line)));
}
