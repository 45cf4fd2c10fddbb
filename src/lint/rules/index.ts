import { dependsOnType } from './fields/depends-on-type.ts';
import { fieldWithoutColon } from './fields/field-without-colon.ts';
import { unknownField } from './fields/unknown-field.ts';
import { contradictingPart } from './operators/contradiction.ts';
import { looseNot } from './operators/loose-not.ts';
import { mixedOperators } from './operators/mixed-operators.ts';
import { notBesideWords } from './operators/not-among-words.ts';
import { onlyExcludes } from './operators/only-excludes.ts';
import { operatorLikeWord } from './operators/operator-like-word.ts';
import { optionalPart } from './operators/optional-part.ts';
import { repeatedPart } from './operators/repeated-part.ts';
import type { LintRule } from './rule.ts';
import { lostBackslash } from './syntax/lost-backslash.ts';
import { refusedPattern } from './syntax/refused-pattern.ts';
import { refusedSyntax } from './syntax/refused-syntax.ts';
import { slashPair } from './syntax/slash-pair.ts';
import { tooLongQuery } from './syntax/too-long.ts';
import { tooManyClauses } from './syntax/too-many-clauses.ts';
import { typographicApostrophe } from './syntax/typographic-apostrophe.ts';
import { undocumentedSyntax } from './syntax/undocumented-syntax.ts';
import { unmentionedSyntax } from './syntax/unmentioned-syntax.ts';
import { wrongQuotes } from './syntax/wrong-quotes.ts';
import { conflictingValues } from './values/conflicting-values.ts';
import { emptyRange } from './values/empty-range.ts';
import { halfRoundedDate } from './values/half-rounded-date.ts';
import { loneComparison } from './values/lone-comparison.ts';
import { rangeOnText } from './values/range-on-text.ts';
import { rangeWithoutBrackets } from './values/range-without-brackets.ts';
import { unknownFieldValue } from './values/unknown-value.ts';
import { valueType } from './values/value-type.ts';
import { emptyPart } from './words/empty-part.ts';
import { looseWords } from './words/loose-words.ts';
import { partOfDottedName } from './words/part-of-dotted-name.ts';
import { runAsOneValue } from './words/run-as-one-value.ts';
import { splitWord } from './words/split-word.ts';
import { valueInRun } from './words/value-in-run.ts';

/**
 * All rules, in the order of section 9 of the language specification: the most
 * harmful silent mistakes first. Findings at one offset come in this order too.
 */
export const lintRules: readonly LintRule[] = [
  mixedOperators,
  looseNot,
  notBesideWords,
  onlyExcludes,
  optionalPart,
  unknownField,
  slashPair,
  lostBackslash,
  wrongQuotes,
  typographicApostrophe,
  operatorLikeWord,
  fieldWithoutColon,
  splitWord,
  runAsOneValue,
  valueInRun,
  looseWords,
  emptyPart,
  rangeOnText,
  emptyRange,
  halfRoundedDate,
  rangeWithoutBrackets,
  loneComparison,
  valueType,
  unknownFieldValue,
  dependsOnType,
  contradictingPart,
  conflictingValues,
  repeatedPart,
  refusedSyntax,
  undocumentedSyntax,
  unmentionedSyntax,
  refusedPattern,
  tooManyClauses,
  tooLongQuery,
  partOfDottedName,
];
