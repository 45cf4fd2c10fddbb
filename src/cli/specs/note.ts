import { repeatedArgument, requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { countArgument } from '../command-line/count-argument.ts';
import { listOption, rowLimitOption, switchOption, textOption } from '../command-line/option.ts';
import { zoneOption } from '../command-line/zone-option.ts';
import { countFormatExclusions, countFormatOptions } from './formats.ts';
import { displayOptions } from './query-options.ts';

const caseArgument = requiredArgument('Case file, for instance incident.duckdb');
const author = textOption('NAME', 'Author (default: the user of this computer)');

/** Arguments and options of `logquarry note add`. */
export const noteAddSpec = {
  name: 'note add',
  summary: 'Write a note on logs of a case',
  details: [
    'The case keeps it with its author and time in the record of actions, a chain of hashes. Without a comment it is a bookmark, without ids it is about the whole case.',
  ],
  arguments: {
    case: caseArgument,
    word: repeatedArgument('Ids of the logs, as tables show them, and the comment last'),
  },
  options: { tag: listOption('TAG', 'Tag; may be repeated'), author, json: switchOption('Print JSON') },
  examples: [
    {
      run: `logquarry note add incident.duckdb 17 18 'first failures' --tag start`,
      about: 'a comment with a tag on two logs',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry note list`. */
export const noteListSpec = {
  name: 'note list',
  summary: 'List the notes of a case',
  details: ['Removed notes are left out; "logquarry sql" shows them in the view actions.'],
  arguments: { case: caseArgument },
  options: {
    tag: listOption('TAG', 'Only notes with one of these tags; may be repeated'),
    limit: rowLimitOption(50, 'notes'),
    ...countFormatOptions,
    zone: zoneOption,
    ...displayOptions,
  },
  excludes: countFormatExclusions,
  examples: [
    { run: 'logquarry note list incident.duckdb', about: 'what was noted' },
    { run: 'logquarry note list incident.duckdb --csv > notes.csv', about: 'for a spreadsheet' },
  ],
} as const satisfies CommandSpec;

const noteArgument = countArgument('NOTE', 'Number of the note');

/** Arguments and options of `logquarry note edit`. */
export const noteEditSpec = {
  name: 'note edit',
  summary: 'Change the comment or the tags of a note',
  details: ['The change is a new action; the record of actions keeps the earlier text.'],
  arguments: { case: caseArgument, note: noteArgument },
  options: {
    text: textOption('TEXT', 'New comment'),
    tag: listOption('TAG', 'New tags in place of all; may be repeated'),
    author,
    json: switchOption('Print JSON'),
  },
  examples: [
    { run: `logquarry note edit incident.duckdb 2 --text 'pool was dry'`, about: 'another comment' },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry note remove`. */
export const noteRemoveSpec = {
  name: 'note remove',
  summary: 'Remove a note from the list',
  details: ['The removal is a new action; the record of actions keeps the note.'],
  arguments: { case: caseArgument, note: noteArgument },
  options: { author, json: switchOption('Print JSON') },
  examples: [{ run: 'logquarry note remove incident.duckdb 2', about: 'a note that was wrong' }],
} as const satisfies CommandSpec;
