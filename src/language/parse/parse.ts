import { createToken, EmbeddedActionsParser, type IToken, Lexer, type TokenType } from 'chevrotain';
import type { Finding } from './finding.ts';
import { lex } from './lex.ts';
import { type SyntaxCode, syntaxFindings } from './syntax.ts';
import {
  type Bound,
  type Clause,
  type FieldName,
  type Group,
  type Item,
  type Part,
  type Query,
  type Range,
  type Span,
  type Stray,
  type Token,
  type TokenKind,
  tokenKinds,
} from './tree.ts';

/** The result of parsing a text. */
export interface Parsed {
  readonly query: Query;
  /** The reasons why the engine refuses the text, in its order; empty for an accepted text. */
  readonly findings: readonly Finding<SyntaxCode>[];
}

// The parser holds no state between texts; its construction is expensive.
let parser: QueryParser | undefined;

/**
 * Parses any text as a query. Never throws; the tree prints back to the text.
 *
 * ```ts
 * const { query, findings } = parse('logLevel:SEVERE AND (msg:timeout');
 * findings[0]?.code; // 'unclosed-group'
 * print(query); // 'logLevel:SEVERE AND (msg:timeout'
 * ```
 */
export function parse(text: string): Parsed {
  parser ??= new QueryParser({ skipValidations: true });
  const query = parser.read(lex(text));
  return { query, findings: syntaxFindings(query) };
}

type TokenTypes = { readonly [K in TokenKind]: TokenType };

// The list has every kind, as its type says; `fromEntries` cannot express it.
const types = Object.fromEntries(
  tokenKinds.map((name) => [name, createToken({ name, pattern: Lexer.NA })]),
) as TokenTypes;

type Alternatives<T> = { ALT: () => T }[];

/** Stands for a group that is read already. */
const groupRead = createToken({ name: 'groupRead', pattern: Lexer.NA });

/**
 * The grammar of section 1.3 of the language specification, made total: every token sequence of
 * the lexer has a tree. A part that the engine requires is optional here, or a rule of
 * `innerRules` reads its place. `optionalRules` names the parts that are optional for the engine
 * too. The published grammar is derived from these two.
 *
 * A parser by hand would be faster. With Chevrotain the grammar can be checked for ambiguities and
 * describes itself, so the published grammar cannot differ from it.
 */
export class QueryParser extends EmbeddedActionsParser {
  /** `skipValidations` omits the check for ambiguities, which is most of the construction. */
  constructor({ skipValidations }: { readonly skipValidations: boolean }) {
    super([...Object.values(types), groupRead], { maxLookahead: 1, skipValidations });
    this.performSelfAnalysis();
  }

  /**
   * Returns the tree of a text's tokens, which must end in `End`. Reads each group separately,
   * inner ones first, so the stack does not grow with the depth.
   */
  read(tokens: readonly Token[]): Query {
    const around: Unread[] = [];
    let level = nothingYet();
    const readGroup = () => {
      const group = this.readAs(this.group, level);
      level = around.pop() ?? nothingYet();
      add(level, group);
    };
    let last: Token | undefined;
    for (const token of tokens) {
      if (last?.kind === 'Close' && token.kind !== 'Boost') readGroup();
      if (token.kind === 'Open') {
        around.push(level);
        level = nothingYet();
      }
      if (token.kind === 'End') while (0 < around.length) readGroup();
      add(level, token);
      if (last?.kind === 'Close' && token.kind === 'Boost') readGroup();
      last = token;
    }
    return this.readAs(this.query, level);
  }

  /** The input of a rule, and the number of pieces consumed. */
  private pieces: readonly Piece[] = [];
  private taken = 0;

  /** Applies a rule to pieces, all of which it must read. */
  private readAs<T extends {}>(rule: () => T, { pieces, standIns }: Unread): T {
    this.pieces = pieces;
    this.taken = 0;
    this.input = standIns;
    const tree: T | undefined = rule.call(this);
    // Errors are read last: the getter copies the list.
    if (!tree || this.taken < pieces.length)
      throw new Error(`The grammar is not total: ${this.errors[0]?.message}`);
    return tree;
  }

  readonly query = this.RULE('query', (): Query => {
    const parts = this.SUBRULE(this.level);
    const end = this.take(1, types.End);
    return this.RECORDING_PHASE ? placeholders.query : queryNode(parts, end);
  });

