import { formatInstant, type Instant } from "../../mail/instant.ts";
import { TOOL_NAME, TOOL_VERSION } from "../../version.ts";
import type { ExportedFile, ExportTarget } from "./export-target.ts";

/** Directory of a bag that holds what it is about (RFC 8493 section 2). */
export const BAG_PAYLOAD = "data/";

/** Writes the tag files of a bag around the files that lie in its `data/`. */
export function writeBagTags(target: ExportTarget, title: string, exportedAt: Instant): void {
  const payload = target.files.filter(({ path }) => path.startsWith(BAG_PAYLOAD));
  const octets = payload.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const tags = [
    target.writeFile("bagit.txt", "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"),
    target.writeFile("manifest-sha256.txt", payload.map(manifestLine).join("")),
    target.writeFile(
      "bag-info.txt",
      [
        `Bag-Software-Agent: ${TOOL_NAME} ${TOOL_VERSION}`,
        `Bagging-Date: ${formatInstant(exportedAt).slice(0, 10)}`,
        `Payload-Oxum: ${octets}.${payload.length}`,
        `External-Description: ${title.replace(/[\r\n]+/g, " ")}`,
        "",
      ].join("\n"),
    ),
  ];
  target.writeFile("tagmanifest-sha256.txt", tags.map(manifestLine).join(""));
}

/** Line ends and percent signs of a path are escaped (RFC 8493 section 2.1.3). */
function manifestLine({ path, sha256 }: ExportedFile): string {
  const escaped = path.replaceAll("%", "%25").replaceAll("\n", "%0A").replaceAll("\r", "%0D");
  return `${sha256}  ${escaped}\n`;
}
