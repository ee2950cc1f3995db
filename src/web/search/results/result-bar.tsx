import { useAddress, useParameters } from "../../application.ts";
import { CopyLinkButton } from "../../parts/copy-link-button.tsx";
import { IconButton } from "../../parts/icon.tsx";
import { Lazy } from "../../parts/lazy.tsx";
import { number } from "../../words/nouns.ts";
import { WORDS } from "../../words/words.ts";
import { Choice } from "../query/choice.tsx";
import type { MessagePage } from "../state/search-page.ts";
import { GROUPED_VIEWS, GROUPS, MATCHES, RESULT_VIEWS, type SearchState, sortsOf } from "../state/search-state.ts";
import { ExportMenu } from "./export-menu.tsx";

interface ResultBarProps {
  readonly page: MessagePage;
  readonly state: SearchState;
  readonly onFacets: () => void;
}

/** Number of results, and how they are shown. */
export function ResultBar({ page, state, onFacets }: ResultBarProps) {
  const change = useParameters();
  const { search } = WORDS;
  const { sort, view, match, group } = state;
  const sorts = sortsOf(state);
  return (
    <div class="result-bar">
      <p class="found" role="status">
        <FoundNumbers page={page} state={state} />
      </p>
      <IconButton icon="filter" name={search.facets} class="tool narrow" onClick={onFacets} />
      <ExportMenu q={state.q} match={state.match} total={page.total} />
      <Lazy load={() => import("../query/save-search.tsx")} meanwhile={<span class="tool" />}>
        {({ SaveSearch }) => <SaveSearch state={state} />}
      </Lazy>
      <CopyLinkButton />
      <div class="shown-as">
        <Choice
          label={search.match}
          value={match}
          choices={MATCHES.map((name) => [name, search.matches[name]])}
          onChoose={(name) => change({ match: name === "all" ? null : name })}
        />
        {sorts.length === 0 ? null : (
          <>
            <Choice
              label={search.sort}
              value={sorts.includes(sort) ? sort : sorts[0]!}
              choices={sorts.map((name) => [name, search.sorts[name]])}
              onChoose={(name) => change({ sort: name, offset: null })}
            />
            <Choice
              label={search.group}
              value={group}
              choices={GROUPS.map((name) => [name, search.groups[name]])}
              onChoose={(name) => change({ group: name === "message" ? null : name, offset: null })}
            />
          </>
        )}
        <Choice
          label={search.view}
          value={view}
          choices={RESULT_VIEWS.map((name) => [name, search.viewNames[name]])}
          onChoose={(name) => change({ view: name === "list" ? null : name, offset: null })}
        />
        {view === "table" && group === "message" ? (
          <Lazy load={() => import("./column-menu.tsx")} meanwhile={<span class="tool" />}>
            {({ ColumnMenu }) => <ColumnMenu />}
          </Lazy>
        ) : null}
      </div>
    </div>
  );
}

/** Counts of messages and conversations; the one that is not shown is a link. */
function FoundNumbers({ page, state: { q, match, view, group } }: Omit<ResultBarProps, "onFacets">) {
  const address = useAddress();
  const { search } = WORDS;
  const asked = { q, match: match === "all" ? null : match };
  const isGrouped = GROUPED_VIEWS.some((name) => name === view);
  const areConversations = group === "conversation" && view !== "read" && !isGrouped;
  // An empty result has no other views.
  const countLink = (text: string, isShown: boolean, shown: string | null) =>
    isShown || page.total === 0 ? text : <a href={address("search", {}, { ...asked, group: shown })}>{text}</a>;
  return (
    <>
      {countLink(number(page.total, "message"), !areConversations && !isGrouped, null)} {search.foundIn}{" "}
      {countLink(number(page.conversations, "conversation"), areConversations, "conversation")}
    </>
  );
}