  // Alternatives are made once: allocating them for each part of a text takes longer than choosing one.
  private readonly firstParts: Alternatives<Part> = [
    { ALT: () => this.SUBRULE1(this.clause) },
    { ALT: () => this.SUBRULE(this.misplaced) },
    { ALT: () => this.SUBRULE1(this.stray) },
  ];
  private readonly firstIfAny = () => this.OR1(this.firstParts);
  private readonly otherParts: Alternatives<Part> = [
    { ALT: () => this.SUBRULE(this.conjoined) },
    { ALT: () => this.SUBRULE2(this.clause) },
    { ALT: () => this.SUBRULE2(this.stray) },
  ];

  /** The whole query, or the content of a group. */
  private readonly level = this.RULE('level', (): readonly Part[] => {
    const parts: Part[] = [];
    const first = this.OPTION(this.firstIfAny);
    if (first) parts.push(first);
    this.MANY(() => parts.push(this.OR2(this.otherParts)));
    // A grown list has spare capacity; its copy has none.
    return parts.slice();
  });

  /** A conjunction at the start of a level, where it joins nothing. */
  private readonly misplaced = this.RULE('misplaced', (): Clause => this.SUBRULE(this.conjoined));

  private readonly conjunctions = [
    { ALT: () => this.take(1, types.And) },
    { ALT: () => this.take(1, types.Or) },
  ];
  private readonly clauseIfAny = () => this.SUBRULE(this.clause);

  private readonly conjoined = this.RULE('conjoined', (): Clause => {
    const conjunction = this.OR(this.conjunctions);
    const clause = this.OPTION(this.clauseIfAny);
    return this.RECORDING_PHASE ? placeholders.clause : clauseWithConjunction(conjunction, clause);
  });

  private readonly modifiers = [
    { ALT: () => this.take(1, types.Not) },
    { ALT: () => this.take(1, types.Plus) },
    { ALT: () => this.take(1, types.Minus) },
  ];
  private readonly fieldedIfAny = () => this.SUBRULE1(this.fielded);
  private readonly clauses: Alternatives<Clause> = [
    {
      ALT: () => {
        const modifier = this.OR2(this.modifiers);
        const clause = this.OPTION(this.fieldedIfAny);
        return this.RECORDING_PHASE ? placeholders.clause : clauseWithModifier(modifier, clause);
      },
    },
    { ALT: () => this.SUBRULE2(this.fielded) },
  ];

  private readonly clause = this.RULE('clause', (): Clause => this.OR1(this.clauses));

  private readonly itemIfAny = () => this.SUBRULE1(this.item);
  private readonly fieldeds: Alternatives<Clause> = [
    {
      ALT: () => {
        const name = this.take(1, types.Field);
        const colon = this.take(1, types.Colon);
        const item = this.OPTION(this.itemIfAny);
        return this.RECORDING_PHASE ? placeholders.clause : clauseWithField(fieldNameNode(name, colon), item);
      },
    },
    {
      ALT: () => {
        const item = this.SUBRULE2(this.item);
        return this.RECORDING_PHASE ? placeholders.clause : clauseNode(item);
      },
    },
  ];

  private readonly fielded = this.RULE('fielded', (): Clause => this.OR1(this.fieldeds));

  private readonly items: Alternatives<Item> = [
    { ALT: () => this.SUBRULE(this.word) },
    { ALT: () => this.SUBRULE(this.wildcard) },
    { ALT: () => this.SUBRULE(this.regexp) },
    { ALT: () => this.SUBRULE(this.phrase) },
    { ALT: () => this.SUBRULE(this.range) },
    { ALT: () => this.SUBRULE(this.group) },
    { ALT: () => this.SUBRULE(this.readAlready) },
  ];

  private readonly item = this.RULE('item', (): Item => this.OR(this.items));

  /** A nested group that is read already. */
  private readonly readAlready = this.RULE('readAlready', (): Item => {
    this.CONSUME(groupRead);
    return this.next() as Group;
  });

  private readonly suffixesIfAny = () => this.SUBRULE(this.suffixes);
  private readonly terms = [{ ALT: () => this.take(1, types.Term) }, { ALT: () => this.take(1, types.Bare) }];

  private readonly word = this.RULE('word', (): Item => {
    const term = this.OR(this.terms);
    const suffixes = this.OPTION(this.suffixesIfAny);
    return this.RECORDING_PHASE ? placeholders.item : termNode('Word', term, suffixes);
  });

  private readonly patterns = [
    { ALT: () => this.take(1, types.Star) },
    { ALT: () => this.take(1, types.Prefix) },
    { ALT: () => this.take(1, types.Wildcard) },
  ];

  private readonly wildcard = this.RULE('wildcard', (): Item => {
    const term = this.OR(this.patterns);
    const suffixes = this.OPTION(this.suffixesIfAny);
    return this.RECORDING_PHASE ? placeholders.item : termNode('Wildcard', term, suffixes);
  });

