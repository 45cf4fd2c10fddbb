import type { LockedPackage } from './lockfile.ts';

/** Licences, as SPDX identifiers, under which users may get a dependency with an MIT-licensed program. */
const ofShipped: readonly string[] = [
  ...[
    '0BSD',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'ISC',
    'MIT',
    'Unlicense',
    'Zlib',
  ],
];

/** Licences of tools and data of development. Nothing of these is passed on. */
const ofDevelopment: readonly string[] = [...ofShipped, 'CC-BY-4.0', 'CC0-1.0', 'MPL-2.0', 'Python-2.0'];

/** Sentences on packages whose licence is unknown or not allowed. */
export function licenceProblems(packages: readonly LockedPackage[]): readonly string[] {
  return packages
    .filter(({ licence, isShipped }) => !isAllowed(licence, isShipped ? ofShipped : ofDevelopment))
    .map(({ id, licence, isShipped }) => {
      const use = isShipped ? 'a dependency that is shipped' : 'a tool of development';
      return `"${id}" has the licence "${licence}", which is not allowed for ${use}`;
    });
}

/** True if an SPDX expression of `AND`, `OR` and parentheses can be met by allowed licences alone. */
export function isAllowed(expression: string, allowed: readonly string[]): boolean {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? [];
  const isOneOf = (): boolean => {
    let result = isAllOf();
    while (tokens[0] === 'OR') {
      tokens.shift();
      // Both sides are read, so that the rest of the expression is checked.
      result = isAllOf() || result;
    }
    return result;
  };
  const isAllOf = (): boolean => {
    let result = isTerm();
    while (tokens[0] === 'AND') {
      tokens.shift();
      result = isTerm() && result;
    }
    return result;
  };
  const isTerm = (): boolean => {
    const token = tokens.shift();
    if (token !== '(') return token !== undefined && allowed.includes(token);
    const result = isOneOf();
    return tokens.shift() === ')' && result;
  };
  const result = isOneOf();
  return result && tokens.length === 0;
}

/** The page that lists the licences of all dependencies: each shipped one, and those of development by licence. */
export function licencesPage(packages: readonly LockedPackage[]): string {
  const shipped = packages.filter(({ isShipped }) => isShipped);
  const rows = unique(shipped).map(({ id, licence }) => `| ${nameOf(id)} | ${versionOf(id)} | ${licence} |`);
  const others = unique(packages.filter(({ isShipped }) => !isShipped));
  const licences = [...new Set(others.map(({ licence }) => licence))].sort(compare);
  const groups = licences.map((each) => {
    const ids = others.filter(({ licence }) => licence === each).map(({ id }) => id);
    return `**${each}**: ${ids.join(', ')}`;
  });
  return `${introduction}
## Shipped

| package | version | licence |
| --- | --- | --- |
${rows.join('\n')}

## Tools of development

${groups.join('\n\n')}
`;
}

const introduction = `# Licences of the dependencies

This is a reference, written by \`npm run docs\` from \`package-lock.json\`; \`npm run check\` refuses licences that are not on its list.
Files of other systems are listed too. The texts of the licences of what is bundled are in \`dist/bin/licences.txt\` of the package.
`;

function unique(packages: readonly LockedPackage[]): readonly LockedPackage[] {
  const byId = new Map(packages.map((each) => [each.id, each]));
  return [...byId.values()].sort((a, b) => compare(a.id, b.id));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function nameOf(id: string): string {
  return id.slice(0, id.lastIndexOf('@'));
}

function versionOf(id: string): string {
  return id.slice(id.lastIndexOf('@') + 1);
}
