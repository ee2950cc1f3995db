import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useAddress, useApi, useApplication, useRoute } from "../application.ts";
import { type DataColumn, DataTable } from "../parts/data-table.tsx";
import { counted, dayOf } from "../parts/formats.ts";
import { Icon } from "../parts/icon.tsx";
import { FaultMessage, Skeleton } from "../parts/states.tsx";
import { ViewHead } from "../parts/view-head.tsx";
import { addressOf } from "../shell/addresses.ts";
import { Fault } from "../shell/fault.ts";
import { number } from "../words/nouns.ts";
import { TABLE_WORDS } from "../words/table-words.ts";
import { WORDS } from "../words/words.ts";
import { csvOf, type Hit, type HitReport, MAX_QUERIES, queriesOf, rowsOf, sumOf } from "./hit-list.ts";

const words = TABLE_WORDS.hits;

/**
 * The hits of each query in a list. The list is stored in the address after `#`, where its length is not limited
 * because no server receives it.
 */
export function HitsView() {
  const api = useApi();
  const { answers } = useApplication();
  const listed = useRoute().anchor;
  const report = useSignal<HitReport | null>(null);
  const fault = useSignal<Fault | null>(null);
  const queries = queriesOf(listed);
  const ask = (): void => {
    report.value = null;
    fault.value = null;
    if (queries.length === 0) return;
    answers
      .post<HitReport>(api("/hits"), { queries: queries.slice(0, MAX_QUERIES), details: true })
      .then((answer) => {
        report.value = answer;
      })
      .catch((cause: unknown) => {
        fault.value = cause instanceof Fault ? cause : new Fault("FAILED", String(cause), -1);
      });
  };
  useEffect(ask, [listed]);
  return (
    <div class="page wide">
      <ViewHead title={WORDS.views.hits} summary={queries.length === 0 ? "" : number(queries.length, "query")}>
        {queries.length === 0 ? null : <SaveButton report={report.value} />}
      </ViewHead>
      <ListForm listed={listed} />
      {queries.length > MAX_QUERIES ? <p class="quiet">{words.tooMany(MAX_QUERIES)}</p> : null}
      {fault.value === null ? null : <FaultMessage fault={fault.value} onRetry={ask} />}
      {queries.length > 0 && report.value === null && fault.value === null ? (
        <Skeleton rows={Math.min(10, queries.length)} height={28} />
      ) : null}
      {report.value === null ? null : <Report report={report.value} />}
    </div>
  );
}

function ListForm({ listed }: { readonly listed: string }) {
  const { navigation } = useApplication();
  const place = useRoute();
  const text = useSignal(listed);
  // Replaces the text and not the form, whose button has the focus.
  useEffect(() => {
    text.value = listed;
  }, [listed]);
  const take = async (file: File | undefined): Promise<void> => {
    if (file !== undefined) text.value = await file.text();
  };
  return (
    <form
      class="hit-form"
      onSubmit={(event) => {
        event.preventDefault();
        navigation.go(addressOf("hits", place, {}, queriesOf(text.value).join("\n")));
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        const file = event.dataTransfer?.files[0];
        if (file === undefined) return;
        event.preventDefault();
        void take(file);
      }}
    >
      <label for="q">{words.label}</label>
      <textarea
        id="q"
        rows={6}
        spellcheck={false}
        placeholder={words.placeholder}
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
        }}
        onKeyDown={(event) => {
          // A plain Enter starts another query.
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form!.requestSubmit();
        }}
      />
      <div class="ways">
        <button type="submit" class="button primary">
          {words.count}
        </button>
        <label class="button">
          {words.choose}
          <input
            class="visually-hidden"
            type="file"
            accept=".txt,.csv,text/plain"
            onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
          />
        </label>
      </div>
    </form>
  );
}

/** Shown before the report has loaded, so that the layout does not move. */
function SaveButton({ report }: { readonly report: HitReport | null }) {
  const save = (): void => {
    const address = URL.createObjectURL(new Blob([csvOf(report!)], { type: "text/csv" }));
    const link = document.createElement("a");
    link.href = address;
    link.download = "hits.csv";
    link.click();
    URL.revokeObjectURL(address);
  };
  return (
    <button type="button" class="button" disabled={report === null} onClick={save}>
      {words.save}
    </button>
  );
}

function Report({ report }: { readonly report: HitReport }) {
  const address = useAddress();
  const { isUtc } = useApplication();
  const day = (at: string | null) => at && <span class="nowrap">{dayOf(at, isUtc.value)}</span>;
  const columns: readonly DataColumn<Hit>[] = [
    {
      name: "query",
      label: words.query,
      cell: ({ query, problems }) => (
        <>
          {query === null ? words.sum : <bdi class="path">{query}</bdi>}
          {problems.map((problem) => (
            <p key={problem} class="warned">
              <Icon name="warning" /> {problem}
            </p>
          ))}
        </>
      ),
    },
    {
      name: "messages",
      label: TABLE_WORDS.about.messages,
      isNumber: true,
      cell: ({ query, messages }) =>
        query === null ? (
          counted(messages)
        ) : (
          <a href={address("search", {}, { q: query })} aria-label={number(messages, "message")}>
            {counted(messages)}
          </a>
        ),
    },
    {
      name: "unique",
      label: words.unique,
      isNumber: true,
      cell: ({ unique }) => (unique === null ? "" : counted(unique)),
    },
    {
      name: "attachments",
      label: words.attachments,
      isNumber: true,
      cell: ({ attachments }) => counted(attachments),
    },
    {
      name: "conversations",
      label: words.conversations,
      isNumber: true,
      cell: ({ query, conversations }) =>
        query === null ? (
          counted(conversations)
        ) : (
          <a
            href={address("search", {}, { q: query, group: "conversation" })}
            aria-label={number(conversations, "conversation")}
          >
            {counted(conversations)}
          </a>
        ),
    },
    {
      name: "conversation_messages",
      label: words.conversationMessages,
      isNumber: true,
      cell: ({ conversation_messages }) => counted(conversation_messages),
    },
    { name: "first", label: words.first, cell: ({ first }) => day(first) },
    { name: "last", label: words.last, cell: ({ last }) => day(last) },
    {
      name: "custodians",
      label: words.custodians,
      cell: ({ custodians }) =>
        custodians.map(({ name, messages }) => (
          <p key={name}>
            <bdi>{name}</bdi> {counted(messages)}
          </p>
        )),
    },
  ];
  return (
    <DataTable
      label={WORDS.views.hits}
      rows={rowsOf(report)}
      sum={sumOf(report)}
      keyOf={(_, index) => String(index)}
      columns={columns}
    />
  );
}
