import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useApi, useApplication } from "../application.ts";
import { MATCHES, type Match } from "../search/state/search-state.ts";
import type { HitAnswer } from "./hit-list.ts";

interface CountedQuery {
  readonly q: string;
  readonly match: Match;
}

/** Number of messages of each query; null while loading and on errors. @param version changes to count again */
export function useHitCounts(queries: readonly CountedQuery[], version = 0): readonly number[] | null {
  const { answers } = useApplication();
  const api = useApi();
  const counts = useSignal<readonly number[] | null>(null);
  useEffect(() => {
    const control = new AbortController();
    const reports = MATCHES.map(async (match) => {
      const asked = queries.filter((query) => query.match === match).map(({ q }) => q);
      if (asked.length === 0) return [];
      const { hits } = await answers.post<HitAnswer>(api("/hits"), { queries: asked, match }, control.signal);
      return hits.map(({ query, messages }) => [`${match} ${query}`, messages] as const);
    });
    Promise.all(reports).then(
      (found) => {
        const known = new Map(found.flat());
        counts.value = queries.map(({ match, q }) => known.get(`${match} ${q}`) ?? 0);
      },
      // The list is useful without numbers, too.
      () => undefined,
    );
    return () => control.abort();
  }, [JSON.stringify(queries), version]);
  return counts.value;
}
