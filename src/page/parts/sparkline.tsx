interface SparklineProps {
  readonly counts: readonly number[];
  readonly label: string;
}

/** Counts over time as small bars. */
export function Sparkline({ counts, label }: SparklineProps) {
  const most = Math.max(1, ...counts);
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${counts.length} 10`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {counts.map((count, index) => {
        const size = count === 0 ? 0 : Math.max(0.7, (10 * count) / most);
        return <rect key={index} x={index} y={10 - size} width={0.8} height={size} />;
      })}
    </svg>
  );
}
