/**
 * The text of queries and their trees. Runs in a browser.
 *
 * @module logquarry/language
 */
export { withoutEscapes } from './escape.ts';
export { applyFix, type Edit, type Finding, type Fix, mostFindings, type Severity } from './finding.ts';
export { type FormatOptions, format } from './format.ts';
export { lex } from './lex.ts';
export { type Parsed, parse } from './parse.ts';
export { print } from './print.ts';
export { quote } from './quote.ts';
export { type CheckedText, type SarifLog, type SarifOptions, toSarif } from './sarif.ts';
export { type SyntaxCode, syntaxCodes } from './syntax.ts';
export { maxDepth, type Token, type TokenKind } from './token.ts';
export type * from './tree.ts';
export { type Child, children, tokensOf, type Visitor, walk } from './walk.ts';
