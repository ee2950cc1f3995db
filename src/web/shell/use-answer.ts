import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useApplication } from "../application.ts";
import { Fault } from "./fault.ts";

/** State of a response. */
export interface Answered<T> {
  /** The response, or the previous one while loading. */
  readonly data: T | null;
  /** True while `data` belongs to an earlier request. */
  readonly isStale: boolean;
  readonly fault: Fault | null;
  readonly retry: () => void;
}

interface Held<T> {
  readonly path: string | null;
  readonly data: T | null;
  readonly fault: Fault | null;
}

/**
 * Sends a request whenever the path changes; null sends none. Only the response to the current path is shown: earlier
 * requests are canceled.
 * @param turn change it to send the request again
 */
export function useAnswer<T>(path: string | null, turn = 0): Answered<T> {
  const { answers } = useApplication();
  const attempt = useSignal(0);
  const held = useSignal<Held<T>>({ path: null, data: null, fault: null });
  useEffect(() => {
    if (path === null) return undefined;
    const control = new AbortController();
    const settle = (data: T | null, fault: Fault | null): void => {
      if (!control.signal.aborted) held.value = { path, data, fault };
    };
    answers.ask<T>(path, control.signal).then(
      (data) => settle(data, null),
      (cause: unknown) => settle(null, cause instanceof Fault ? cause : new Fault("FAILED", String(cause), -1)),
    );
    return () => control.abort();
  }, [path, attempt.value, turn]);
  const kept = path === null ? null : answers.peek<T>(path);
  const { data, fault } = held.value;
  const isOwn = held.value.path === path;
  return {
    data: kept ?? data,
    isStale: kept === null && !isOwn,
    fault: isOwn && kept === null ? fault : null,
    retry() {
      held.value = { path: null, data: null, fault: null };
      attempt.value++;
    },
  };
}
