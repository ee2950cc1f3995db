import { useParameters } from "../../application.ts";
import { ThreadList } from "../../parts/thread-list.tsx";
import { useKeys } from "../../shell/use-keys.ts";
import { nextSort } from "../state/search-page.ts";
import { CONVERSATION_SORTS, type ResultSort, type SearchState } from "../state/search-state.ts";

/** Orders of conversations by the corresponding message order. */
const THREAD_SORTS: Partial<Readonly<Record<ResultSort, string>>> = {
  newest: "newest",
  oldest: "oldest",
  size: "largest",
};

/** The conversations of a result. */
export function ConversationResults({ state: { q, match, sort } }: { readonly state: SearchState }) {
  const change = useParameters();
  useKeys({ sort: () => change({ sort: nextSort(sort, CONVERSATION_SORTS), offset: null }) });
  return (
    <div class="rows conversations">
      <ThreadList q={q} match={match} sort={THREAD_SORTS[sort] ?? "relevance"} />
    </div>
  );
}
