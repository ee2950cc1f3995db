import { useSignal } from "@preact/signals";
import type { ComponentChild } from "preact";
import { useEffect } from "preact/hooks";
import { Fault } from "../shell/fault.ts";
import { FaultMessage } from "./states.tsx";

interface LaterProps<Part> {
  readonly load: () => Promise<Part>;
  readonly children: (part: Part) => ComponentChild;
  /** Placeholder while it loads; nothing if it loads after a click. */
  readonly meanwhile?: ComponentChild;
}

/** A part of a view whose code is loaded when it is first shown, because few users need it. */
export function Lazy<Part>({ load, children, meanwhile = null }: LaterProps<Part>) {
  const loaded = useSignal<{ readonly part: Part } | null>(null);
  const fault = useSignal<Fault | null>(null);
  useEffect(() => {
    load().then(
      (part) => {
        loaded.value = { part };
      },
      (cause: unknown) => {
        fault.value = codeFault(cause);
      },
    );
  }, []);
  if (fault.value !== null) return <FaultMessage fault={fault.value} onRetry={() => location.reload()} />;
  return loaded.value === null ? meanwhile : children(loaded.value.part);
}

/** Code that fails to load: the server has stopped, or runs another version. In both cases, reloads the page. */
export function codeFault(cause: unknown): Fault {
  return new Fault("OFFLINE", String(cause), 0);
}
