import { visible } from '../format/visible.ts';

/** Chooses one of several cases by its number; nothing if there is only one. */
export function CaseSelect({
  names,
  chosen,
  choose,
}: {
  readonly names: readonly string[];
  readonly chosen: number;
  readonly choose: (ofCase: number) => void;
}) {
  if (names.length < 2) return null;
  return (
    <select
      aria-label="Case"
      value={chosen}
      onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
    >
      {names.map((name, index) => (
        <option key={name} value={index}>
          {visible(name)}
        </option>
      ))}
    </select>
  );
}
