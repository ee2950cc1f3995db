import { rowOfWord } from "../words/word-table.ts";
import type { Attachment } from "./message.ts";

/** Attachment types that queries and facets distinguish. */
export const ATTACHMENT_TYPES = [
  "image",
  "pdf",
  "document",
  "spreadsheet",
  "slides",
  "archive",
  "audio",
  "video",
  "calendar",
  "message",
  "other",
] as const;
export type AttachmentType = (typeof ATTACHMENT_TYPES)[number];

const TYPE_OF_MEDIA = rowOfWord({
  pdf: "application/pdf",
  document: "application/msword application/rtf text/rtf",
  spreadsheet: "application/vnd.ms-excel text/csv",
  slides: "application/vnd.ms-powerpoint",
  archive:
    "application/zip application/x-zip-compressed application/gzip application/x-tar application/x-7z-compressed " +
    "application/vnd.rar",
  calendar: "text/calendar application/ics",
  message: "message/rfc822 application/vnd.ms-outlook",
});

/** Type families by media type prefix. */
const TYPE_OF_FAMILY: readonly (readonly [string, AttachmentType])[] = [
  ["image/", "image"],
  ["audio/", "audio"],
  ["video/", "video"],
  ["application/vnd.openxmlformats-officedocument.wordprocessingml", "document"],
  ["application/vnd.openxmlformats-officedocument.spreadsheetml", "spreadsheet"],
  ["application/vnd.openxmlformats-officedocument.presentationml", "slides"],
  ["application/vnd.oasis.opendocument.text", "document"],
  ["application/vnd.oasis.opendocument.spreadsheet", "spreadsheet"],
  ["application/vnd.oasis.opendocument.presentation", "slides"],
];

const TYPE_OF_EXTENSION = rowOfWord({
  image: "png jpg jpeg gif bmp tif tiff webp heic svg ico",
  pdf: "pdf",
  document: "doc docx docm dot dotx odt rtf wpd wps pages txt md",
  spreadsheet: "xls xlsx xlsm xlsb xlt ods csv tsv wk1 wk4 123 numbers",
  slides: "ppt pptx pptm pps ppsx odp key",
  archive: "zip gz tgz tar 7z rar bz2 xz zst cab lzh",
  audio: "mp3 wav ogg m4a aac flac wma aif aiff mid",
  video: "mp4 mov avi wmv mkv webm mpg mpeg m4v",
  calendar: "ics vcs",
  message: "eml msg mht",
});

/** A media type in a header field: type and subtype. */
export const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/;

/** By media type; if that is uninformative, as often in old mail, by file extension. */
export function attachmentType({ mediaType, filename }: Pick<Attachment, "mediaType" | "filename">): AttachmentType {
  const known = TYPE_OF_MEDIA.get(mediaType);
  if (known !== undefined) return known;
  const family = TYPE_OF_FAMILY.find(([beginning]) => mediaType.startsWith(beginning));
  if (family !== undefined) return family[1];
  const extension = filename.slice(filename.lastIndexOf(".") + 1).toLowerCase();
  return TYPE_OF_EXTENSION.get(extension) ?? "other";
}

/** Title of an item as part of a file name: separators of paths in it would cut the name. */
export function titleInName(title: string): string {
  return title.replace(/[/\\]/g, "_");
}
