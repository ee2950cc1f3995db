import type { ProvenanceRecordWire } from "../../http/explore-api/wire-provenance.ts";
import { counted } from "../formats.ts";
import { TABLE_WORDS } from "../table-words.ts";

export const COUNT_NAMES = ["seen", "kept", "duplicate", "skipped", "failed"] as const;

/** Seen = kept + duplicate + skipped + failed, in numbers. */
export function Reconciliation({ counts }: { readonly counts: ProvenanceRecordWire["counts"] }) {
  const [seen, ...rest] = COUNT_NAMES;
  return (
    <p class="sum">
      <span>
        <strong>{counted(counts[seen])}</strong> {TABLE_WORDS.about.counts[seen]}
      </span>
      {rest.map((name, index) => (
        <span key={name}>
          <i>{index === 0 ? "=" : "+"}</i> <strong>{counted(counts[name])}</strong> {TABLE_WORDS.about.counts[name]}
        </span>
      ))}
    </p>
  );
}
