import { shellWord } from '../output/shell-word.ts';

/** The command that watches the same upgrade, for messages. Credentials are not repeated. */
export function watchCommand({
  profile,
  url,
}: {
  readonly profile: string | undefined;
  readonly url: string | undefined;
}): string {
  const from = [
    ...(url === undefined ? [] : [`--url ${shellWord(url)}`]),
    ...(profile === undefined ? [] : [`--profile ${shellWord(profile)}`]),
  ];
  return `"${['logquarry upgrade watch', ...from].join(' ')}"`;
}
