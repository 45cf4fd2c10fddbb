import { anyOfWords } from './any-of-words.ts';
import { conflictingValues } from './conflicting-values.ts';
import { contradictingPart } from './contradiction.ts';
import { dependsOnType } from './depends-on-type.ts';
import { emptyPart } from './empty-part.ts';
import { emptyRange } from './empty-range.ts';
import { fieldWithoutColon } from './field-without-colon.ts';
import { halfRoundedDate } from './half-rounded-date.ts';
import { idleSlop } from './idle-slop.ts';
import { loneComparison } from './lone-comparison.ts';
import { looseNot } from './loose-not.ts';
import { looseWords } from './loose-words.ts';
import { lostBackslash } from './lost-backslash.ts';
import { mixedOperators } from './mixed-operators.ts';
import { notBesideWords } from './not-among-words.ts';
import { onlyExcludes } from './only-excludes.ts';
import { operatorLikeWord } from './operator-like-word.ts';
import { optionalPart } from './optional-part.ts';
import { partOfDottedName } from './part-of-dotted-name.ts';
import { rangeOnText } from './range-on-text.ts';
import { rangeWithoutBrackets } from './range-without-brackets.ts';
import { refusedPattern } from './refused-pattern.ts';
import { refusedSyntax } from './refused-syntax.ts';
import { repeatedPart } from './repeated-part.ts';
import type { LintRule } from './rule.ts';
import { runAsOneValue } from './run-as-one-value.ts';
import { slashPair } from './slash-pair.ts';
import { splitWord } from './split-word.ts';
import { tooLongQuery } from './too-long.ts';
import { tooManyClauses } from './too-many-clauses.ts';
import { typographicApostrophe } from './typographic-apostrophe.ts';
import { undocumentedSyntax } from './undocumented-syntax.ts';
import { unknownField } from './unknown-field.ts';
import { unknownFieldValue } from './unknown-value.ts';
import { unmatchablePattern } from './unmatchable-pattern.ts';
import { unmentionedSyntax } from './unmentioned-syntax.ts';
import { valueInRun } from './value-in-run.ts';
import { valueType } from './value-type.ts';
import { wildcardInQuotes } from './wildcard-in-quotes.ts';
import { wrongQuotes } from './wrong-quotes.ts';

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
  anyOfWords,
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
  unmatchablePattern,
  idleSlop,
  wildcardInQuotes,
  tooManyClauses,
  tooLongQuery,
  partOfDottedName,
];
