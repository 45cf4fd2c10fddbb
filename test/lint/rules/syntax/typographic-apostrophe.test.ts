import { test } from 'vitest';
import { checkFindings, checkNone } from '../check-findings.ts';

test.each([
  [
    'between letters',
    `
don’t
^^^^^ "don’t" is another word than "don't", which logs are more likely to have
  Change to don't: don't`,
  ],
  [
    'on a field',
    `
username:O’Neil
         ^^^^^^ "O’Neil" is another word than "O'Neil", which logs are more likely to have
  Change to O'Neil: username:O'Neil`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('typographic-apostrophe', drawing);
});

test.each(["don't", '"don’t"', '‘a b’', 'a’'])('%s is in order', (text) => {
  checkNone('typographic-apostrophe', text);
});
