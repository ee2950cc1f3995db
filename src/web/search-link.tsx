import { useAddress } from "./application.ts";
import { counted } from "./formats.ts";
import { WORDS } from "./words.ts";

interface SearchLinkProps {
  /** What finds exactly so many; empty where nothing that can be written does. */
  readonly clause: string;
  readonly count: number;
}

/** A number of messages that leads to them. */
export function SearchLink({ clause, count }: SearchLinkProps) {
  const address = useAddress();
  if (count === 0 || clause === "") return <>{counted(count)}</>;
  return (
    <a href={address("search", {}, { q: clause })} aria-label={WORDS.found(count)}>
      {counted(count)}
    </a>
  );
}
