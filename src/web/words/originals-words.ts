import { counted } from "../parts/formats.ts";
import { number } from "./nouns.ts";

/** What became of a message in its source. */
const originalStates = {
  available: "as it was",
  moved: "its source is not there",
  changed: "changed or gone",
  protected: "its source needs a password",
  unreadable: "cannot be read",
};

/** Words of the check of originals. */
export const ORIGINALS_WORDS = {
  refusedOriginal: { title: "This original cannot be had" },
  /** Of the details of a message. */
  details: {
    fields: {
      sender: "Sent by",
      reply_to: "Reply to",
      to: "To",
      cc: "Cc",
      bcc: "Bcc",
      received_at: "Received",
      place: "Found in",
      file: "File",
      labels: "Labels",
      finding: "Oddity",
    },
    source: "Source",
    withheld: "The archive is redacted, and gives no originals.",
    original: "Save the original",
    topic: "Topic",
    furtherSource: (megabyte: number) => `MB ${megabyte}`,
    quoted: (at: number, count: number) => (count === 1 ? "Quotes this" : `Quotes ${at}`),
  },
  originalStates,
  /** The same of a file that hangs on an event or item. */
  fileStates: { ...originalStates, withheld: "withheld", unplaced: "its place was not kept" },
  originals: {
    title: "Originals",
    about:
      "The archive holds texts; formatting and files stay in the sources. This reads every message again where it was found, and compares its SHA-256 with the one that was taken then.",
    check: "Check originals",
    stop: "Stop",
    progress: (checked: number, total: number) => `${counted(checked)} of ${number(total, "message")} checked`,
    done: (checked: number, total: number) =>
      checked === total
        ? `${number(total, "message")} checked`
        : `Stopped: ${counted(checked)} of ${number(total, "message")} checked`,
    states: {
      available: "As they were",
      moved: "Source not there",
      changed: "Changed or gone",
      protected: "Password needed",
      unreadable: "Not readable",
    },
    lost: "Originals that cannot be had",
    message: "Message",
    state: "What is wrong",
    place: "Where",
  },
} as const;
