import { useAddress } from "../application.ts";
import { counted } from "../parts/formats.ts";
import { Icon } from "../parts/icon.tsx";
import { WORDS } from "../words/words.ts";

interface Counts {
  readonly seen: number;
  readonly kept: number;
  readonly duplicate: number;
  readonly skipped: number;
  readonly failed: number;
}

const NAMES = ["seen", "kept", "duplicate", "skipped", "failed"] as const;

interface CompletenessProps {
  /** Null while loading. */
  readonly counts: Counts | null;
  /** Sources that may contain further items. */
  readonly damaged: number;
}

/** Reconciliation of all sources in one line: found = sum of the outcomes, and whether anything is missing. */
export function Completeness({ counts: sums, damaged }: CompletenessProps) {
  const address = useAddress();
  if (sums === null) return <p class="completeness" />;
  const isWhole = sums.failed + sums.skipped + damaged === 0;
  return (
    <p class={isWhole ? "completeness whole" : "completeness"}>
      <Icon name={isWhole ? "check" : "warning"} />
      <span>
        <b>{isWhole ? WORDS.overview.complete : WORDS.overview.incomplete}</b>{" "}
        <a href={address("about")}>
          {`${counted(sums.seen)} ${WORDS.counts.seen} = `}
          {NAMES.slice(1)
            .map((name) => `${counted(sums[name])} ${WORDS.counts[name]}`)
            .join(" + ")}
        </a>
        {damaged === 0 ? null : (
          <>
            {"; "}
            <a href={address("warnings")}>{WORDS.overview.damaged(damaged)}</a>
          </>
        )}
      </span>
    </p>
  );
}
