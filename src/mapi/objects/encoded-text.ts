import { decodeHeaderText } from "../../mime/syntax/encoded-words.ts";

const ASCII = /^[\t\x20-\x7e]*$/;

/** Decodes encoded words (RFC 2047), which programs that import mail leave in properties. */
export function decodedText(text: string): string {
  return text.includes("=?") && ASCII.test(text) ? decodeHeaderText(text) : text;
}
