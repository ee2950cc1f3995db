import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { RowWire } from "../../http/explore-api/wire/wire.ts";
import { useAddress, useApplication, useParameters } from "../application.ts";
import { CONVERSATION_PARAMETERS } from "../conversation/display-options.ts";
import { MessagePane } from "../conversation/message-pane.tsx";
import { highlightedWords } from "../conversation/text-matches.ts";
import { useTagKeys } from "../notebook/use-marks.ts";
import { counted } from "../parts/formats.ts";
import { Lazy } from "../parts/lazy.tsx";
import { PAGE_ROWS, PagedRows } from "../parts/paged-rows.ts";
import { EmptyState, FaultMessage, Skeleton, useIsSlow } from "../parts/states.tsx";
import { VirtualList } from "../parts/virtual-list.tsx";
import { type ClauseText, clauseTexts } from "../shell/query-text.ts";
import { useAnswer } from "../shell/use-answer.ts";
import { useKeys } from "../shell/use-keys.ts";
import { useTitle } from "../shell/use-title.ts";
import { WORDS } from "../words/words.ts";
import { useFacetSheet } from "./facets/facet-sheet.ts";
import { Chips, Problems } from "./query/chips.tsx";
import { SearchBox } from "./query/search-box.tsx";
import { OtherResults } from "./results/other-results.tsx";
import { ResultBar } from "./results/result-bar.tsx";
import { RESULT_ROW_HEIGHT, ResultRow } from "./results/result-row.tsx";
import { RowCheckbox } from "./results/row-checkbox.tsx";
import { useQueryEdits } from "./state/query-edits.ts";
import { type MessagePage, nextSort } from "./state/search-page.ts";
import { GROUPED_VIEWS, type SearchState, useSearchState } from "./state/search-state.ts";
import { useSelection, useSelectionKeys } from "./state/selection.ts";

/** Minimum width for a message next to the list. */
const TWO_COLUMNS = matchMedia("(min-width: 768px)");

/** Search: box, chips, facets, histogram, results and the message that is read. */
export function SearchView() {
  const state = useSearchState();
  const { q, sort, message, pathOf } = state;
  const first = useAnswer<MessagePage>(pathOf("/messages", { sort, offset: 0, limit: PAGE_ROWS }));
  const sheet = useFacetSheet();
  const isWide = state.view !== "list" || state.group === "conversation";
  const page = first.data;
  const isUnderstood = page !== null && !first.isStale;
  const clauses = useMemo(() => (isUnderstood ? clauseTexts(q, page.understood) : []), [page, q, isUnderstood]);
  const query = useQueryEdits(q, clauses, isUnderstood, sheet.step);
  useTitle(
    [q === "" ? WORDS.search.everything : q, page === null ? "" : counted(page.total)].filter(Boolean).join(" · "),
  );
  const sought = useMemo(() => highlightedWords(clauses), [clauses]);
  const change = useParameters();
  useKeys({ read: () => change({ view: state.view === "read" ? null : "read" }) });
  const isSlow = useIsSlow(first.isStale);
  return (
    <div class={isWide ? "search wide" : "search"} aria-busy={first.isStale}>
      <h1 class="visually-hidden">{WORDS.views.search}</h1>
      <SearchBox q={q} />
      <Chips query={query} match={state.match} />
      <div class={sheet.isOpen.value ? "facets shown" : "facets"} id="facets">
        <Lazy load={() => import("./facets/facets.tsx")} meanwhile={<Skeleton rows={12} height={26} />}>
          {({ Facets }) => <Facets query={query} state={state} onOpen={sheet.open} onClose={sheet.close} />}
        </Lazy>
      </div>
      <div class={isSlow ? "results slow" : "results"}>
        {first.fault === null ? null : <FaultMessage fault={first.fault} onRetry={first.retry} />}
        {page === null && first.fault === null ? <Skeleton rows={7} height={RESULT_ROW_HEIGHT - 12} /> : null}
        {page === null ? null : (
          <>
            <Problems sentences={page.problems} />
            <ResultBar page={page} state={state} onFacets={sheet.open} />
            <OtherResults q={q} />
            <Lazy load={() => import("./facets/histogram.tsx")} meanwhile={<div class="histogram" />}>
              {({ Histogram }) => <Histogram query={query} state={state} />}
            </Lazy>
            <Found page={page} clauses={clauses} state={state} />
          </>
        )}
      </div>
      {isWide ? null : (
        <section class="reader" aria-label={WORDS.views.message} tabIndex={-1}>
          {message === "" ? <EmptyState title={WORDS.search.noReader} /> : <MessagePane id={message} sought={sought} />}
        </section>
      )}
    </div>
  );
}

interface FoundProps {
  readonly page: MessagePage;
  readonly clauses: readonly ClauseText[];
  readonly state: SearchState;
}

