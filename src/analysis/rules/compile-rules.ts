import { compileCorrelation } from './compile-correlation.ts';
import { compileDetection } from './compile-detection.ts';
import { ownMapping, type RuleMapping } from './mapping.ts';
import { isMap, kindOf, mapMember, textMember, textsMember } from './members.ts';
import { readYaml, type YamlMap } from './read-yaml.ts';
import { RuleRefusal, refuseRule } from './refusal.ts';
import { type Rule, type RuleHead, type RuleSet, ruleLevels, type UnsupportedRule } from './rule.ts';

/** A file with rules. */
export interface RuleFile {
  /** Its name, for messages. */
  readonly name: string;
  readonly text: string;
}

/** Correlations of correlations nest at most this deep. */
const maxChain = 10;

/** A document that is a rule by its head. */
interface Draft {
  readonly head: RuleHead;
  readonly document: YamlMap;
}

/**
 * Compiles the Sigma rules of some files. A rule that cannot be evaluated is among `unsupported`
 * with its reason; none is left out in silence. Does not throw.
 *
 * ```ts
 * compileRules([{ name: 'a.yml', text: 'title: A\ndetection: {s: {logCode: 7569}, condition: s}' }]);
 * ```
 */
export function compileRules(files: readonly RuleFile[], mapping: RuleMapping = ownMapping): RuleSet {
  const unsupported: UnsupportedRule[] = [];
  const drafts = files.flatMap((file) => readDrafts(file, unsupported));
  const compiled = compileDrafts(drafts, mapping, unsupported);
  const correlated = new Set(drafts.flatMap(correlatedNames));
  const rules = compiled.filter(
    ({ name, id }) => ![name, id].some((each) => each !== undefined && correlated.has(each)),
  );
  return { rules, unsupported };
}

function readDrafts({ name: file, text }: RuleFile, unsupported: UnsupportedRule[]): readonly Draft[] {
  const drafts: Draft[] = [];
  try {
    for (const [index, document] of readYaml(text).entries()) {
      try {
        if (document instanceof RuleRefusal) throw document;
        if (!isMap(document)) throw new RuleRefusal(`A rule must be a map, got ${kindOf(document)}`);
        drafts.push({ head: readHead(document, { file, document: index + 1 }), document });
      } catch (error) {
        unsupported.push({ ...titleOf(document), file, document: index + 1, reason: reasonOf(error) });
      }
    }
  } catch (error) {
    unsupported.push({ file, reason: reasonOf(error) });
  }
  return drafts;
}

function titleOf(document: unknown): { readonly title?: string } {
  const title: unknown = document instanceof Map ? document.get('title') : undefined;
  return typeof title === 'string' ? { title } : {};
}

function readHead(document: YamlMap, place: Pick<RuleHead, 'file' | 'document'>): RuleHead {
  if (document.has('action')) refuseRule('"action" is of Sigma 1: collections of rules are not supported');
  if (document.has('filter')) refuseRule('The document is a Sigma filter, which is not supported');
  const [title, level] = [textMember(document, 'title'), textMember(document, 'level')];
  const [id, name] = [textMember(document, 'id'), textMember(document, 'name')];
  const description = textMember(document, 'description');
  const known = ruleLevels.find((each) => each === level?.toLowerCase());
  if (title === undefined || title.trim() === '') refuseRule('The rule has no title');
  if (level !== undefined && !known)
    refuseRule(`The level must be one of ${ruleLevels.join(', ')}, got "${level}"`);
  return {
    ...place,
    title: title ?? '',
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(known && { level: known }),
    ...(description !== undefined && { description }),
  };
}

/** Compiles rules in their order; those that a correlation names are compiled on its demand. */
function compileDrafts(
  drafts: readonly Draft[],
  mapping: RuleMapping,
  unsupported: UnsupportedRule[],
): readonly Rule[] {
  const results = new Map<Draft, Rule | RuleRefusal>();
  const open: Draft[] = [];
  const compileDraft = (draft: Draft): Rule => {
    const known = results.get(draft);
    if (known instanceof RuleRefusal) throw known;
    if (known) return known;
    if (open.includes(draft)) refuseRule(`The rule "${draft.head.title}" correlates itself`);
    if (maxChain < open.length) refuseRule(`Correlations nest more than ${maxChain} levels`);
    open.push(draft);
    try {
      const rule = compileOne(draft);
      results.set(draft, rule);
      return rule;
    } catch (error) {
      results.set(draft, error instanceof RuleRefusal ? error : new RuleRefusal(reasonOf(error)));
      throw error;
    } finally {
      open.pop();
    }
  };
  const compileOne = ({ head, document }: Draft): Rule => {
    const correlation = mapMember(document, 'correlation');
    return correlation
      ? compileCorrelation(head, correlation, { find, mapping })
      : compileDetection(document, head, mapping);
  };
  const find = (reference: string): Rule => {
    const named = drafts.filter(({ head }) => head.name === reference || head.id === reference);
    const [first] = named;
    if (!first) return refuseRule(`The rule "${reference}" that it correlates is in none of the files`);
    if (1 < named.length)
      refuseRule(`The rule "${reference}" that it correlates is there ${named.length} times`);
    try {
      return compileDraft(first);
    } catch (error) {
      return refuseRule(`The rule "${reference}" that it correlates cannot be evaluated: ${reasonOf(error)}`);
    }
  };
  return drafts.flatMap((draft) => {
    try {
      return [compileDraft(draft)];
    } catch (error) {
      unsupported.push({ ...draft.head, reason: reasonOf(error) });
      return [];
    }
  });
}

/** Names of the rules that a correlation uses, which have no results of their own unless it generates them. */
function correlatedNames({ document }: Draft): readonly string[] {
  try {
    const correlation = mapMember(document, 'correlation');
    if (!correlation || correlation.get('generate') === true || document.get('generate') === true) return [];
    return textsMember(correlation, 'rules');
  } catch {
    return [];
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof RuleRefusal) return error.message;
  // A bug must not pass for a property of the rule.
  throw error;
}
