import { useEffect } from "preact/hooks";
import { useApplication } from "./application.ts";
import type { KeyHandlers } from "./keyboard.ts";

/** Handles keys while a component is drawn. */
export function useKeys(handlers: KeyHandlers): void {
  const { keyboard } = useApplication();
  useEffect(() => keyboard.layer(handlers));
}
