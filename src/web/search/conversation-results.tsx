import { Later } from "../later.tsx";
import { Skeleton } from "../states.tsx";
import type { ResultSort, SearchState } from "./search-state.ts";

/** Orders of conversations; others have the newest first. */
const THREAD_SORTS: Partial<Readonly<Record<ResultSort, string>>> = { oldest: "oldest", size: "largest" };

/** The conversations of a result. */
export function ConversationResults({ state: { q, match, sort } }: { readonly state: SearchState }) {
  return (
    <div class="rows">
      <Later load={() => import("../thread-list.tsx")} meanwhile={<Skeleton rows={10} height={36} />}>
        {({ ThreadList }) => <ThreadList q={q} match={match} sort={THREAD_SORTS[sort] ?? "newest"} />}
      </Later>
    </div>
  );
}
