import { useApplication } from "../application.ts";
import { WORDS } from "../words/words.ts";

/** Turns times from the zone of the reader to UTC, and back. Days of queries and charts are UTC days either way. */
export function ZoneTool() {
  const { isUtc } = useApplication();
  const { utc, zone } = WORDS.actions;
  return (
    <button
      type="button"
      class="tool zone"
      aria-pressed={isUtc.value}
      aria-label={zone}
      title={zone}
      onClick={() => {
        isUtc.value = !isUtc.value;
      }}
    >
      {utc}
    </button>
  );
}
