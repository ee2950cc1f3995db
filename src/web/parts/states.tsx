import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { useAddress, useApplication } from "../application.ts";
import type { Fault } from "../shell/fault.ts";
import { WORDS } from "../words/words.ts";
import { Icon } from "./icon.tsx";

/** Milliseconds before a view shows that it is loading: most responses arrive earlier. */
const PATIENCE_MS = 150;

/** True after a longer wait. */
export function useIsSlow(isWaiting: boolean): boolean {
  const isSlow = useSignal(false);
  useEffect(() => {
    isSlow.value = false;
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => {
      isSlow.value = true;
    }, PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  return isWaiting && isSlow.value;
}

/** Gray lines of the size of the expected content. */
export function Skeleton({ rows, height }: { readonly rows: number; readonly height: number }) {
  const isSlow = useIsSlow(true);
  return (
    <div class={isSlow ? "skeleton shown" : "skeleton"} role="status" aria-label={WORDS.states.loading}>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} class="bone" style={{ height: `${height}px` }} />
      ))}
    </div>
  );
}

/** A state that may be the whole content of a view, which then has no other heading. */
interface ViewState {
  readonly isView?: boolean;
}

export interface FaultProps {
  readonly fault: Fault;
  readonly onRetry: () => void;
}

/** An error message with a retry button. */
export function FaultMessage({ fault, onRetry, isView = false }: FaultProps & ViewState) {
  const Heading = isView ? "h1" : "h2";
  const { states, actions } = WORDS;
  if (fault.code === "NOT_FOUND") return <Absent text={fault.message} hint={states.absentHint} isView={isView} />;
  return (
    <div class="state" role="alert">
      <Icon name="warning" />
      <Heading>{fault.isOffline ? states.offline : states.failed}</Heading>
      <p>{fault.isOffline ? states.offlineHint : fault.message}</p>
      {fault.isOffline ? null : <p class="quiet">{fault.code}</p>}
      <button type="button" class="button" onClick={onRetry}>
        {actions.retry}
      </button>
    </div>
  );
}

interface AbsentProps extends ViewState {
  readonly text: string;
  readonly hint?: string;
}

/** A message for something that does not exist, without retry. */
export function Absent({ text, hint = "", isView = false }: AbsentProps) {
  const Heading = isView ? "h1" : "h2";
  const { shell } = useApplication();
  const address = useAddress();
  const { states } = WORDS;
  return (
    <div class="state" role="alert">
      <Icon name="search" />
      <Heading>{states.absent}</Heading>
      <p>{text}</p>
      {hint === "" ? null : <p class="quiet">{hint}</p>}
      <p class="ways">
        <a class="button" href={address("search")}>
          {states.searchWay}
        </a>
        {shell.server === "local" ? null : (
          <a class="button" href="/">
            {states.archivesWay}
          </a>
        )}
      </p>
    </div>
  );
}

/** Hints for an empty view. */
export function EmptyState({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="state">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