/** Results for the query in the URL. */
function Found({ page, clauses, state }: FoundProps) {
  const { sort, view, group, pathOf } = state;
  if (page.total === 0)
    return (
      <Lazy load={() => import("./results/nothing-found.tsx")} meanwhile={<Skeleton rows={3} height={36} />}>
        {({ NothingFound }) => <NothingFound clauses={clauses} state={state} />}
      </Lazy>
    );
  const grouped = GROUPED_VIEWS.find((name) => name === view);
  if (grouped !== undefined)
    return (
      <Lazy load={() => import("./results/grouped-results.tsx")} meanwhile={<Skeleton rows={10} height={36} />}>
        {({ GroupedResults }) => <GroupedResults view={grouped} state={state} clauses={clauses} />}
      </Lazy>
    );
  if (group === "conversation" && view !== "read")
    return (
      <Lazy load={() => import("./results/conversation-results.tsx")} meanwhile={<Skeleton rows={10} height={36} />}>
        {({ ConversationResults }) => <ConversationResults state={state} />}
      </Lazy>
    );
  if (view === "read")
    return (
      <Lazy
        key={pathOf("/")}
        load={() => import("./results/result-transcript.tsx")}
        meanwhile={<Skeleton rows={6} height={RESULT_ROW_HEIGHT} />}
      >
        {({ ResultTranscript }) => <ResultTranscript state={state} total={page.total} />}
      </Lazy>
    );
  const list = (table: ResultTable | null) => (
    <ResultList key={pathOf("/", { sort })} table={table} state={state} messages={page.total} total={page.rows} />
  );
  if (view !== "table") return list(null);
  return (
    <Lazy load={() => import("./results/result-table.tsx")} meanwhile={<Skeleton rows={10} height={24} />}>
      {list}
    </Lazy>
  );
}

type ResultTable = typeof import("./results/result-table.tsx");

interface ResultListProps {
  /** Renders rows as a table; null for a list. */
  readonly table: ResultTable | null;
  readonly state: SearchState;
  readonly messages: number;
  readonly total: number;
}

/** Rows of a result, loaded as they come into view. */
function useResultRows({ sort, pathOf }: SearchState): PagedRows<RowWire> {
  const { answers } = useApplication();
  const rows = useMemo(
    () =>
      new PagedRows<RowWire>(
        answers,
        (offset) => pathOf("/messages", { sort, offset, limit: PAGE_ROWS }),
        (answer: MessagePage) => answer.messages,
      ),
    [],
  );
  useEffect(() => () => rows.close(), []);
  return rows;
}

function ResultList({ table, state, messages, total }: ResultListProps) {
  const { navigation } = useApplication();
  const { q, sort, message } = state;
  const address = useAddress();
  const change = useParameters();
  const rows = useResultRows(state);
  const selection = useSelection(rows);
  const isTable = table !== null;
  const cursor = useSignal(Number(navigation.recall("cursor") ?? -1));
  const open = (index: number, isFocused = true): void => {
    const row = rows.row(index);
    if (row === null) return;
    cursor.value = index;
    navigation.keep("cursor", index);
    if (TWO_COLUMNS.matches && !isTable) change({ ...CONVERSATION_PARAMETERS, m: row.id }, "replace");
    else navigation.go(address("message", { id: row.id }, { q }));
    if (isFocused) document.querySelector<HTMLElement>(".reader")?.focus({ preventScroll: true });
  };
  const move = (step: number): void => {
    const index = Math.max(0, Math.min(total - 1, cursor.value + step));
    cursor.value = index;
    navigation.keep("cursor", index);
    if (message !== "" && !isTable && TWO_COLUMNS.matches) open(index, false);
  };
  useKeys({
    next: () => move(1),
    previous: () => move(-1),
    open: () => open(Math.max(0, cursor.value)),
    sort: () => change({ sort: nextSort(sort) }),
  });
  useSelectionKeys(selection, cursor);
  useTagKeys("message", () => {
    const row = rows.row(cursor.value);
    return row === null ? [] : [row.id];
  });
  // Reads a reactive value, so that arriving pages are rendered.
  void rows.version.value;
  return (
    <>
      {rows.fault.value === null ? null : (
        <FaultMessage fault={rows.fault.value} onRetry={() => rows.want(cursor.value, cursor.value + PAGE_ROWS)} />
      )}
      {selection.isAll.value || selection.rows.value.size > 0 ? (
        <Lazy load={() => import("./results/selection-bar.tsx")}>
          {({ SelectionBar }) => <SelectionBar {...{ selection, rows, state }} listed={total} total={messages} />}
        </Lazy>
      ) : null}
      {table !== null ? <table.TableHead sort={sort} onSort={(name) => change({ sort: name })} /> : null}
      <VirtualList
        name="results"
        class={isTable ? "table" : ""}
        label={WORDS.search.resultsOf(total)}
        count={total}
        rowHeight={table?.TABLE_ROW_HEIGHT ?? RESULT_ROW_HEIGHT}
        cursor={cursor.value}
        onRange={(from, end) => rows.want(from, end)}
        row={(index) => {
          const row = rows.row(index);
          if (row === null) return <div class="bone" />;
          const shown = { row, isCurrent: row.id === message, isCursor: index === cursor.value };
          const onOpen = (isRange: boolean): void => (isRange ? selection.turn(index, true) : open(index));
          return (
            <div class={selection.has(row.id) ? "picked" : ""}>
              <RowCheckbox index={index} id={row.id} selection={selection} />
              {table !== null ? (
                <table.TableRow {...shown} onOpen={onOpen} />
              ) : (
                <ResultRow {...shown} onOpen={onOpen} />
              )}
            </div>
          );
        }}
      />
    </>
  );
}
