import type { ArchiveWriter } from "../../store/archive-writer.ts";
import type { TextFacts } from "../preparing/text-facts.ts";
import type { SentimentColumn } from "./contact-rows.ts";

/** Tone of every message by ordinal; kept in the store, so that a later run can weigh contacts anew. */
const SENTIMENT_KEY = "extraction:sentiment";

/** The tone of earlier runs with that of this one behind it; the whole is kept for a later run. */
export async function sentimentColumn(writer: ArchiveWriter, facts: TextFacts): Promise<SentimentColumn> {
  const stored = await writer.getMeta(SENTIMENT_KEY);
  const earlier = stored instanceof Uint8Array ? new Float32Array(new Uint8Array(stored).buffer) : new Float32Array(0);
  const column = new Float32Array(earlier.length + facts.length);
  column.set(earlier);
  let at = earlier.length;
  for (const tone of facts.tones()) column[at++] = tone;
  await writer.setMeta(SENTIMENT_KEY, new Uint8Array(column.buffer));
  return column;
}
