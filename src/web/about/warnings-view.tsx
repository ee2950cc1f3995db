import type { WarningPageWire, WarningWire } from "../../http/explore-api/wire/wire-provenance.ts";
import { shortNames } from "../../mail/records/source-names.ts";
import { useApi, useRoute } from "../application.ts";
import { Choices } from "../parts/choices.tsx";
import { type DataColumn, DataTable } from "../parts/data-table.tsx";
import { FilterBox } from "../parts/filter-box.tsx";
import { Hash } from "../parts/hash.tsx";
import { Pager, TABLE_ROWS, useOffset } from "../parts/pager.tsx";
import { SourceName } from "../parts/source-name.tsx";
import { EmptyState, FaultMessage, Skeleton } from "../parts/states.tsx";
import { ViewHead } from "../parts/view-head.tsx";
import { formatParameters } from "../shell/addresses.ts";
import { useAnswer } from "../shell/use-answer.ts";
import { number } from "../words/nouns.ts";
import { TABLE_WORDS } from "../words/table-words.ts";
import { WORDS } from "../words/words.ts";

const { warnings: words } = TABLE_WORDS;

/** Unreadable and skipped items and notes, by code and source. */
export function WarningsView() {
  const api = useApi();
  const { parameters } = useRoute();
  const [code, source, outcome, search] = ["code", "source", "outcome", "search"].map(
    (name) => parameters.get(name) ?? "",
  );
  const asked = { code, source, outcome, search, offset: useOffset(), limit: TABLE_ROWS };
  const { data, fault, retry } = useAnswer<WarningPageWire>(api(`/warnings${formatParameters(asked)}`));
  return (
    <div class="page wide">
      <ViewHead title={WORDS.views.warnings} summary={data === null ? "" : number(data.total, "warning")} />
      <FilterBox name="search" label={words.filter} />
      {fault === null ? null : <FaultMessage fault={fault} onRetry={retry} />}
      {data === null && fault === null ? <Skeleton rows={8} height={40} /> : null}
      {data === null ? null : <Found page={data} code={code!} source={source!} outcome={outcome!} />}
    </div>
  );
}

interface FoundProps {
  readonly page: WarningPageWire;
  readonly code: string;
  readonly source: string;
  readonly outcome: string;
}

function Found({ page, code, source, outcome }: FoundProps) {
  const names = shortNames(page.sources.map(({ path }) => path));
  return (
    <>
      <Choices
        label={words.code}
        name="code"
        chosen={code}
        values={page.codes.map((value) => ({ value: value.code, label: value.code, count: value.count }))}
      />
      <Choices
        label={words.source}
        name="source"
        chosen={source}
        values={page.sources.map(({ source: id, count }, at) => ({
          value: String(id ?? "run"),
          label: id === null ? words.run : names[at]!,
          count,
        }))}
      />
      <Choices
        label={words.outcome}
        name="outcome"
        chosen={outcome}
        values={page.outcomes.map((value) => ({
          value: value.outcome,
          label: words.outcomes[value.outcome],
          count: value.count,
        }))}
      />
      {page.total === 0 ? (
        <EmptyState title={words.none} />
      ) : (
        <DataTable
          label={WORDS.views.warnings}
          rows={page.warnings}
          keyOf={(_, index) => String(index)}
          columns={columnsOf(page)}
        />
      )}
      <Pager total={page.total} rows={page.warnings.length} />
      {page.truncated === 0 ? null : <p class="quiet">{TABLE_WORDS.about.truncated(page.truncated)}</p>}
    </>
  );
}

function columnsOf({ sources }: WarningPageWire): readonly DataColumn<WarningWire>[] {
  const paths = new Map(sources.map(({ source, path }) => [source, path]));
  return [
    { name: "code", label: words.code, cell: ({ code }) => <code>{code}</code> },
    { name: "message", label: words.message, cell: ({ message }) => <bdi class="prose">{message}</bdi> },
    {
      name: "source",
      label: words.source,
      cell: ({ source }) => (source === null ? words.run : <SourceName path={paths.get(source) ?? ""} />),
    },
    {
      name: "location",
      label: words.location,
      cell: ({ location }) => (location === "" ? null : <bdi class="path">{location}</bdi>),
    },
    { name: "sha256", label: WORDS.sha256, cell: ({ sha256 }) => (sha256 === null ? null : <Hash sha256={sha256} />) },
  ];
}
