import { useMemo } from "preact/hooks";
import { useApi, useRoute } from "../application.ts";
import { SearchBox } from "../search/query/search-box.tsx";
import type { MessagePage } from "../search/state/search-page.ts";
import { formatParameters } from "../shell/addresses.ts";
import { clauseTexts } from "../shell/query-text.ts";
import { useAnswer } from "../shell/use-answer.ts";
import { useTitle } from "../shell/use-title.ts";
import { WORDS } from "../words/words.ts";
import { Conversation } from "./conversation.tsx";
import { MessagePane } from "./message-pane.tsx";
import { highlightedWords } from "./text-matches.ts";

/** A conversation on its own. */
export function ThreadView() {
  const { view, id, anchor } = useRoute();
  const sought = useSoughtWords();
  // Until the subject is loaded.
  useTitle(WORDS.views.thread);
  return (
    <div class="page reading-page">
      <SearchBox q={sought.q} />
      {view === "message" ? (
        <MessagePane id={id} sought={sought.words} />
      ) : (
        <Conversation threadId={id} messageId={anchor} sought={sought.words} />
      )}
    </div>
  );
}

/** The words of the query that led here, which stays in the URL. */
function useSoughtWords() {
  const api = useApi();
  const q = useRoute().parameters.get("q") ?? "";
  const { data } = useAnswer<MessagePage>(q === "" ? null : api(`/messages${formatParameters({ q, limit: 1 })}`));
  const words = useMemo(
    () => highlightedWords(data === null || q === "" ? [] : clauseTexts(q, data.understood)),
    [data, q],
  );
  return { q, words };
}
