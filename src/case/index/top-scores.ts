/** Scores of logs, of which only the greatest stay. */
export interface TopScores {
  readonly add: (id: number, score: number) => void;
  /** Returns the least score that may still be among the greatest. */
  readonly least: () => number;
  /** Returns this many of the greatest scores, at most those that were collected. */
  readonly finish: (wanted: number) => GreatestScores;
}

/** The greatest scores. */
export interface GreatestScores {
  /** Logs that are certainly among them, by id. */
  readonly scores: ReadonlyMap<number, number>;
  /** The logs of the least of them: all that share it, maybe more than there is a place for. */
  readonly tied: readonly number[];
  readonly tiedScore: number;
}

/** Collects the `most` greatest scores, at least one. */
export function topScores(most: number): TopScores {
  let ids = new Float64Array(2 * most + 256);
  let scores = new Float64Array(ids.length);
  let [count, least] = [0, Number.NEGATIVE_INFINITY];
  /** Removes the logs whose score is not among the greatest. */
  const cut = (wanted: number) => {
    if (count < wanted) return;
    least = scores.slice(0, count).sort()[count - wanted] ?? Number.POSITIVE_INFINITY;
    let kept = 0;
    for (let at = 0; at < count; at++) {
      if ((scores[at] ?? 0) < least) continue;
      ids[kept] = ids[at] ?? 0;
      scores[kept++] = scores[at] ?? 0;
    }
    count = kept;
    if (2 * count <= ids.length) return;
    ids = doubled(ids);
    scores = doubled(scores);
  };
  return {
    add: (id, score) => {
      if (score < least) return;
      ids[count] = id;
      scores[count++] = score;
      if (count === ids.length) cut(most);
    },
    least: () => least,
    finish: (wanted) => {
      cut(wanted);
      const [sure, tied]: [Map<number, number>, number[]] = [new Map(), []];
      for (let at = 0; at < count; at++) {
        const [id, score] = [ids[at] ?? 0, scores[at] ?? 0];
        if (score === least) tied.push(id);
        else sure.set(id, score);
      }
      return { scores: sure, tied, tiedScore: least };
    },
  };
}

function doubled(values: Float64Array): Float64Array<ArrayBuffer> {
  const made = new Float64Array(2 * values.length);
  made.set(values);
  return made;
}
