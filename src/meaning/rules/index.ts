import type { Rule } from '../rule.ts';
import { mixedOperators } from './mixed-operators.ts';
import { refusedSyntax } from './refused-syntax.ts';
import { undocumentedSyntax } from './undocumented-syntax.ts';
import { unknownField } from './unknown-field.ts';

/** All rules. */
export const rules: readonly Rule[] = [unknownField, mixedOperators, refusedSyntax, undocumentedSyntax];
