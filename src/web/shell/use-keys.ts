import { useLayoutEffect } from "preact/hooks";
import { useApplication } from "../application.ts";
import type { KeyHandlers } from "./keyboard.ts";

/** Handles keys while a component is drawn. Not after the next picture, as an effect would: what is seen is meant. */
export function useKeys(handlers: KeyHandlers): void {
  const { keyboard } = useApplication();
  useLayoutEffect(() => keyboard.layer(handlers));
}
