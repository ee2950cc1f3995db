import { useAddress } from "../application.ts";
import type { Match } from "../search/state/search-state.ts";
import { number } from "../words/nouns.ts";
import { counted } from "./formats.ts";

interface SearchLinkProps {
  /** Query with exactly this many results; empty if there is none. */
  readonly clause: string;
  readonly count: number;
  /** How its plain words are combined. */
  readonly match?: Match;
}

/** A message count that links to the messages. */
export function SearchLink({ clause, count, match = "all" }: SearchLinkProps) {
  const address = useAddress();
  if (count === 0 || clause === "") return <>{counted(count)}</>;
  return (
    <a
      href={address("search", {}, { q: clause, match: match === "all" ? null : match })}
      aria-label={number(count, "message")}
    >
      {counted(count)}
    </a>
  );
}
