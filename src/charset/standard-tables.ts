import { createRequire } from "node:module";
import { isFromSource, loadBuiltModule } from "../built-files.ts";

/** Decodes one charset; unmapped bytes become U+FFFD. */
type Decoder = (bytes: Uint8Array) => string;

/** Charsets of the Encoding Standard with characters of up to four bytes. */
const MULTI_BYTE: ReadonlySet<string> = new Set([
  "gbk",
  "gb18030",
  "big5",
  "euc-jp",
  "iso-2022-jp",
  "shift_jis",
  "euc-kr",
]);

/** One decoder per charset, created on first use. They keep no state between calls. */
const DECODERS = new Map<string, Decoder>();

/** Creates a decoder: a loose one writes U+FFFD where a strict one throws. */
type DecoderFactory = (label: string, isLoose: boolean) => Decoder;

/** Most mail is UTF-8, and the tables take 160 kB: each kind is loaded when the first such text is met. */
function decoderOf(label: string): Decoder {
  if (!MULTI_BYTE.has(label)) return tables("single-byte").createSinglebyteDecoder!(label, true);
  return tables("multi-byte").createMultibyteDecoder!(label, true);
}

type Factories = Readonly<Record<string, DecoderFactory>>;

const LOADED = new Map<string, Factories>();

function tables(name: "multi-byte" | "single-byte"): Factories {
  const loaded = LOADED.get(name);
  if (loaded !== undefined) return loaded;
  const tables: unknown = isFromSource
    ? createRequire(import.meta.url)(`@exodus/bytes/${name}.js`)
    : loadBuiltModule(`charset/${name}.cjs`);
  LOADED.set(name, tables as Factories);
  return tables as Factories;
}

/**
 * Decodes bytes by the index tables of the WHATWG Encoding Standard. The TextDecoder of Node.js follows other tables,
 * which differ from version to version. @param label a name of the standard, in lower case.
 */
export function decodeByStandard(label: string, bytes: Uint8Array): string {
  let decoder = DECODERS.get(label);
  if (decoder === undefined) {
    decoder = decoderOf(label);
    DECODERS.set(label, decoder);
  }
  return decoder(bytes);
}
