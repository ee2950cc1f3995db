import { apiOf, useApplication, usePlace } from "../application.ts";
import { counted } from "../formats.ts";
import { Icon } from "../icon.tsx";
import { useAnswer } from "../use-answer.ts";
import { WORDS } from "../words.ts";

interface Counts {
  readonly seen: number;
  readonly kept: number;
  readonly duplicate: number;
  readonly skipped: number;
  readonly failed: number;
}

/** What is read of provenance.json. */
interface ProvenanceCounts {
  readonly sources: readonly { readonly counts: Counts }[];
}

const NAMES = ["seen", "kept", "duplicate", "skipped", "failed"] as const;

/** The reconciliation of all sources in one line: what was seen is what became of it. */
export function Completeness() {
  const { shell } = useApplication();
  const { archive } = usePlace();
  const path = shell.server === "local" ? "/api/provenance" : `${apiOf(shell, archive)}/provenance.json`;
  const { data } = useAnswer<ProvenanceCounts>(path);
  if (data === null) return <p class="completeness" />;
  const sums = Object.fromEntries(
    NAMES.map((name) => [name, data.sources.reduce((sum, { counts }) => sum + counts[name], 0)]),
  ) as unknown as Counts;
  const isWhole = sums.failed + sums.skipped === 0;
  return (
    <p class={isWhole ? "completeness whole" : "completeness"}>
      <Icon name={isWhole ? "check" : "warning"} />
      <span>
        <b>{isWhole ? WORDS.overview.complete : WORDS.overview.incomplete}</b>{" "}
        {`${counted(sums.seen)} ${WORDS.overview.seen} = `}
        {NAMES.slice(1)
          .map((name) => `${counted(sums[name])} ${WORDS.overview[name]}`)
          .join(" + ")}
      </span>
    </p>
  );
}
