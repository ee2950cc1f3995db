import { wellFormed } from "../../mail/words/unicode.ts";
import { firstField } from "../syntax/header-block.ts";
import type { MimeEntity } from "./structure.ts";

/** Maximum characters of a link target: servers do not accept longer URLs. */
const MAX_TARGET = 2_000;
/** A Windows path, which may contain blanks. */
const WINDOWS_PATH = /^(?:\\\\|[a-z]:\\)/i;
/** Fields of Thunderbird: an attachment that the user stored elsewhere, and the enclosure of a feed. */
const MOZILLA_FIELDS = ["x-mozilla-external-attachment-url", "x-mozilla-parturl"] as const;

/** Where the file of a part is if the message does not contain it; null for other parts. */
export function linkTarget(part: MimeEntity): string | null {
  if (part.mediaType === "message/external-body") return boundedTarget(externalTarget(part.parameters));
  return boundedTarget(MOZILLA_FIELDS.map((name) => firstField(part.headers, name)).find((url) => url !== "") ?? "");
}

/** By URL (RFC 2017 section 3), or by host, directory and name (RFC 2046 section 5.2.3.2). */
function externalTarget(parameters: ReadonlyMap<string, string>): string {
  const url = parameters.get("url") ?? "";
  const site = parameters.get("site") ?? "";
  const isFtp = /^(?:anon-)?ftp$/i.test(parameters.get("access-type") ?? "");
  if (url !== "" || !isFtp || site === "") return url;
  const path = [parameters.get("directory") ?? "", parameters.get("name") ?? ""].filter((piece) => piece !== "");
  return `ftp://${[site, ...path].join("/")}`;
}

/** White space in a long address is ignored. */
function boundedTarget(given: string): string | null {
  const address = WINDOWS_PATH.test(given) ? given : given.replace(/\s+/g, "");
  const target = wellFormed(address.slice(0, MAX_TARGET));
  return target === "" ? null : target;
}
