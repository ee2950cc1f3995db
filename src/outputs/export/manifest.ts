import { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import { formatInstant, type Instant } from "../../mail/dates/instant.ts";
import { MANIFEST_COLUMNS } from "../../mail/export-manifest.ts";
import { type CsvValue, writeCsvRow } from "../csv/csv-row.ts";
import type { ExportFile } from "./export-target.ts";

/** A row of the manifest. */
interface ManifestRow {
  /** Path of the file, relative to the manifest. */
  readonly path: string;
  readonly id: string;
  readonly messageId: string;
  /** SHA-256 of the original; null if it must not be revealed. */
  readonly sha256: string | null;
  /** Path of the source. */
  readonly source: string;
  readonly location: string;
  /** `exact`, `composed`, or `record` for anything other than a message. */
  readonly origin: "exact" | "composed" | "record";
  readonly note: string;
}

/** Values shared by all rows. */
interface ExportOccasion {
  /** The query and the flags that selected the exported messages. */
  readonly query: string;
  readonly toolVersion: string;
  readonly exportedAt: Instant;
}

/** Path of a row in the manifest, from its path in the export and its id. */
type ExportedPath = (path: string, id: string) => string;

/** List of exported items with their origin, and whether they equal the source. */
export class Manifest {
  private readonly lines = new CsvLines();

  /** @param placed called for every row before it is written */
  constructor(
    private readonly file: ExportFile,
    private readonly occasion: ExportOccasion,
    private readonly placed: ExportedPath,
  ) {
    file.write(this.lines.line(MANIFEST_COLUMNS));
  }

  add({ path, id, messageId, sha256, source, location, origin, note }: ManifestRow): void {
    const { query, toolVersion, exportedAt } = this.occasion;
    const row = [
      this.placed(path, id),
      id,
      messageId,
      sha256,
      source,
      location,
      origin,
      note,
      query,
      toolVersion,
      formatInstant(exportedAt),
    ];
    this.file.write(this.lines.line(row));
  }
}

/** Bytes of RFC 4180 records. */
export class CsvLines {
  private readonly buffer = new Utf8Buffer();

  line(values: readonly CsvValue[]): Buffer {
    this.buffer.clear();
    writeCsvRow(values, this.buffer);
    return Buffer.from(this.buffer.view());
  }
}
