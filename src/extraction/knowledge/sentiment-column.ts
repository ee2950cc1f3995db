import { PagedFloat64Column, PagedInt32Column } from "../../columns/paged-column.ts";
import type { PagedMemory } from "../../columns/paged-memory.ts";
import type { ArchiveWriter } from "../../store/contract/archive-writer.ts";
import type { TextFacts } from "../preparing/text-facts.ts";
import type { MessageTones } from "./contact-rows.ts";

/** Tone and template of every message by ordinal, stored so that a later run can recompute the weights of contacts. */
const SENTIMENT_KEY = "extraction:sentiment";
const TEMPLATES_KEY = "extraction:templates";

/**
 * Appends the values of this run to those of earlier runs, mostly stored in a file, and saves all of them for later
 * runs. The two columns are saved one at a time: each is one value of the database, fully in memory while it is
 * written.
 */
export async function messageTones(
  writer: ArchiveWriter,
  facts: TextFacts,
  memory: PagedMemory,
): Promise<MessageTones> {
  const tones = new PagedFloat64Column(memory);
  for (const tone of new Float32Array(await storedBytes(writer, SENTIMENT_KEY))) tones.push(tone);
  const earlier = tones.length;
  for (const tone of facts.tones()) tones.push(Math.fround(tone));
  await writer.setMeta(SENTIMENT_KEY, bytesOf(new Float32Array(tones.length), tones));
  const templates = new PagedInt32Column(memory);
  for (const template of new Int32Array(await storedBytes(writer, TEMPLATES_KEY)).subarray(0, earlier))
    templates.push(template);
  // Archives of versions without templates lack them for their messages.
  templates.extend(earlier, 0);
  for (const template of facts.templateKeys()) templates.push(template);
  await writer.setMeta(TEMPLATES_KEY, bytesOf(new Int32Array(templates.length), templates));
  return { tones, templates };
}

async function storedBytes(writer: ArchiveWriter, key: string): Promise<ArrayBuffer> {
  const stored = await writer.getMeta(key);
  return stored instanceof Uint8Array ? new Uint8Array(stored).buffer : new ArrayBuffer(0);
}

function bytesOf(
  values: Float32Array<ArrayBuffer> | Int32Array<ArrayBuffer>,
  column: PagedFloat64Column | PagedInt32Column,
): Uint8Array {
  for (let at = 0; at < values.length; at++) values[at] = column.at(at);
  return new Uint8Array(values.buffer);
}
