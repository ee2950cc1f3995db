import { useApplication } from "../application.ts";
import { WORDS } from "../words/words.ts";

/** Toggles between the reader's time zone and UTC. Days of queries and charts are always UTC days. */
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
