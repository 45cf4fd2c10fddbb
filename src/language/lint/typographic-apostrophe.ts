import type { LintRule } from './rule.ts';
import { quoteName } from './wording.ts';

/**
 * A typographic apostrophe inside a word. `don’t` and `don't` are two words to
 * the server, and programs write the second one.
 */
export const typographicApostrophe: LintRule = {
  code: 'typographic-apostrophe',
  heading: 'A typographic apostrophe is another character than a straight one',
  severity: 'hint',
  clause: ({ item }, { report }, { construct }) => {
    if (item.kind !== 'Word' || construct) return;
    const { term } = item;
    const straight = term.text.replace(/(?<=\p{L})[’‘ʼ](?=\p{L})/gu, "'");
    if (straight === term.text) return;
    report(
      term,
      `${quoteName(term.text)} is another word than ${quoteName(straight)}, which logs are more likely to have`,
      () => [{ title: `Change to ${straight}`, edits: [{ from: term.from, to: term.to, insert: straight }] }],
    );
  },
};
