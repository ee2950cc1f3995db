import { useEffect } from "preact/hooks";
import type { ListedEntryWire, MarkWire, NotebookWire } from "../../http/explore-api/wire/wire-notebook.ts";
import { useAddress, useApi, useRoute } from "../application.ts";
import { Choices } from "../parts/choices.tsx";
import { DataTable } from "../parts/data-table.tsx";
import { counted, dayOf } from "../parts/formats.ts";
import { Pager, TABLE_ROWS, useOffset } from "../parts/pager.tsx";
import { EmptyState, FaultMessage, Skeleton } from "../parts/states.tsx";
import { ViewHead } from "../parts/view-head.tsx";
import type { ViewName } from "../shell/addresses.ts";
import { formatParameters } from "../shell/addresses.ts";
import { useAnswer } from "../shell/use-answer.ts";
import { NOTEBOOK_VIEW_WORDS } from "../words/notebook-view-words.ts";
import { WORDS } from "../words/words.ts";
import type { Marks } from "./marks.ts";
import { CarryTools, ReviewProgress, SavedSearches, TagTable } from "./notebook-parts.tsx";
import { MarkLine } from "./tags.tsx";
import { useMarks } from "./use-marks.ts";

const { notebook: words } = WORDS;

/** Views of tagged and annotated entities. */
const VIEW_OF: Readonly<Record<string, ViewName>> = {
  message: "message",
  thread: "thread",
  person: "person",
  topic: "topic",
};

/** The notebook of the archive. */
export function NotebookView() {
  const marks = useMarks();
  return marks === null ? <EmptyState title={WORDS.states.missing} /> : <Notebook marks={marks} />;
}

function Notebook({ marks }: { readonly marks: Marks }) {
  const tags = marks.allTags().value;
  const api = useApi();
  const saved = useAnswer<NotebookWire>(api("/notebook?kind=search&limit=1000"), marks.writes.value);
  useEffect(() => marks.look(), []);
  // Drawn together, because parts that load one by one would push the next ones down.
  const isLoaded = marks.areTagsLoaded.value && (saved.data !== null || saved.fault !== null);
  const searches = saved.data?.entries ?? [];
  return (
    <div class="page">
      <ViewHead title={WORDS.views.notebook}>
        <CarryTools marks={marks} />
      </ViewHead>
      {isLoaded ? (
        <>
          <ReviewProgress marks={marks} />
          {tags.length === 0 ? null : <TagTable marks={marks} tags={tags} />}
          {searches.length === 0 ? null : <SavedSearches marks={marks} searches={searches} />}
          <Entries marks={marks} />
        </>
      ) : (
        <Skeleton rows={6} height={36} />
      )}
    </div>
  );
}

function Entries({ marks }: { readonly marks: Marks }) {
  const api = useApi();
  const tag = useRoute().parameters.get("tag") ?? "";
  const asked = { kind: "marked", tag, offset: useOffset(), limit: TABLE_ROWS };
  const { data, fault, retry } = useAnswer<NotebookWire>(
    api(`/notebook${formatParameters(asked)}`),
    marks.writes.value,
  );
  if (fault !== null) return <FaultMessage fault={fault} onRetry={retry} />;
  if (data === null) return <Skeleton rows={6} height={36} />;
  return (
    <section class="panel">
      <h2>
        {NOTEBOOK_VIEW_WORDS.entries} <span class="count">{counted(data.total)}</span>
      </h2>
      <Choices
        label={words.tags}
        name="tag"
        chosen={tag}
        values={data.tags.map(({ name, count }) => ({ value: name, label: name, count }))}
      />
      {data.total === 0 ? (
        <EmptyState title={NOTEBOOK_VIEW_WORDS.empty}>
          <p>{NOTEBOOK_VIEW_WORDS.emptyHint}</p>
        </EmptyState>
      ) : (
        <EntryTable entries={data.entries} />
      )}
      <Pager total={data.total} rows={data.entries.length} />
    </section>
  );
}

function EntryTable({ entries }: { readonly entries: readonly ListedEntryWire[] }) {
  const address = useAddress();
  return (
    <DataTable
      label={NOTEBOOK_VIEW_WORDS.entries}
      rows={entries}
      keyOf={({ kind, id }, index) => `${kind} ${id ?? index}`}
      columns={[
        {
          name: "what",
          label: NOTEBOOK_VIEW_WORDS.what,
          cell: ({ kind, id, label }) =>
            id === null ? (
              <span class="quiet">{NOTEBOOK_VIEW_WORDS.lost}</span>
            ) : (
              <a href={address(VIEW_OF[kind]!, { id })}>
                <bdi>{label === "" ? WORDS.noSubject : label}</bdi>
              </a>
            ),
        },
        { name: "kind", label: NOTEBOOK_VIEW_WORDS.kind, cell: ({ kind }) => NOTEBOOK_VIEW_WORDS.kinds[kind] },
        {
          name: "marks",
          label: words.tags,
          cell: ({ value }) => <MarkLine mark={{ ...(value as MarkWire), note: "", revision: 0 }} />,
        },
        {
          name: "note",
          label: words.note,
          cell: ({ value }) => {
            const { note } = value as MarkWire;
            return note === "" ? null : (
              <span class="note-cell" dir="auto">
                {note}
              </span>
            );
          },
        },
        {
          name: "date",
          label: NOTEBOOK_VIEW_WORDS.marked,
          cell: ({ updated_at: at }) => <span class="nowrap">{dayOf(at, false)}</span>,
        },
      ]}
    />
  );
}
