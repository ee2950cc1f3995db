import { decodedField, type HeaderBlock } from "../syntax/header-block.ts";
import type { ParameterizedField } from "../syntax/parameters.ts";

/** Ends like a file name. */
const FILE_NAME = /[^/\\]{1,200}\.[a-z][a-z\d]{1,5}$/i;
/** Types of parts that are read, not saved: their description is not a file name. */
const READ_TYPE = /^(?:text|multipart|message)\//;

interface PartFields {
  readonly type: ParameterizedField | null;
  readonly disposition: ParameterizedField | null;
}

/** The file name of a part: a parameter, otherwise its description or location (RFC 2557); "" if there is none. */
export function partName(headers: HeaderBlock, { type, disposition }: PartFields): string {
  return (
    disposition?.parameters.get("filename") ??
    type?.parameters.get("name") ??
    disposition?.parameters.get("name") ??
    type?.parameters.get("filename") ??
    (type === null || READ_TYPE.test(type.value) ? "" : describedName(headers))
  );
}

function describedName(headers: HeaderBlock): string {
  for (const field of ["content-description", "content-location"]) {
    const name = FILE_NAME.exec(decodedField(headers, field))?.[0];
    if (name !== undefined) return name.trim();
  }
  return "";
}
