import { useAddress } from "../application.ts";
import type { DataColumn } from "../parts/data-table.tsx";
import { fileTypeName, sizeOf } from "../parts/formats.ts";
import { Hash } from "../parts/hash.tsx";
import { SearchLink } from "../parts/search-link.tsx";
import type { Match } from "../search/state/search-state.ts";
import { withClause } from "../shell/query-text.ts";
import { TABLE_WORDS } from "../words/table-words.ts";
import { WORDS } from "../words/words.ts";
import { FileLink } from "./gallery.tsx";
import { fileClause, type ListedFile } from "./listed-file.ts";

const words = TABLE_WORDS.files;

/** Columns of a table of files; the messages of each match a query, or "" for all. */
export function useFileColumns(q: string, match: Match): readonly DataColumn<ListedFile>[] {
  const address = useAddress();
  return [
    { name: "name", label: words.name, cell: (file) => <FileLink file={file} /> },
    { name: "type", label: words.type, isMinor: true, cell: ({ type }) => fileTypeName(type) },
    { name: "size", label: TABLE_WORDS.about.size, isNumber: true, cell: ({ size_bytes: size }) => sizeOf(size) },
    {
      name: "messages",
      label: TABLE_WORDS.about.messages,
      isNumber: true,
      cell: ({ sha256, messages }) => (
        <SearchLink clause={withClause(q, fileClause(sha256))} count={messages} match={match} />
      ),
    },
    {
      name: "first",
      label: words.first,
      isMinor: true,
      cell: ({ message_id: id, subject }) => (
        <a href={address("message", { id })}>
          <bdi>{subject === "" ? WORDS.noSubject : subject}</bdi>
        </a>
      ),
    },
    { name: "sha256", label: WORDS.sha256, isMinor: true, cell: ({ sha256 }) => <Hash sha256={sha256} /> },
  ];
}
