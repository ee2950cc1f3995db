import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { LostOriginalWire, OriginalCheckWire } from "../../http/explore-api/wire/wire-originals.ts";
import { useAddress, useApi, useApplication } from "../application.ts";
import { DataTable } from "../parts/data-table.tsx";
import { Fact } from "../parts/figure.tsx";
import { counted } from "../parts/formats.ts";
import { FaultMessage } from "../parts/states.tsx";
import { Fault } from "../shell/fault.ts";
import { ORIGINALS_WORDS } from "../words/originals-words.ts";
import { TABLE_WORDS } from "../words/table-words.ts";

/** Messages per step: the progress bar updates a few times per second. */
const STEP = 100;
/** Maximum lost originals that are listed; the others are counted. */
const MAX_LISTED = 200;

const { originals } = ORIGINALS_WORDS;

interface Progress {
  readonly total: number;
  readonly checked: number;
  readonly states: OriginalCheckWire["states"];
  readonly lost: readonly LostOriginalWire[];
}

/** Checks every original and lists those that are missing or changed. */
export function OriginalCheck({ paths }: { readonly paths: readonly string[] }) {
  const api = useApi();
  const { answers } = useApplication();
  const control = useSignal<AbortController | null>(null);
  const progress = useSignal<Progress | null>(null);
  const fault = useSignal<Fault | null>(null);
  useEffect(() => () => control.value?.abort(), []);

  const check = async (): Promise<void> => {
    const own = new AbortController();
    control.value = own;
    progress.value = null;
    fault.value = null;
    try {
      let sum: Progress | null = null;
      do {
        const path = `/originals?limit=${STEP}&offset=${sum?.checked ?? 0}`;
        sum = added(sum, await answers.send<OriginalCheckWire>(api(path), { signal: own.signal }));
        progress.value = sum;
      } while (sum.checked < sum.total && !own.signal.aborted);
    } catch (cause) {
      if (!own.signal.aborted) fault.value = cause instanceof Fault ? cause : new Fault("FAILED", String(cause), -1);
    }
    if (control.value === own) control.value = null;
  };

  const isUnderWay = control.value !== null;
  return (
    <section class="panel">
      <h2>{originals.title}</h2>
      <p class="quiet">{originals.about}</p>
      <p>
        <button type="button" class="button" onClick={() => (isUnderWay ? control.value?.abort() : void check())}>
          {isUnderWay ? originals.stop : originals.check}
        </button>
      </p>
      {fault.value === null ? null : <FaultMessage fault={fault.value} onRetry={() => void check()} />}
      {progress.value === null ? null : <Outcome progress={progress.value} isUnderWay={isUnderWay} paths={paths} />}
    </section>
  );
}

function added(sum: Progress | null, step: OriginalCheckWire): Progress {
  const states = { ...step.states };
  if (sum !== null)
    for (const [state, count] of Object.entries(sum.states)) states[state as keyof typeof states] += count;
  return {
    total: step.total,
    // An archive that shrank during the check has nothing more to check.
    checked: step.checked === 0 ? step.total : (sum?.checked ?? 0) + step.checked,
    states,
    lost: [...(sum?.lost ?? []), ...step.lost].slice(0, MAX_LISTED),
  };
}

function Outcome({
  progress: { total, checked, states, lost },
  isUnderWay,
  paths,
}: {
  readonly progress: Progress;
  readonly isUnderWay: boolean;
  readonly paths: readonly string[];
}) {
  const address = useAddress();
  return (
    <>
      <p role="status">{isUnderWay ? originals.progress(checked, total) : originals.done(checked, total)}</p>
      {isUnderWay ? <progress aria-label={originals.title} value={checked} max={total} /> : null}
      <dl class="facts">
        {Object.entries(states).map(([state, count]) => (
          <Fact key={state} name={originals.states[state as keyof typeof states]}>
            {counted(count)}
          </Fact>
        ))}
      </dl>
      {lost.length === 0 ? null : (
        <DataTable
          label={originals.lost}
          rows={lost}
          keyOf={({ id, source, location }) => `${id} ${source} ${location}`}
          columns={[
            {
              name: "message",
              label: originals.message,
              cell: ({ id }) => <a href={address("message", { id })}>{id}</a>,
            },
            { name: "state", label: originals.state, cell: ({ state }) => originals.states[state] },
            { name: "place", label: originals.place, cell: ({ location }) => <bdi class="path">{location}</bdi> },
            {
              name: "source",
              label: TABLE_WORDS.about.source,
              cell: ({ source }) => <bdi class="path">{paths[source]}</bdi>,
            },
          ]}
        />
      )}
    </>
  );
}
