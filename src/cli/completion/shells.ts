import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import type { Offer } from './offers.ts';
import { zshScript } from './zsh.ts';

/** The script of each shell. */
export const scripts: { readonly [S in 'bash' | 'zsh' | 'fish']: (offers: readonly Offer[]) => string } = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};