  private readonly regexp = this.RULE('regexp', (): Item => {
    const term = this.take(1, types.Regexp);
    const suffixes = this.OPTION(this.suffixesIfAny);
    return this.RECORDING_PHASE ? placeholders.item : termNode('Regexp', term, suffixes);
  });

  private readonly quoteds = [
    { ALT: () => this.take(1, types.Quoted) },
    { ALT: () => this.SUBRULE(this.unclosed) },
  ];

  private readonly phrase = this.RULE('phrase', (): Item => {
    const term = this.OR(this.quoteds);
    const suffixes = this.OPTION(this.suffixesIfAny);
    return this.RECORDING_PHASE ? placeholders.item : termNode('Phrase', term, suffixes);
  });

  private readonly unclosed = this.RULE('unclosed', (): Token => this.take(1, types.UnclosedQuoted));

  /** Fuzziness and boost in either order, each once. */
  private readonly suffixes = this.RULE('suffixes', (): Token[] => {
    const suffixes: Token[] = [];
    this.OR([
      {
        ALT: () => {
          suffixes.push(this.take(1, types.Tilde));
          this.OPTION1(() => suffixes.push(this.take(1, types.Boost)));
        },
      },
      {
        ALT: () => {
          suffixes.push(this.take(2, types.Boost));
          this.OPTION2(() => suffixes.push(this.take(2, types.Tilde)));
        },
      },
    ]);
    return suffixes;
  });

  private readonly lowerIfAny = () => this.SUBRULE1(this.bound);
  private readonly separatorIfAny = () => this.take(1, types.RangeTo);
  private readonly upperIfAny = () => this.SUBRULE2(this.bound);
  private readonly rangeCloseIfAny = () => this.take(1, types.RangeClose);
  private readonly boostIfAny = () => this.take(1, types.Boost);

  private readonly range = this.RULE('range', (): Item => {
    const open = this.take(1, types.RangeOpen);
    const lower = this.OPTION1(this.lowerIfAny);
    const separator = this.OPTION2(this.separatorIfAny);
    const upper = this.OPTION3(this.upperIfAny);
    const strays = this.SUBRULE(this.strayBounds);
    const close = this.OPTION4(this.rangeCloseIfAny);
    const boost = this.OPTION5(this.boostIfAny);
    return this.RECORDING_PHASE
      ? placeholders.item
      : rangeNode({ open, lower, separator, upper, strays, close, boost });
  });

  private readonly bounds = [
    { ALT: () => this.take(1, types.RangeBound) },
    { ALT: () => this.take(1, types.RangeQuoted) },
    { ALT: () => this.take(1, types.RangeTo) },
  ];

  private readonly bound = this.RULE('bound', (): Bound => {
    const term = this.OR(this.bounds);
    return this.RECORDING_PHASE ? placeholders.bound : boundNode(term);
  });

  private readonly strayBounds = this.RULE('strayBounds', (): Token[] => {
    const strays: Token[] = [];
    this.MANY(() => {
      const bound = this.SUBRULE(this.bound);
      this.ACTION(() => strays.push(bound.term));
    });
    return strays;
  });

  private readonly closeIfAny = () => this.take(1, types.Close);

  private readonly group = this.RULE('group', (): Group => {
    const open = this.take(1, types.Open);
    const parts = this.SUBRULE(this.level);
    const close = this.OPTION1(this.closeIfAny);
    const boost = this.OPTION2(this.boostIfAny);
    return this.RECORDING_PHASE ? placeholders.group : groupNode({ open, parts, close, boost });
  });

  private readonly strays = [
    { ALT: () => this.take(1, types.Colon) },
    { ALT: () => this.take(1, types.Tilde) },
    { ALT: () => this.take(1, types.Boost) },
    { ALT: () => this.take(1, types.Junk) },
    { ALT: () => this.take(1, types.TooDeep) },
  ];

  private readonly stray = this.RULE('stray', (): Part => {
    const token = this.OR(this.strays);
    return this.RECORDING_PHASE ? placeholders.stray : strayNode(token);
  });

  /** Consumes a token of a kind; the index distinguishes the occurrences in one rule. */
  private take(index: number, type: TokenType): Token {
    this.consume(index, type);
    // The consumed stand-in belongs to a token.
    return this.next() as Token;
  }

  private next(): Piece {
    const piece = this.pieces[this.taken];
    this.taken += 1;
    // While the grammar is recorded there are no pieces.
    return piece ?? placeholders.token;
  }
}

/** The rules for input that the engine refuses, and for the stand-in of a group. */
export const innerRules: ReadonlySet<string> = new Set([
  'misplaced',
  'unclosed',
  'strayBounds',
  'stray',
  'readAlready',
]);

