import type { CountLinksWire, ProvenanceRecordWire } from "../../http/explore-api/wire/wire-provenance.ts";
import { useAddress } from "../application.ts";
import { counted } from "../parts/formats.ts";
import { WORDS } from "../words/words.ts";

export const COUNT_NAMES = ["seen", "kept", "duplicate", "skipped", "failed"] as const;

interface OutcomeProps {
  readonly name: (typeof COUNT_NAMES)[number];
  readonly counts: ProvenanceRecordWire["counts"];
  readonly ways: CountLinksWire;
  /** The number of the source; null for all. */
  readonly source: number | null;
}

/** An outcome with its count and a link to these items, if possible. */
export function Outcome({ name, counts, ways, source }: OutcomeProps) {
  const address = useAddress();
  const hrefs: Partial<Record<typeof name, string>> = {
    ...(ways.kept === null ? {} : { kept: address("search", {}, { q: ways.kept }) }),
    ...Object.fromEntries(ways.warned.map((outcome) => [outcome, address("warnings", {}, { source, outcome })])),
  };
  const href = counts[name] === 0 ? undefined : hrefs[name];
  return href === undefined ? <span>{counted(counts[name])}</span> : <a href={href}>{counted(counts[name])}</a>;
}

/** Seen = kept + duplicate + skipped + failed, in numbers. */
export function Reconciliation({ counts, ways }: Pick<ProvenanceRecordWire, "counts" | "ways">) {
  const [seen, ...rest] = COUNT_NAMES;
  return (
    <p class="sum">
      <span>
        <strong>{counted(counts[seen])}</strong> {WORDS.counts[seen]}
      </span>
      {rest.map((name, index) => (
        <span key={name}>
          <i>{index === 0 ? "=" : "+"}</i>{" "}
          <strong>
            <Outcome name={name} counts={counts} ways={ways} source={null} />
          </strong>{" "}
          {WORDS.counts[name]}
        </span>
      ))}
    </p>
  );
}
