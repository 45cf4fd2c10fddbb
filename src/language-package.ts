/**
 * The query language as a package of its own: text, trees, meaning, findings and translations. Runs in
 * a browser, and needs chevrotain alone.
 *
 * @module @logquarry/language
 */

export * from './language.ts';
export * from './meaning.ts';