/** The parts that are optional for the engine. Every other part that is optional here is required there. */
export const optionalRules: ReadonlySet<string> = new Set(['suffixes', 'Tilde', 'Boost']);

/** A token, or a group that is read already. */
type Piece = Token | Group;

/** The pieces that a rule reads, and their stand-ins for the parser. */
interface Unread {
  readonly pieces: Piece[];
  readonly standIns: IToken[];
}

function nothingYet(): Unread {
  return { pieces: [], standIns: [] };
}

function add({ pieces, standIns }: Unread, piece: Piece): void {
  pieces.push(piece);
  standIns.push(standInOf[piece.kind]);
}

/**
 * The stand-in of each kind of piece. The parser looks at its type only; the piece itself is found
 * by its index.
 */
const standInOf: { readonly [K in Piece['kind']]: IToken } = {
  ...(Object.fromEntries(tokenKinds.map((kind) => [kind, standIn(types[kind])])) as {
    readonly [K in TokenKind]: IToken;
  }),
  Group: standIn(groupRead),
};

function standIn(tokenType: TokenType): IToken {
  return { image: '', startOffset: 0, tokenType, tokenTypeIdx: tokenType.tokenTypeIdx ?? 0 };
}

function queryNode(parts: readonly Part[], end: Token): Query {
  return { kind: 'Query', from: 0, to: end.to, parts, end };
}

/** A clause of an item alone. */
function clauseNode(item: Item): Clause {
  const { from, to } = item;
  return { kind: 'Clause', from, to, conjunction: undefined, modifier: undefined, field: undefined, item };
}

/** A clause with a field and the item that follows, if any. */
function clauseWithField(field: FieldName, item = missing(field.to)): Clause {
  const { from } = field;
  return { kind: 'Clause', from, to: item.to, conjunction: undefined, modifier: undefined, field, item };
}

/** A clause with a modifier before the rest, if any. */
function clauseWithModifier(modifier: Token, { field, item } = clauseNode(missing(modifier.to))): Clause {
  const { from } = modifier;
  return { kind: 'Clause', from, to: item.to, conjunction: undefined, modifier, field, item };
}

/** A clause with a conjunction before the rest, if any. */
function clauseWithConjunction(
  conjunction: Token,
  { modifier, field, item } = clauseNode(missing(conjunction.to)),
): Clause {
  const { from } = conjunction;
  return { kind: 'Clause', from, to: item.to, conjunction, modifier, field, item };
}

function strayNode(token: Token): Stray {
  return { kind: 'Stray', from: token.from, to: token.to, token };
}

function fieldNameNode(name: Token, colon: Token): FieldName {
  return { kind: 'FieldName', from: name.from, to: colon.to, name, colon };
}

const noSuffixes: readonly Token[] = [];

/** An item of one token and its suffixes. */
function termNode<K extends 'Word' | 'Wildcard' | 'Regexp' | 'Phrase'>(
  kind: K,
  term: Token,
  suffixes = noSuffixes,
): { kind: K; term: Token; suffixes: readonly Token[] } & Span {
  return { kind, from: term.from, to: (suffixes.at(-1) ?? term).to, term, suffixes };
}

function rangeNode(pieces: Omit<Range, 'kind' | 'from' | 'to'>): Range {
  const { open, lower, separator, upper, strays, close, boost } = pieces;
  const last = boost ?? close ?? strays.at(-1) ?? upper ?? separator ?? lower ?? open;
  return { kind: 'Range', from: open.from, to: last.to, open, lower, separator, upper, strays, close, boost };
}

function boundNode(term: Token): Bound {
  return { kind: 'Bound', from: term.from, to: term.to, term };
}

function groupNode({ open, parts, close, boost }: Omit<Group, 'kind' | 'from' | 'to'>): Group {
  const last = boost ?? close ?? parts.at(-1) ?? open;
  return { kind: 'Group', from: open.from, to: last.to, open, parts, close, boost };
}

function missing(at: number): Item {
  return { kind: 'Missing', from: at, to: at };
}

const noToken: Token = { kind: 'End', before: '', from: 0, to: 0, text: '' };
const noItem = termNode('Word', noToken);

/**
 * Nodes that the rules return while Chevrotain records the grammar, when there is no text to read.
 * Constants are cheaper than `ACTION`, which allocates a function for each node.
 */
const placeholders = {
  token: noToken,
  item: noItem,
  query: queryNode([], noToken),
  stray: strayNode(noToken),
  clause: clauseNode(noItem),
  bound: boundNode(noToken),
  group: groupNode({ open: noToken, parts: [], close: undefined, boost: undefined }),
} as const;
