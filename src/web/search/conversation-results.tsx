import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Skeleton } from "../states.tsx";
import type { ThreadList } from "../thread-list.tsx";
import type { ResultSort, SearchState } from "./search-state.ts";

/** Orders of conversations; others have the newest first. */
const THREAD_SORTS: Partial<Readonly<Record<ResultSort, string>>> = { oldest: "oldest", size: "largest" };

/** The conversations of a result. Their table is loaded when it is first asked for: most searches list messages. */
export function ConversationResults({ state: { q, match, sort } }: { readonly state: SearchState }) {
  const loaded = useSignal<{ readonly List: typeof ThreadList } | null>(null);
  useEffect(() => {
    void import("../thread-list.tsx").then(({ ThreadList: List }) => {
      loaded.value = { List };
    });
  }, []);
  const { value } = loaded;
  return (
    <div class="rows">
      {value === null ? (
        <Skeleton rows={10} height={36} />
      ) : (
        <value.List q={q} match={match} sort={THREAD_SORTS[sort] ?? "newest"} />
      )}
    </div>
  );
}
