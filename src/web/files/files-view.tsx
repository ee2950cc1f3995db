import { writtenParameters } from "../addresses.ts";
import { useAddress, useApi, useParameters, usePlace } from "../application.ts";
import { Choices } from "../choices.tsx";
import { type DataColumn, DataTable } from "../data-table.tsx";
import { FilterBox } from "../filter-box.tsx";
import { sizeOf } from "../formats.ts";
import { Hash } from "../hash.tsx";
import { Pager, TABLE_ROWS, useChanged, useOffset } from "../pager.tsx";
import { SearchLink } from "../search-link.tsx";
import { EmptyState, FaultMessage, Skeleton } from "../states.tsx";
import { TABLE_WORDS } from "../table-words.ts";
import { useAnswer } from "../use-answer.ts";
import { useKeys } from "../use-keys.ts";
import { ViewHead } from "../view-head.tsx";
import { number, WORDS } from "../words.ts";
import { FileLink, Gallery } from "./gallery.tsx";
import { type FilePage, fileClause, type ListedFile } from "./listed-file.ts";

const words = TABLE_WORDS.files;
const SORTS = ["frequency", "name", "size", "newest"] as const;
type Sort = (typeof SORTS)[number];

/** Files that were attached, each once, as a table or as pictures. */
export function FilesView() {
  const api = useApi();
  const { parameters } = usePlace();
  const changed = useChanged();
  const change = useParameters();
  const q = parameters.get("q") ?? "";
  const search = parameters.get("search") ?? "";
  const type = parameters.get("type") ?? "";
  const sort = SORTS.find((known) => known === parameters.get("sort")) ?? "frequency";
  const isGallery = parameters.get("view") === "gallery";
  const asked = { q, search, type, sort, offset: useOffset(), limit: TABLE_ROWS };
  const { data, fault, retry } = useAnswer<FilePage>(api(`/files${writtenParameters(asked)}`));
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
      <ViewHead title={WORDS.views.files} said={data === null ? "" : number(data.total, "different file")}>
        {link(null, words.table)}
        {link("gallery", words.gallery)}
      </ViewHead>
      <FilterBox name="search" label={words.filter} />
      {fault === null ? null : <FaultMessage fault={fault} onRetry={retry} />}
      {data === null && fault === null ? <Skeleton rows={8} height={40} /> : null}
      {data === null ? null : (
        <>
          <Found page={data} type={type} sort={sort} isGallery={isGallery} />
          <Pager total={data.total} rows={data.files.length} />
        </>
      )}
    </div>
  );
}

interface FoundProps {
  readonly page: FilePage;
  readonly type: string;
  readonly sort: Sort;
  readonly isGallery: boolean;
}

function Found({ page, type, sort, isGallery }: FoundProps) {
  const types = page.types.map((value) => ({
    value: value.type,
    label: words.typeNames[value.type],
    count: value.count,
  }));
  return (
    <>
      <Choices label={words.type} name="type" chosen={type} values={types} />
      {page.total === 0 ? <EmptyState title={words.none} /> : null}
      {page.files.length === 0 ? null : isGallery ? <Gallery page={page} /> : <Table page={page} sort={sort} />}
    </>
  );
}

function Table({ page, sort }: { readonly page: FilePage; readonly sort: Sort }) {
  const changed = useChanged();
  const address = useAddress();
  const sorted = (by: Sort, direction: "ascending" | "descending") => ({
    href: changed({ sort: by }),
    direction: sort === by ? direction : null,
  });
  const columns: readonly DataColumn<ListedFile>[] = [
    {
      name: "name",
      label: words.name,
      sorted: sorted("name", "ascending"),
      cell: (file) => <FileLink file={file} />,
    },
    { name: "type", label: words.type, cell: ({ type }) => words.typeNames[type] },
    {
      name: "size",
      label: WORDS.about.size,
      isNumber: true,
      sorted: sorted("size", "descending"),
      cell: ({ size_bytes: size }) => sizeOf(size),
    },
    {
      name: "messages",
      label: WORDS.about.messages,
      isNumber: true,
      sorted: sorted("frequency", "descending"),
      cell: ({ sha256, messages }) => <SearchLink clause={fileClause(sha256)} count={messages} />,
    },
    {
      name: "first",
      label: words.first,
      sorted: sorted("newest", "descending"),
      cell: ({ message_id: id }) => <a href={address("message", { id })}>{WORDS.views.message}</a>,
    },
    { name: "sha256", label: "SHA-256", cell: ({ sha256 }) => <Hash sha256={sha256} /> },
  ];
  return <DataTable label={WORDS.views.files} rows={page.files} keyOf={({ sha256 }) => sha256} columns={columns} />;
}
