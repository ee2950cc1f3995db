import { useApi, useParameters, useRoute } from "../application.ts";
import { Choices } from "../parts/choices.tsx";
import { DataTable } from "../parts/data-table.tsx";
import { FilterBox } from "../parts/filter-box.tsx";
import { fileTypeName } from "../parts/formats.ts";
import { Pager, TABLE_ROWS, useChanged, useOffset } from "../parts/pager.tsx";
import { EmptyState, FaultMessage, Skeleton } from "../parts/states.tsx";
import { ViewHead } from "../parts/view-head.tsx";
import { formatParameters } from "../shell/addresses.ts";
import { useAnswer } from "../shell/use-answer.ts";
import { useKeys } from "../shell/use-keys.ts";
import { number } from "../words/nouns.ts";
import { TABLE_WORDS } from "../words/table-words.ts";
import { WORDS } from "../words/words.ts";
import { useFileColumns } from "./file-columns.tsx";
import { Gallery } from "./gallery.tsx";
import type { FilePage } from "./listed-file.ts";

const words = TABLE_WORDS.files;
const SORTS = ["frequency", "name", "size", "newest"] as const;
type Sort = (typeof SORTS)[number];

/** Attached files, each once, as a table or as pictures. */
export function FilesView() {
  const api = useApi();
  const { parameters } = useRoute();
  const changed = useChanged();
  const change = useParameters();
  const q = parameters.get("q") ?? "";
  const search = parameters.get("search") ?? "";
  const type = parameters.get("type") ?? "";
  const sort = SORTS.find((known) => known === parameters.get("sort")) ?? "frequency";
  const isGallery = parameters.get("view") === "gallery";
  const asked = { q, search, type, sort, offset: useOffset(), limit: TABLE_ROWS };
  const { data, fault, retry } = useAnswer<FilePage>(api(`/files${formatParameters(asked)}`));
  useKeys({
    sort: () => change({ sort: SORTS[(SORTS.indexOf(sort) + 1) % SORTS.length]!, offset: null }),
  });
  const link = (view: string | null, text: string) => (
    <a class="button" href={changed({ view })} aria-current={isGallery === (view !== null) ? "true" : undefined}>
      {text}
    </a>
  );
  return (
    <div class="page wide">
      <ViewHead title={WORDS.views.files} summary={data === null ? "" : number(data.total, "different file")}>
        {link(null, words.table)}
        {link("gallery", words.gallery)}
      </ViewHead>
      <FilterBox name="search" label={words.filter} />
      {fault === null ? null : <FaultMessage fault={fault} onRetry={retry} />}
      {data === null && fault === null ? <Skeleton rows={8} height={40} /> : null}
      {data === null ? null : (
        <>
          <Found page={data} q={q} type={type} sort={sort} isGallery={isGallery} />
          <Pager total={data.total} rows={data.files.length} />
        </>
      )}
    </div>
  );
}

interface FoundProps {
  readonly page: FilePage;
  readonly q: string;
  readonly type: string;
  readonly sort: Sort;
  readonly isGallery: boolean;
}

function Found({ page, q, type, sort, isGallery }: FoundProps) {
  const types = page.types.map((value) => ({
    value: value.type,
    label: fileTypeName(value.type),
    count: value.count,
  }));
  return (
    <>
      <Choices label={words.type} name="type" chosen={type} values={types} />
      {page.total === 0 ? <EmptyState title={words.none} /> : null}
      {page.files.length === 0 ? null : isGallery ? <Gallery page={page} /> : <Table page={page} q={q} sort={sort} />}
    </>
  );
}

/** The column of a sort order, and its direction. */
const SORTED: Readonly<Record<string, readonly [by: Sort, direction: "ascending" | "descending"]>> = {
  name: ["name", "ascending"],
  size: ["size", "descending"],
  messages: ["frequency", "descending"],
  first: ["newest", "descending"],
};

function Table({ page, q, sort }: { readonly page: FilePage; readonly q: string; readonly sort: Sort }) {
  const changed = useChanged();
  const columns = useFileColumns(q, "all").map((column) => {
    const sorted = SORTED[column.name];
    if (sorted === undefined) return column;
    const [by, direction] = sorted;
    return { ...column, sorted: { href: changed({ sort: by }), direction: sort === by ? direction : null } };
  });
  return <DataTable label={WORDS.views.files} rows={page.files} keyOf={({ sha256 }) => sha256} columns={columns} />;
}
