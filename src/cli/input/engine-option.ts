import { type Engine, type EngineName, engines } from '../../language/engine.ts';
import { choice } from '../command-line/option.ts';

/** The option that names the engine that runs a query. */
export const engineOption = choice(
  'NAME',
  'The engine that runs the query, where it is not that of the deployment (default)',
  ['deployment', 'elasticsearch', 'lucene'],
);

/** The profile of an engine, or nothing where none is named. */
export function engineFrom(name: EngineName | undefined): { readonly engine?: Engine } {
  return name === undefined ? {} : { engine: engines[name] };
}
