import type { ArchiveWriter } from "../../store/archive-writer.ts";
import type { TextFacts } from "../preparing/text-facts.ts";
import type { MessageTones } from "./contact-rows.ts";

/** Tone and template of every message by ordinal; kept in the store, so that a later run can weigh contacts anew. */
const SENTIMENT_KEY = "extraction:sentiment";
const TEMPLATES_KEY = "extraction:templates";

/** Those of earlier runs with those of this one behind them; the whole is kept for a later run. */
export async function messageTones(writer: ArchiveWriter, facts: TextFacts): Promise<MessageTones> {
  const earlier = new Float32Array(await storedBytes(writer, SENTIMENT_KEY));
  const tones = new Float32Array(earlier.length + facts.length);
  tones.set(earlier);
  fill(tones, earlier.length, facts.tones());
  // Archives of versions that knew no templates have none of their messages.
  const templates = new Int32Array(tones.length);
  templates.set(new Int32Array(await storedBytes(writer, TEMPLATES_KEY)).subarray(0, earlier.length));
  fill(templates, earlier.length, facts.templateKeys());
  await writer.setMeta(SENTIMENT_KEY, new Uint8Array(tones.buffer));
  await writer.setMeta(TEMPLATES_KEY, new Uint8Array(templates.buffer));
  return { tones, templates };
}

async function storedBytes(writer: ArchiveWriter, key: string): Promise<ArrayBuffer> {
  const stored = await writer.getMeta(key);
  return stored instanceof Uint8Array ? new Uint8Array(stored).buffer : new ArrayBuffer(0);
}

function fill(column: Float32Array | Int32Array, start: number, values: Iterable<number>): void {
  let at = start;
  for (const value of values) column[at++] = value;
}
