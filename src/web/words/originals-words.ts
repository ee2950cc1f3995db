import { counted } from "../parts/formats.ts";
import { number } from "./nouns.ts";

/** Availability of a message in its source. */
const originalStates = {
  available: "unchanged",
  moved: "source not found",
  changed: "changed or missing",
  protected: "source needs a password",
  unreadable: "unreadable",
};

/** Words of the check of originals. */
export const ORIGINALS_WORDS = {
  refusedOriginal: { title: "Original not available" },
  /** Texts of the message details. */
  details: {
    fields: {
      sender: "Sender",
      reply_to: "Reply-To",
      to: "To",
      cc: "Cc",
      bcc: "Bcc",
      received_at: "Received",
      place: "Found in",
      file: "File",
      labels: "Labels",
      finding: "Warning",
    },
    source: "Source",
    withheld: "Originals are not available in a redacted archive.",
    original: "Save original",
    topic: "Topic",
    furtherSource: (megabyte: number) => `MB ${megabyte}`,
    quoted: (at: number, count: number) => (count === 1 ? "Quotes this" : `Quotes ${at}`),
  },
  originalStates,
  /** The same for a file of an event or item. */
  fileStates: { ...originalStates, withheld: "withheld", unplaced: "location not recorded" },
  originals: {
    title: "Originals",
    about:
      "The archive stores text; formatting and files remain in the sources. This check reads every message from its source again and compares its SHA-256 with the recorded one.",
    check: "Check originals",
    stop: "Stop",
    progress: (checked: number, total: number) => `${counted(checked)} of ${number(total, "message")} checked`,
    done: (checked: number, total: number) =>
      checked === total
        ? `${number(total, "message")} checked`
        : `Stopped: ${counted(checked)} of ${number(total, "message")} checked`,
    states: {
      available: "Unchanged",
      moved: "Source not found",
      changed: "Changed or missing",
      protected: "Password required",
      unreadable: "Unreadable",
    },
    lost: "Unavailable originals",
    message: "Message",
    state: "Problem",
    place: "Location",
  },
} as const;
