import { expect, test } from 'vitest';
import { characterClassModule } from '../../grammar/character-classes.ts';

test('the table of character classes is the one that the Unicode data makes', async () => {
  await expect(characterClassModule()).toMatchFileSnapshot('../../src/language/meaning/class-runs.ts');
});
