import { useLayoutEffect } from "preact/hooks";
import { useApplication } from "../application.ts";
import type { KeyHandlers } from "./keyboard.ts";

/**
 * Handles keys while a component is rendered. Registered before painting, unlike in an effect: keys apply to what the
 * user sees.
 */
export function useKeys(handlers: KeyHandlers): void {
  const { keyboard } = useApplication();
  useLayoutEffect(() => keyboard.layer(handlers));
}
