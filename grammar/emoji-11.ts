/**
 * The emoji properties of version 11.0 (`emoji-data.txt`, Unicode Technical
 * Standard 51), which the engine uses although its other properties are those of
 * Unicode 9.0. Code points in hexadecimal, alone or as first and last.
 */

/** Extended_Pictographic: every emoji but digits, `#`, `*`, skin tones and flag letters, and room for emoji to come. */
export const extendedPictographic = `
  a9 ae 203c 2049 2122 2139 2194-2199 21a9-21aa 231a-231b 2328 2388 23cf 23e9-23f3 23f8-23fa 24c2
  25aa-25ab 25b6 25c0 25fb-25fe 2600-2605 2607-2612 2614-2685 2690-2705 2708-2712 2714 2716 271d
  2721 2728 2733-2734 2744 2747 274c 274e 2753-2755 2757 2763-2767 2795-2797 27a1 27b0 27bf
  2934-2935 2b05-2b07 2b1b-2b1c 2b50 2b55 3030 303d 3297 3299 1f000-1f0ff 1f10d-1f10f 1f12f
  1f16c-1f171 1f17e-1f17f 1f18e 1f191-1f19a 1f1ad-1f1e5 1f201-1f20f 1f21a 1f22f 1f232-1f23a
  1f23c-1f23f 1f249-1f3fa 1f400-1f53d 1f546-1f64f 1f680-1f6ff 1f774-1f77f 1f7d5-1f7ff 1f80c-1f80f
  1f848-1f84f 1f85a-1f85f 1f888-1f88f 1f8ae-1f8ff 1f90c-1f93a 1f93c-1f945 1f947-1fffd`;

/** Emoji_Modifier_Base: people and hands, which take a skin tone. */
export const emojiModifierBase = `
  261d 26f9 270a-270d 1f385 1f3c2-1f3c4 1f3c7 1f3ca-1f3cc 1f442-1f443 1f446-1f450 1f466-1f469 1f46e
  1f470-1f478 1f47c 1f481-1f483 1f485-1f487 1f4aa 1f574-1f575 1f57a 1f590 1f595-1f596 1f645-1f647
  1f64b-1f64f 1f6a3 1f6b4-1f6b6 1f6c0 1f6cc 1f918-1f91c 1f91e-1f91f 1f926 1f930-1f939 1f93d-1f93e
  1f9b5-1f9b6 1f9b8-1f9b9 1f9d1-1f9dd`;

/** Emoji_Modifier: the skin tones. */
export const emojiModifier = '1f3fb-1f3ff';
