import type { Rule } from '../rule.ts';
import { named } from '../views/wording.ts';

/**
 * A typographic apostrophe inside a word. `don’t` and `don't` are two words to
 * the server, and programs write the second one.
 */
export const typographicApostrophe: Rule = {
  code: 'typographic-apostrophe',
  heading: 'A typographic apostrophe is another character than a straight one',
  severity: 'hint',
  items: ['Word'],
  looksFor: 'odd',
  clause: ({ item }, { report }, { misread }) => {
    if (item.kind !== 'Word' || misread) return;
    const { term } = item;
    const straight = term.text.replace(/(?<=\p{L})[’‘ʼ](?=\p{L})/gu, "'");
    if (straight === term.text) return;
    report(
      term,
      `${named(term.text)} is another word than ${named(straight)}, which logs are more likely to have`,
      () => [{ title: `Change to ${straight}`, edits: [{ from: term.from, to: term.to, insert: straight }] }],
    );
  },
};
