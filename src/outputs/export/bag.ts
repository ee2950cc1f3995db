import { formatInstant, type Instant } from "../../mail/dates/instant.ts";
import { TOOL_NAME, TOOL_VERSION } from "../../version.ts";
import type { BagField } from "./bag-info.ts";
import { type ExportedFile, type ExportFile, ExportTarget } from "./export-target.ts";

/** Payload directory of a bag (RFC 8493 section 2). */
export const BAG_PAYLOAD = "data/";

/** A bag being written: each payload file is listed when complete, so no list is kept in memory. */
export class Bag {
  /** Target of the payload. */
  readonly payload: ExportTarget;
  private readonly tags: ExportTarget;
  private readonly manifest: ExportFile;
  private files = 0;
  private octets = 0;

  constructor(root: string) {
    this.payload = new ExportTarget(root, (file) => this.list(file), BAG_PAYLOAD);
    this.tags = new ExportTarget(root);
    this.manifest = this.tags.openFile("manifest-sha256.txt");
  }

  private list(file: ExportedFile): void {
    this.files++;
    this.octets += file.sizeBytes;
    this.manifest.write(manifestLine(file));
  }

  /** Writes the tag files after the payload is complete. @param title default description */
  close(title: string, exportedAt: Instant, fields: readonly BagField[]): void {
    const isDescribed = fields.some(({ label }) => label === "External-Description");
    const tags = [
      this.tags.writeFile("bagit.txt", "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"),
      this.tags.closeFile(this.manifest),
      this.tags.writeFile(
        "bag-info.txt",
        [
          `Bag-Software-Agent: ${TOOL_NAME} ${TOOL_VERSION}`,
          `Bagging-Date: ${formatInstant(exportedAt).slice(0, 10)}`,
          `Payload-Oxum: ${this.octets}.${this.files}`,
          `Bag-Size: ${bagSize(this.octets)}`,
          ...(isDescribed ? [] : [`External-Description: ${title.replace(/[\r\n]+/g, " ")}`]),
          ...fields.map(({ label, value }) => `${label}: ${value}`),
          "",
        ].join("\n"),
      ),
    ];
    this.tags.writeFile("tagmanifest-sha256.txt", tags.map(manifestLine).join(""));
  }
}

/** An approximate size for people (RFC 8493 section 2.2.2); Payload-Oxum has the exact one. */
function bagSize(octets: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"] as const;
  const power = octets < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(octets) / 3));
  return `${Number((octets / 1000 ** power).toPrecision(3))} ${units[power]}`;
}

/** Line ends and percent signs of a path are escaped (RFC 8493 section 2.1.3). */
function manifestLine({ path, sha256 }: ExportedFile): string {
  const escaped = path.replaceAll("%", "%25").replaceAll("\n", "%0A").replaceAll("\r", "%0D");
  return `${sha256}  ${escaped}\n`;
}
